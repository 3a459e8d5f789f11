// Who is signed in: asked of the service once, and kept until it says otherwise.
import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Response } from '../../../src/contract/endpoints.ts'
import { type Api, useApi } from '../../shared/api/api.ts'

export type Identity = Response<'getSession'>

export const sessionKey = ['session'] as const

/** Whether an admin can sign in, or who comes first makes one. */
export const setupKey = ['setup'] as const

export const sessionQuery = (api: Api) =>
  queryOptions({
    queryKey: sessionKey,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Identity> => {
      const identity = await api.call('getSession', { signal })
      api.csrfToken = identity.csrfToken
      return identity
    },
  })

/** Somebody signs in. What another user was shown on this page before, whose session has ended meanwhile, is forgotten. */
export function beginSession(identity: Identity, { api, queries }: { api: Api; queries: QueryClient }): void {
  queries.removeQueries()
  api.csrfToken = identity.csrfToken
  queries.setQueryData(sessionKey, identity)
}

/** Below the shell there is a session. */
export function useIdentity(): Identity {
  return useSuspenseQuery(sessionQuery(useApi())).data
}

export const isAdmin = ({ scopes }: Identity) => scopes.includes('admin')

/** Whether who is signed in may change anything but how they sign in: viewers are shown no button that would be refused. */
export function useMayChange(): boolean {
  return useIdentity().scopes.includes('write')
}
