// The screens and their addresses. Every filter, range and tab is in the address, so that a view can be sent to a colleague.
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { eventSearch, eventsSearch } from '../features/events/search.ts'
import { sessionQuery } from '../features/session/session.ts'
import { SignIn } from '../features/session/sign-in.tsx'
import { trafficSearch } from '../features/traffic/search.ts'
import { type Api, isStatus } from '../shared/api/api.ts'
import { text } from '../shared/ui/search.ts'
import { Failure } from '../shared/ui/states.tsx'
import { Shell } from './shell.tsx'

export interface RouterContext {
  api: Api
  queries: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound })

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

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  validateSearch: (search): { code?: string; step?: string } => text(search, 'code', 'step'),
  component: lazyRouteComponent(() => import('../features/setup/first-user.tsx'), 'FirstUser'),
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ context: { api, queries }, location }) => {
    try {
      await queries.ensureQueryData(sessionQuery(api))
    } catch (error) {
      if (!isStatus(error, 401)) throw error
      const { state } = await api.call('getSetup', {})
      if (state === 'open') throw redirect({ to: '/setup' })
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } })
    }
  },
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
})

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
})

const events = createRoute({
  getParentRoute: () => shell,
  path: 'events',
  validateSearch: eventsSearch,
  component: lazyRouteComponent(() => import('../features/events/events-page.tsx'), 'EventsPage'),
})

const event = createRoute({
  getParentRoute: () => shell,
  path: 'events/$id',
  validateSearch: eventSearch,
  component: lazyRouteComponent(() => import('../features/events/event-page.tsx'), 'EventPage'),
})

const sites = createRoute({
  getParentRoute: () => shell,
  path: 'sites',
  validateSearch: (search): { q?: string; group?: string } => text(search, 'q', 'group'),
  component: lazyRouteComponent(() => import('../features/sites/sites-page.tsx'), 'SitesPage'),
})

const site = createRoute({
  getParentRoute: () => shell,
  path: 'sites/$host',
  component: lazyRouteComponent(() => import('../features/sites/site-page.tsx'), 'SitePage'),
})

const sources = createRoute({
  getParentRoute: () => shell,
  path: 'sources',
  component: lazyRouteComponent(() => import('../features/sources/sources-page.tsx'), 'SourcesPage'),
})

const addSource = createRoute({
  getParentRoute: () => shell,
  path: 'sources/add',
  component: lazyRouteComponent(() => import('../features/sources/add-source-page.tsx'), 'AddSourcePage'),
})

const source = createRoute({
  getParentRoute: () => shell,
  path: 'sources/$id',
  component: lazyRouteComponent(() => import('../features/sources/source-page.tsx'), 'SourcePage'),
})

const traffic = createRoute({
  getParentRoute: () => shell,
  path: 'traffic',
  validateSearch: trafficSearch,
  component: lazyRouteComponent(() => import('../features/traffic/traffic-page.tsx'), 'TrafficPage'),
})

const names = createRoute({
  getParentRoute: () => shell,
  path: 'names',
  validateSearch: (search): { q?: string; at?: string } => {
    const { at = '', ...rest } = text(search, 'q', 'at')
    return Number.isNaN(Date.parse(at)) ? rest : { ...rest, at }
  },
  component: lazyRouteComponent(() => import('../features/names/names-page.tsx'), 'NamesPage'),
})

const targets = createRoute({
  getParentRoute: () => shell,
  path: 'addresses',
  validateSearch: (search): { address?: string } => text(search, 'address'),
  component: lazyRouteComponent(() => import('../features/traffic/address-page.tsx'), 'AddressPage'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: 'settings',
  validateSearch: (search): { section?: string } => text(search, 'section'),
  component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
})

const tree = root.addChildren([
  signIn,
  signInLink,
  setup,
  shell.addChildren([
    overview,
    events,
    event,
    sites,
    site,
    sources,
    addSource,
    source,
    traffic,
    names,
    targets,
    settings,
  ]),
])

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

function NotFound() {
  return <Failure error={Object.assign(new Error('no such page'), { status: 404 })} />
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
