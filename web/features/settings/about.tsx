// What this is, and where to read on.
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import type { Identity } from '../session/session.ts'

export function About({ identity: { policy } }: { identity: Identity }) {
  const { t } = useTranslator()
  return (
    <Card title={t('settings.about')}>
      <div className="stack">
        <p>{t('about.text')}</p>
        <dl className="facts">
          <dt>{t('about.interface')}</dt>
          <dd>
            <a href="docs">{t('about.docs')}</a> · <a href="openapi.json">openapi.json</a>
          </dd>
          <dt>{t('about.requests')}</dt>
          <dd>{policy.requestsPerMinute === 0 ? t('about.unlimited') : policy.requestsPerMinute}</dd>
        </dl>
      </div>
    </Card>
  )
}
