// THE table of screens: a row for each, with its address, what it shows, and what leads to it. Every filter, range and tab is in the address,
// so that a view can be sent to a colleague. The router, the navigation, the palette, the keys and the title of the tab read these rows.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import {
  Activity,
  BellRing,
  BookOpen,
  ChartArea,
  Crosshair,
  Gauge,
  Globe,
  type LucideIcon,
  RadioTower,
  Settings,
  Signpost,
} from 'lucide-react'
import { deliverySearch } from '../features/alerts/search.ts'
import { filterOf } from '../features/events/list/filter.ts'
import { eventList, eventQuery, seriesQuery } from '../features/events/queries.ts'
import { eventSearch, eventsSearch } from '../features/events/search.ts'
import { addressSearch } from '../features/explanation/search.ts'
import { siteList, sitesSearch } from '../features/sites/queries.ts'
import { trafficSearch } from '../features/traffic/search.ts'
import { prefetchList } from '../shared/api/pages.ts'
import type { MessageKey } from '../shared/i18n/messages.ts'
import { text } from '../shared/ui/search.ts'
import { frame, type RouterContext } from './frame.ts'

/** What leads to a screen from anywhere: an entry of the navigation, and the key after `g`. */
interface Entry {
  icon: LucideIcon
  letter: string
  adminOnly?: true
}

/** What an address says: which thing a screen is about, and what stands behind the path. */
export interface ScreenAddress {
  params: { id?: string; host?: string }
  search: Record<string, unknown>
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The name of the screen. */
    title?: MessageKey
    entry?: Entry
    /** Asks for what the screen shows first: the first screen's is asked for before it is known who has signed in. */
    prefetch?: (context: RouterContext, address: ScreenAddress) => void
  }
}

/** Without what somebody looks for: what its words mean is known when the language is. */
function prefetchEvents({ api, queries }: RouterContext, address: Pick<ScreenAddress, 'search'>): void {
  const search = eventsSearch(address.search)
  if (search.q === undefined) prefetchList(queries, eventList(api, filterOf(search, {})))
}

function prefetchEvent({ api, queries }: RouterContext, { params: { id } }: Pick<ScreenAddress, 'params'>): void {
  if (id === undefined) return
  void queries.prefetchQuery(eventQuery(api, id))
  void queries.prefetchQuery(seriesQuery(api, id, false))
}

function prefetchSites({ api, queries }: RouterContext, { search }: Pick<ScreenAddress, 'search'>): void {
  const { q, group } = sitesSearch(search)
  prefetchList(queries, siteList(api, { q, group }))
}

export const screens = [
  createRoute({
    getParentRoute: () => frame,
    path: '/',
    component: lazyRouteComponent(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
    staticData: { title: 'nav.overview', entry: { icon: Gauge, letter: 'o' } },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'events',
    validateSearch: eventsSearch,
    component: lazyRouteComponent(() => import('../features/events/list/events-page.tsx'), 'EventsPage'),
    staticData: { title: 'nav.events', entry: { icon: Activity, letter: 'e' }, prefetch: prefetchEvents },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'events/$id',
    validateSearch: eventSearch,
    loader: ({ context, params }) => prefetchEvent(context, { params }),
    component: lazyRouteComponent(() => import('../features/events/page/event-page.tsx'), 'EventPage'),
    staticData: { title: 'nav.events', prefetch: prefetchEvent },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'sites',
    validateSearch: sitesSearch,
    component: lazyRouteComponent(() => import('../features/sites/sites-page.tsx'), 'SitesPage'),
    staticData: { title: 'nav.sites', entry: { icon: Globe, letter: 's' }, prefetch: prefetchSites },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'sites/$host',
    component: lazyRouteComponent(() => import('../features/sites/site-page.tsx'), 'SitePage'),
    staticData: { title: 'nav.sites' },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'traffic',
    validateSearch: trafficSearch,
    component: lazyRouteComponent(() => import('../features/traffic/traffic-page.tsx'), 'TrafficPage'),
    staticData: { title: 'nav.traffic', entry: { icon: ChartArea, letter: 'r' } },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'addresses',
    validateSearch: addressSearch,
    component: lazyRouteComponent(() => import('../features/traffic/address-page.tsx'), 'AddressPage'),
    staticData: { title: 'nav.addresses', entry: { icon: Crosshair, letter: 'a' } },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'names',
    validateSearch: (search): { q?: string; at?: string } => {
      const { at = '', ...rest } = text(search, 'q', 'at')
      return Number.isNaN(Date.parse(at)) ? rest : { ...rest, at }
    },
    component: lazyRouteComponent(() => import('../features/names/names-page.tsx'), 'NamesPage'),
    staticData: { title: 'nav.names', entry: { icon: Signpost, letter: 'n' } },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'attack-types',
    component: lazyRouteComponent(() => import('../features/attack-types/attack-types-page.tsx'), 'AttackTypesPage'),
    staticData: { title: 'nav.attackTypes', entry: { icon: BookOpen, letter: 'k' } },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'sources',
    component: lazyRouteComponent(() => import('../features/sources/sources-page.tsx'), 'SourcesPage'),
    staticData: { title: 'nav.sources', entry: { icon: RadioTower, letter: 'f', adminOnly: true } },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'sources/add',
    component: lazyRouteComponent(() => import('../features/sources/add-source-page.tsx'), 'AddSourcePage'),
    staticData: { title: 'nav.sources' },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'sources/$id',
    component: lazyRouteComponent(() => import('../features/sources/source-page.tsx'), 'SourcePage'),
    staticData: { title: 'nav.sources' },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'alerts',
    validateSearch: (search): { add?: string } => text(search, 'add'),
    component: lazyRouteComponent(() => import('../features/alerts/alerts-page.tsx'), 'AlertsPage'),
    staticData: { title: 'nav.alerts', entry: { icon: BellRing, letter: 'l' } },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'alerts/rules',
    validateSearch: (search): { event?: string } => text(search, 'event'),
    component: lazyRouteComponent(() => import('../features/alerts/rules/rules-page.tsx'), 'RulesPage'),
    staticData: { title: 'nav.alerts' },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'alerts/silences',
    component: lazyRouteComponent(() => import('../features/alerts/silences/silences-page.tsx'), 'SilencesPage'),
    staticData: { title: 'nav.alerts' },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'alerts/deliveries',
    validateSearch: deliverySearch,
    component: lazyRouteComponent(() => import('../features/alerts/deliveries-page.tsx'), 'DeliveriesPage'),
    staticData: { title: 'nav.alerts' },
  }),
  createRoute({
    getParentRoute: () => frame,
    path: 'settings',
    validateSearch: (search): { section?: string } => text(search, 'section'),
    component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
    staticData: { title: 'nav.settings', entry: { icon: Settings, letter: 't' } },
  }),
] as const

/** A screen that the navigation leads to. */
export interface Place extends Entry {
  to: string
  key: MessageKey
}

/** In the order of the rows. The router gives screens their addresses (`to`), so it must have been made before. */
export const places = (): Place[] =>
  screens.flatMap(({ to, options: { staticData = {} } }) => {
    const { title, entry } = staticData
    return title === undefined || entry === undefined ? [] : [{ to, key: title, ...entry }]
  })
