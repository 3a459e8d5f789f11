// Whether an attack goes on, what people said that it was, and who has taken note of it, as a mark with a word.
import { CircleCheck, Flame, FlaskConical, ThumbsDown, UserCheck, Users } from 'lucide-react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Pill } from '../../shared/ui/basics.tsx'
import type { EventOverview } from './queries.ts'
import { isDismissed } from './standing.ts'
import './state-of-event.css'

const classIcons = { attack: UserCheck, flash_crowd: Users, false_positive: ThumbsDown, test: FlaskConical }

type Said = Pick<EventOverview, 'state' | 'phase' | 'classification' | 'acknowledged' | 'isTest'>

/** `isBare`: who has it stands elsewhere on the page. */
export function StateOfEvent({ event, isBare = false }: { event: Said; isBare?: boolean }) {
  const { t } = useTranslator()
  const { state, acknowledged, isTest } = event
  const by = isBare ? undefined : acknowledged?.by
  return (
    <span className="state-of-event">
      <Mark event={event} />
      {!isTest && state === 'open' && isDismissed(event) ? (
        <small>{t('event.stillOpen')}</small>
      ) : (
        by !== undefined && (
          <small className="person" title={t('event.ownedBy', { who: by })}>
            <span aria-hidden="true">{by.split('@', 1)[0]}</span>
            <span className="sr-only">{t('event.ownedBy', { who: by })}</span>
          </small>
        )
      )}
    </span>
  )
}

/** What an attack that goes on is called, where it is not just ongoing. */
function openWord(phase: EventOverview['phase']) {
  if (phase === 'quiet') return 'event.quiet'
  return phase === 'returned' ? 'event.returned' : 'event.open'
}

function Mark({ event }: { event: Said }) {
  const { t } = useTranslator()
  const { state, phase, classification, acknowledged, isTest } = event
  if (isTest) {
    return (
      <Pill tone="accent" icon={<FlaskConical size={12} aria-hidden />} title={t('simulation.isTest')}>
        {t(state === 'open' ? 'simulation.testOpen' : 'note.test')}
      </Pill>
    )
  }
  if (classification !== null && (state === 'ended' || isDismissed(event))) {
    const Icon = classIcons[classification]
    return <Pill icon={<Icon size={12} aria-hidden />}>{t(`note.${classification}`)}</Pill>
  }
  const Icon = acknowledged !== null ? UserCheck : state === 'open' ? Flame : CircleCheck
  return (
    <Pill tone={state === 'open' ? 'bad' : 'plain'} icon={<Icon size={12} aria-hidden />}>
      {t(state === 'open' ? openWord(phase) : 'event.ended')}
    </Pill>
  )
}
