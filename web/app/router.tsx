// The tree of addresses: signing in and setting up, and below the frame the screens.
import {
  type AnyRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type StaticDataRouteOption,
} from '@tanstack/react-router'
import { sessionQuery } from '../features/session/session.ts'
import { SignIn } from '../features/session/sign-in.tsx'
import { text } from '../shared/ui/search.ts'
import { Failure } from '../shared/ui/states.tsx'
import { frame, type RouterContext, root } from './frame.ts'
import { type ScreenAddress, screens } from './screens.ts'
import { Shell } from './shell.tsx'

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: (search): { next?: string } => text(search, 'next'),
  component: SignIn,
})

const signInLink = createRoute({
  getParentRoute: () => root,
  path: 'link',
  component: lazyRouteComponent(() => import('../features/session/sign-in-link.tsx'), 'SignInLink'),
})

const signOn = createRoute({
  getParentRoute: () => root,
  path: 'sign-on',
  component: lazyRouteComponent(() => import('../features/session/sign-on.tsx'), 'SignOnReturn'),
})

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: 'second-factor',
  validateSearch: (search): { next?: string } => text(search, 'next'),
  beforeLoad: async ({ context: { api, queries } }) => {
    const { secondFactor } = await queries.ensureQueryData(sessionQuery(api)).catch(() => {
      throw redirect({ to: '/sign-in' })
    })
    if (secondFactor !== 'missing') throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('../features/second-factor/required.tsx'), 'RequiredSecondFactor'),
})

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  validateSearch: (search): { code?: string; step?: string } => text(search, 'code', 'step'),
  component: lazyRouteComponent(() => import('../features/setup/first-user.tsx'), 'FirstUser'),
})

root.update({ notFoundComponent: NotFound })
frame.update({
  component: Shell,
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
})

const tree = root.addChildren([signIn, signInLink, signOn, secondFactor, setup, frame.addChildren(screens)])

export function createConsoleRouter({ basepath, ...context }: RouterContext & { basepath: string }) {
  return createRouter({
    routeTree: tree,
    context,
    basepath,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
  })
}

/**
 * Asks who has signed in, if the first screen wants to know, and at the same time for its code and for what it shows first, before anything is drawn.
 * Whoever has not signed in is refused all of it.
 */
export function fetchFirstScreen(router: ReturnType<typeof createConsoleRouter>): void {
  const { context } = router.options
  const { api, queries } = context
  const routes: Record<string, AnyRoute> = router.routesById
  const matches: readonly (ScreenAddress & { routeId: string; staticData: StaticDataRouteOption })[] =
    router.matchRoutes(router.latestLocation)
  const isFramed = matches.some(({ routeId }) => routeId === frame.id)
  if (isFramed) void queries.prefetchQuery(sessionQuery(api))
  for (const { routeId, params, search, staticData } of matches) {
    staticData.prefetch?.(context, { params, search })
    void router.loadRouteChunk(routes[routeId])?.catch(() => {
      // The screen asks again, and says so if that fails too.
    })
  }
}

function NotFound() {
  return <Failure error={Object.assign(new Error('no such page'), { status: 404 })} />
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
