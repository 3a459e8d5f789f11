// What several parts of the settings ask about.
import type { Response } from '../../../src/contract/schemas.ts'

export type ListedUser = Response<'listUsers'>['users'][number]

export const usersKey = ['users']
