// Whether an attack goes on, as a mark with a word.
import { CircleCheck, Flame } from 'lucide-react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Pill } from '../../shared/ui/basics.tsx'
import type { EventOverview } from './queries.ts'

export function StateOfEvent({ event }: { event: Pick<EventOverview, 'state'> }) {
  const { t } = useTranslator()
  return event.state === 'open' ? (
    <Pill tone="bad" icon={<Flame size={12} aria-hidden />}>
      {t('event.open')}
    </Pill>
  ) : (
    <Pill icon={<CircleCheck size={12} aria-hidden />}>{t('event.ended')}</Pill>
  )
}
