// The endpoints of tokens.
import type { Clock } from '../../clock.ts'
import type { TokenMaker } from '../../store/accounts.ts'
import type { Store } from '../../store/store.ts'
import { hashTokenSecret, newTokenSecret } from '../../store/token-secret.ts'
import type { Handlers, Input } from '../http/endpoints.ts'
import { ProblemError, refusal } from '../http/problem.ts'
import { requireUser } from './accounts.ts'
import { presentToken } from './present.ts'

export type TokenEndpoint = 'listTokens' | 'addToken' | 'revokeToken'

export interface TokenHandlerOptions {
  store: Pick<Store, 'listUsers' | 'userById' | 'listTokens' | 'addToken' | 'revokeToken'>
  clock: Clock
}

const tokensMax = 100
const dayMs = 86_400_000
/** In place of the id of a user. */
const everybody = 'all'

export function createTokenHandlers({ store, clock }: TokenHandlerOptions): Handlers<TokenEndpoint> {
  return {
    listTokens: async ({ query, isAdmin }, caller) => {
      const { user = caller.id } = query
      if (typeof user !== 'string') throw badUser('It is given more than once')
      if (user !== caller.id && !isAdmin) throw new ProblemError('FORBIDDEN', 'Tokens of others are for `admin`')
      const owners = user === everybody ? await store.listUsers() : [await requireUser(store, user)]
      const tokens = await Promise.all(
        owners.map(async (owner) =>
          (await store.listTokens(owner.id)).map((token) => presentToken(token, owner, clock.now())),
        ),
      )
      return { body: { tokens: tokens.flat() } }
    },

    addToken: async (input, caller) => {
      const { name, expiresInDays = null } = input.body
      const scopes = scopesOf(input)
      if ((await store.listTokens(caller.id)).length >= tokensMax) {
        throw refusal('tokens-max', 'CONFLICT', `A user has at most ${tokensMax} tokens`)
      }
      const expiresMs = expiresInDays === null ? null : clock.now() + expiresInDays * dayMs
      const secret = newTokenSecret()
      const given = { userId: caller.id, name, scopes, expiresMs }
      const token = await store.addToken(given, hashTokenSecret(secret), makerOf(input))
      return { body: { token: presentToken(token, caller, clock.now()), secret } }
    },

    revokeToken: async ({ params, isAdmin }, caller) => {
      const deleted = await (isAdmin ? store.revokeToken(params.id) : store.revokeToken(params.id, caller.id))
      if (!deleted) throw new ProblemError('NOT_FOUND', 'There is no such token')
      return { body: { deleted } }
    },
  }
}

/** A token must not beget one that is good for more, or for longer. */
function scopesOf({ body, session, isAdmin, scopes }: Input<'addToken'>): Input<'addToken'>['body']['scopes'] {
  if (session === null && !isAdmin) throw new ProblemError('FORBIDDEN', 'Tokens are made by who has signed in')
  const wanted = [...new Set(body.scopes)]
  const lacking = wanted.find((scope) => !scopes.includes(scope))
  if (lacking !== undefined) throw refusal('scope-lacking', 'FORBIDDEN', `The caller lacks the scope \`${lacking}\``)
  return wanted
}

function makerOf({ session, credentialId }: Input<'addToken'>): TokenMaker {
  return { kind: session === null ? 'token' : 'session', id: credentialId ?? '' }
}

function badUser(detail: string): ProblemError {
  return new ProblemError('BAD_REQUEST', 'The query is not valid', [{ parameter: 'user', detail }])
}
