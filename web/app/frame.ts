// Where the screens hang in the tree of addresses: below the frame, which asks first who has signed in.
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { sessionQuery } from '../features/session/session.ts'
import { type Api, isStatus } from '../shared/api/api.ts'

export interface RouterContext {
  api: Api
  queries: QueryClient
}

export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet })

export const frame = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ context: { api, queries }, location }) => {
    const search = location.pathname === '/' ? {} : { next: location.href }
    const identity = await queries.ensureQueryData(sessionQuery(api)).catch(async (error: unknown) => {
      if (!isStatus(error, 401)) throw error
      const { state } = await api.call('getSetup', {})
      if (state === 'open') throw redirect({ to: '/setup' })
      throw redirect({ to: '/sign-in', search })
    })
    if (identity.secondFactor === 'missing') throw redirect({ to: '/second-factor', search })
  },
})
