// What several parts of the settings ask about.
import type { Response } from '../../../src/contract/endpoints.ts'

export type ListedUser = Response<'listUsers'>['users'][number]

export const usersKey = ['users']
