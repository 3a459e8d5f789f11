// Whether an attack goes on, or what people said that it was, as a mark with a word.
import { CircleCheck, Flame, FlaskConical, ThumbsDown, UserCheck, Users } from 'lucide-react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Pill } from '../../shared/ui/basics.tsx'
import type { EventOverview } from './queries.ts'

const classIcons = { attack: UserCheck, flash_crowd: Users, false_positive: ThumbsDown, test: FlaskConical }

export function StateOfEvent({
  event,
}: {
  event: Pick<EventOverview, 'state' | 'classification' | 'acknowledged' | 'isTest'>
}) {
  const { t } = useTranslator()
  const { state, classification, acknowledged, isTest } = event
  if (isTest) {
    return (
      <Pill tone="accent" icon={<FlaskConical size={12} aria-hidden />} title={t('simulation.isTest')}>
        {t(state === 'open' ? 'simulation.testOpen' : 'note.test')}
      </Pill>
    )
  }
  if (state === 'open') {
    return (
      <Pill tone="bad" icon={<Flame size={12} aria-hidden />} title={acknowledged?.by}>
        {t('event.open')}
      </Pill>
    )
  }
  if (classification !== null) {
    const Icon = classIcons[classification]
    return <Pill icon={<Icon size={12} aria-hidden />}>{t(`note.${classification}`)}</Pill>
  }
  return (
    <Pill
      icon={acknowledged === null ? <CircleCheck size={12} aria-hidden /> : <UserCheck size={12} aria-hidden />}
      title={acknowledged?.by}
    >
      {t('event.ended')}
    </Pill>
  )
}
