// Which pictures are taken.

export interface Picture {
  file: string
  /** `{event}`: the page of the event that the scene is about. */
  path: string
  theme: 'light' | 'dark'
  viewport: { width: number; height: number }
  locale?: string
  /** The whole page, however long. */
  isWhole?: boolean
  isSignedOut?: boolean
}

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** The pictures of README and docs. */
export const pictures: readonly Picture[] = [
  { file: 'event-light.png', path: '{event}', theme: 'light', viewport: desk },
  { file: 'event-dark.png', path: '{event}', theme: 'dark', viewport: desk },
  { file: 'overview.png', path: '/', theme: 'light', viewport: desk },
  { file: 'sites.png', path: '/sites', theme: 'light', viewport: desk },
  { file: 'sources.png', path: '/sources/add', theme: 'light', viewport: desk },
  { file: 'event-phone.png', path: '{event}', theme: 'dark', viewport: phone },
]

const screens: Record<string, string> = {
  overview: '/',
  event: '{event}',
  events: '/events',
  'events-active': '/events?tab=active',
  'events-none': '/events?site=nothing.example',
  sites: '/sites',
  'site-name': '/sites/shop.example.net',
  'site-wildcard': '/sites/*.example.org',
  'site-network': '/sites/198.51.100.0%2F24',
  'site-broken': '/sites/old.example.net',
  traffic: '/traffic',
  names: '/names',
  'names-of': '/names?q=shop.example.net',
  'attack-types': '/attack-types',
  address: '/addresses?address=203.0.113.21',
  'address-past': '/addresses?address=203.0.113.21&at=2017-03-08T10:09:30Z&sensitivity=high',
  addresses: '/addresses',
  sources: '/sources',
  'source-add': '/sources/add',
  source: '/sources/127.0.0.1',
  alerts: '/alerts',
  'alerts-rules': '/alerts/rules',
  'alerts-silences': '/alerts/silences',
  'alerts-messages': '/alerts/deliveries',
  'settings-account': '/settings',
  'settings-sessions': '/settings?section=sessions',
  'settings-tokens': '/settings?section=tokens',
  'settings-groups': '/settings?section=groups',
  'settings-users': '/settings?section=users',
  'settings-audit': '/settings?section=audit',
  'settings-about': '/settings?section=about',
  missing: '/nowhere',
  'setup-flows': '/setup?step=flows',
  'setup-site': '/setup?step=site',
  'setup-done': '/setup?step=done',
}

const signedOutScreens: Record<string, string> = { 'sign-in': '/sign-in', 'setup-account': '/setup' }

/** Every screen on a desk in both themes, and in the hand in one: a theme changes colours alone, which are those of the desk. */
export const looks = [
  { look: 'light-desk', theme: 'light', viewport: desk },
  { look: 'dark-desk', theme: 'dark', viewport: desk },
  { look: 'light-phone', theme: 'light', viewport: phone },
] as const

/** Every screen in each of these looks. */
export function everyScreen(): Picture[] {
  const each = (all: Record<string, string>, isSignedOut: boolean) =>
    Object.entries(all).flatMap(([name, path]) =>
      looks.map(({ look, ...how }) => ({ file: `${name}-${look}.png`, path, ...how, isWhole: true, isSignedOut })),
    )
  return [...each(screens, false), ...each(signedOutScreens, true)]
}

/** Those of the docs, every screen, and some in Chinese. */
export function everyPicture(): Picture[] {
  const chinese = ['overview', 'event', 'sites'].map(
    (name): Picture => ({
      file: `${name}-zh.png`,
      path: screens[name],
      theme: 'light',
      viewport: desk,
      locale: 'zh-CN',
      isWhole: true,
    }),
  )
  return [...pictures, ...everyScreen(), ...chinese]
}
