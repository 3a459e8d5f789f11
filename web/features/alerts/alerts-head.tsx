// The head of the screens of alerts, with the tabs between them.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'

const sections = {
  channels: '/alerts',
  rules: '/alerts/rules',
  silences: '/alerts/silences',
  deliveries: '/alerts/deliveries',
} as const
type Section = keyof typeof sections

const names: readonly Section[] = ['channels', 'rules', 'silences', 'deliveries']

/** `children`: what can be done here. */
export function AlertsHead({ children }: { children?: ReactNode }) {
  const { t } = useTranslator()
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t('nav.alerts')}</h1>
          <p>{t('alerts.lead')}</p>
        </div>
        {children}
      </div>
      <nav className="tabs" aria-label={t('nav.alerts')}>
        {names.map((each) => (
          <Link key={each} to={sections[each]} search={{}} activeOptions={{ exact: true, includeSearch: false }}>
            {t(`alerts.tab.${each}`)}
          </Link>
        ))}
      </nav>
    </>
  )
}
