// Settings: the own account, where one is signed in, tokens, groups, users, the audit log, about.
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { isAdmin, useIdentity } from '../session/session.ts'
import { About } from './about.tsx'
import { Account } from './account.tsx'
import { AuditLog } from './audit-log.tsx'
import { Groups } from './groups.tsx'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'
import { Users } from './users.tsx'

const sections = ['account', 'sessions', 'tokens', 'groups', 'users', 'audit', 'about'] as const
const forAdmin: readonly string[] = ['users', 'audit']
type Section = (typeof sections)[number]

export function SettingsPage() {
  const { t } = useTranslator()
  const identity = useIdentity()
  const search = useSearch({ from: '/shell/settings' })
  const seen = sections.filter((each) => isAdmin(identity) || !forAdmin.includes(each))
  const section = seen.find((each) => each === search.section) ?? 'account'
  const tabs = useRef<HTMLElement>(null)
  /** In the hand not all tabs are in sight. */
  useEffect(() => {
    tabs.current?.querySelector(`[data-section=${section}]`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [section])
  const shown: Record<Section, ReactNode> = {
    account: <Account identity={identity} />,
    sessions: <Sessions />,
    tokens: <Tokens identity={identity} />,
    groups: <Groups />,
    users: <Users identity={identity} />,
    audit: <AuditLog />,
    about: <About identity={identity} />,
  }
  return (
    <>
      <div className="page-head">
        <h1>{t('nav.settings')}</h1>
      </div>
      <nav ref={tabs} className="tabs" aria-label={t('nav.settings')}>
        {seen.map((each) => (
          <Link
            key={each}
            to="/settings"
            search={{ section: each }}
            data-section={each}
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
