// Why an event has no sources: its address is not the reader's, and what can be done.
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Card } from '../../../shared/ui/basics.tsx'
import { Empty } from '../../../shared/ui/states.tsx'
import type { EventReport } from '../queries.ts'

export function TotalsOnly({ event: { address, site } }: { event: EventReport }) {
  const { t } = useTranslator()
  return (
    <Card flush>
      <Empty icon={<Lock size={28} aria-hidden />} title={t('totals.title')}>
        <p>{t('totals.text', { address, site })}</p>
        <p>{t('totals.more', { address })}</p>
        <Link to="/sites/$host" params={{ host: site }}>
          {site}
        </Link>
      </Empty>
    </Card>
  )
}
