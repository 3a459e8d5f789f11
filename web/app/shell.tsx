// The frame of every screen: where one can go, how things stand, who is signed in.

import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Notifications } from '../features/notifications/notifications.ts'
import { type Identity, isAdmin, useIdentity } from '../features/session/session.ts'
import { useLiveStream, useStale } from '../shared/api/live.ts'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import { Button } from '../shared/ui/basics.tsx'
import { Mark } from '../shared/ui/mark.tsx'
import { LiveMark, StaleBanner } from './connection.tsx'
import { DocumentTitle } from './document-title.ts'
import { Palette } from './palette.tsx'
import { OpenCount, Posture } from './posture.tsx'
import { type Place, places } from './screens.ts'
import { Shortcuts, useShortcuts } from './shortcuts.tsx'
import { UserMenu } from './user-menu.tsx'

export function Shell() {
  const { t } = useTranslator()
  const identity = useIdentity()
  const [shown, setShown] = useState<'palette' | 'shortcuts' | 'nav' | null>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever went somewhere is done with the list of places.
  useEffect(() => setShown(null), [path])
  const seen = places().filter(({ adminOnly = false }) => !adminOnly || isAdmin(identity))
  useLiveStream()
  const isStale = useStale()
  useShortcuts({ places: seen, onPalette: () => setShown('palette'), onHelp: () => setShown('shortcuts') })
  return (
    <div className={shown === 'nav' ? 'shell nav-open' : 'shell'}>
      <a className="skip" href={`${path}#main`} onClick={toMain}>
        {t('nav.skip')}
      </a>
      <Side
        places={seen}
        identity={identity}
        onPalette={() => setShown('palette')}
        onShortcuts={() => setShown('shortcuts')}
      />
      <div className="page">
        <header className={isStale ? 'top old' : 'top'}>
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
        <StaleBanner />
        <main id="main" tabIndex={-1} className={isStale ? 'old' : undefined}>
          <Outlet />
        </main>
      </div>
      {shown === 'nav' && (
        <button type="button" className="shade" aria-label={t('action.close')} onClick={() => setShown(null)} />
      )}
      {shown === 'palette' && <Palette places={seen} onClose={() => setShown(null)} />}
      {shown === 'shortcuts' && <Shortcuts places={seen} onClose={() => setShown(null)} />}
      <DocumentTitle />
      <Notifications />
    </div>
  )
}

interface SideProps {
  places: readonly Place[]
  identity: Identity
  onPalette: () => void
  onShortcuts: () => void
}

/** Where one can go, and below it who is signed in. */
function Side({ places, identity, onPalette, onShortcuts }: SideProps) {
  const { t } = useTranslator()
  return (
    <aside className="side">
      <Link to="/" className="brand">
        <Mark />
        Floodgauge
      </Link>
      <button type="button" className="search-button" onClick={onPalette}>
        <Search size={14} aria-hidden />
        {t('palette.open')}
        <kbd aria-hidden>/</kbd>
      </button>
      <nav aria-label={t('nav.label')}>
        {places.map(({ to, key, icon: Icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/' }} search={{}}>
            <Icon size={16} aria-hidden />
            {t(key)}
            {to === '/events' && <OpenCount />}
          </Link>
        ))}
      </nav>
      <div className="side-foot">
        <UserMenu identity={identity} onShortcuts={onShortcuts} />
      </div>
    </aside>
  )
}

/** The link leads within the page; the page's base address would make another page of it. */
function toMain(event: { preventDefault: () => void }): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
