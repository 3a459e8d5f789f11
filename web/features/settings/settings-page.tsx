// Settings: the own account, where one is signed in, about.
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { useIdentity } from '../session/session.ts'
import { About } from './about.tsx'
import { Account } from './account.tsx'
import { Sessions } from './sessions.tsx'

const sections = ['account', 'sessions', 'about'] as const
type Section = (typeof sections)[number]

export function SettingsPage() {
  const { t } = useTranslator()
  const identity = useIdentity()
  const search = useSearch({ from: '/shell/settings' })
  const section = sections.find((each) => each === search.section) ?? 'account'
  const shown: Record<Section, ReactNode> = {
    account: <Account identity={identity} />,
    sessions: <Sessions />,
    about: <About identity={identity} />,
  }
  return (
    <>
      <div className="page-head">
        <h1>{t('nav.settings')}</h1>
      </div>
      <nav className="tabs" aria-label={t('nav.settings')}>
        {sections.map((each) => (
          <Link
            key={each}
            to="/settings"
            search={{ section: each }}
            aria-current={each === section ? 'page' : undefined}
            activeProps={{ 'aria-current': undefined }}
          >
            {t(`settings.${each}`)}
          </Link>
        ))}
      </nav>
      {shown[section]}
    </>
  )
}
