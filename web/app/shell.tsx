// The frame of every screen: where one can go, how things stand, who is signed in.

import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import {
  Activity,
  ChartArea,
  Crosshair,
  Gauge,
  Globe,
  Menu as MenuIcon,
  RadioTower,
  Search,
  Settings,
  Signpost,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import { overviewQuery } from '../features/overview/queries.ts'
import { isAdmin, useIdentity } from '../features/session/session.ts'
import { useApi } from '../shared/api/api.ts'
import { useLive } from '../shared/api/live.ts'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import type { MessageKey } from '../shared/i18n/messages.ts'
import { Button } from '../shared/ui/basics.tsx'
import { Mark } from '../shared/ui/mark.tsx'
import { Palette } from './palette.tsx'
import { Shortcuts, useShortcuts } from './shortcuts.tsx'
import { UserMenu } from './user-menu.tsx'

export const places = [
  { to: '/', key: 'nav.overview', icon: Gauge, letter: 'o' },
  { to: '/events', key: 'nav.events', icon: Activity, letter: 'e' },
  { to: '/sites', key: 'nav.sites', icon: Globe, letter: 's' },
  { to: '/traffic', key: 'nav.traffic', icon: ChartArea, letter: 'r' },
  { to: '/addresses', key: 'nav.addresses', icon: Crosshair, letter: 'a' },
  { to: '/names', key: 'nav.names', icon: Signpost, letter: 'n' },
  { to: '/sources', key: 'nav.sources', icon: RadioTower, letter: 'f', adminOnly: true },
  { to: '/settings', key: 'nav.settings', icon: Settings, letter: 't' },
] as const satisfies readonly { to: string; key: MessageKey; letter: string; icon: unknown; adminOnly?: true }[]

export function Shell() {
  const { t } = useTranslator()
  const identity = useIdentity()
  const [shown, setShown] = useState<'palette' | 'shortcuts' | 'nav' | null>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has gone somewhere is done with the list of places.
  useEffect(() => setShown(null), [path])
  const seen = places.filter((place) => !('adminOnly' in place) || isAdmin(identity))
  useShortcuts({ places: seen, onPalette: () => setShown('palette'), onHelp: () => setShown('shortcuts') })
  return (
    <div className={shown === 'nav' ? 'shell nav-open' : 'shell'}>
      <a className="skip" href={`${path}#main`} onClick={toMain}>
        {t('nav.skip')}
      </a>
      <aside className="side">
        <Link to="/" className="brand">
          <Mark />
          Floodgauge
        </Link>
        <button type="button" className="search-button" onClick={() => setShown('palette')}>
          <Search size={14} aria-hidden />
          {t('palette.open')}
          <kbd aria-hidden>/</kbd>
        </button>
        <nav aria-label={t('nav.label')}>
          {seen.map(({ to, key, icon: Icon }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/' }} search={{}}>
              <Icon size={16} aria-hidden />
              {t(key)}
              {to === '/events' && <OpenCount />}
            </Link>
          ))}
        </nav>
        <div className="side-foot">
          <UserMenu identity={identity} onShortcuts={() => setShown('shortcuts')} />
        </div>
      </aside>
      <div className="page">
        <header className="top">
          <Button
            look="ghost"
            className="nav-button"
            label={t('nav.label')}
            aria-expanded={shown === 'nav'}
            onClick={() => setShown(shown === 'nav' ? null : 'nav')}
          >
            <MenuIcon size={18} aria-hidden />
          </Button>
          <Posture />
          <span className="grow" />
          <LiveMark />
          <Button look="ghost" className="phone-only" label={t('palette.open')} onClick={() => setShown('palette')}>
            <Search size={18} aria-hidden />
          </Button>
        </header>
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {shown === 'nav' && (
        <button type="button" className="shade" aria-label={t('action.close')} onClick={() => setShown(null)} />
      )}
      {shown === 'palette' && <Palette places={seen} onClose={() => setShown(null)} />}
      {shown === 'shortcuts' && <Shortcuts places={seen} onClose={() => setShown(null)} />}
    </div>
  )
}

/** The link leads within the page; the page's base address would make another page of it. */
function toMain(event: { preventDefault: () => void }): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function OpenCount() {
  const { data } = useQuery(overviewQuery(useApi()))
  return data !== undefined && data.events.open > 0 && <span className="badge bad">{data.events.open}</span>
}

/** How things stand, in a word or two. */
function Posture() {
  const { t } = useTranslator()
  const { data, isError } = useQuery(overviewQuery(useApi()))
  if (isError) return <span className="posture warn">{t('posture.unknown')}</span>
  if (data === undefined) return <span className="posture">{t('posture.loading')}</span>
  const { posture, events } = data
  if (posture === 'attack') {
    return (
      <Link to="/events" search={{ tab: 'active' }} className="posture bad">
        <i />
        {t('posture.attack', { count: events.open })}
      </Link>
    )
  }
  if (posture === 'no-flows') {
    return (
      <Link to="/sources/add" className="posture warn">
        <i />
        {t('posture.blind')}
      </Link>
    )
  }
  return (
    <span className="posture good">
      <i />
      {t('posture.calm')}
    </span>
  )
}

/** A stream that is away for a moment is no news. */
const lateMs = 3_000

/** Whether what is shown is what is so now. */
function LiveMark() {
  const { t } = useTranslator()
  const isLive = useLive() === 'live'
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    setLate(false)
    if (isLive) return
    const timer = setTimeout(() => setLate(true), lateMs)
    return () => clearTimeout(timer)
  }, [isLive])
  const state = isLive ? 'on' : isLate ? 'lost' : 'connecting'
  return (
    <span className={`live ${state}`} role="status">
      <i />
      {t(`live.${state}`)}
    </span>
  )
}
