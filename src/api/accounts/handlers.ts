// What answers the endpoints of accounts.
import type { accountEndpoints } from '../../contract/accounts/endpoints.ts'
import type { Handlers } from '../http/endpoints.ts'
import { createSecondFactorHandlers, type SecondFactorHandlerOptions } from '../second-factor/handlers.ts'
import { createSignOnHandlers, type SignOnHandlerOptions } from '../sign-on/handlers.ts'
import { createSessionHandlers, type SessionHandlerOptions } from './accounts.ts'
import { createTokenHandlers, type TokenHandlerOptions } from './tokens.ts'
import { createUserHandlers, type UserHandlerOptions } from './users.ts'

export type AccountParts = SessionHandlerOptions &
  SecondFactorHandlerOptions &
  SignOnHandlerOptions &
  UserHandlerOptions &
  TokenHandlerOptions

export function accountHandlers(parts: AccountParts): Handlers<keyof typeof accountEndpoints> {
  return {
    ...createSessionHandlers(parts),
    ...createSecondFactorHandlers(parts),
    ...createSignOnHandlers(parts),
    ...createUserHandlers(parts),
    ...createTokenHandlers(parts),
  }
}
