// The attacks that go on, worst first: where, what, how much now, since when, and who has it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { Ago, useRates } from '../../shared/format/moments.tsx'
import { formatClock, formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { SeverityMark } from '../events/severity.tsx'
import { StateOfEvent } from '../events/state-of-event.tsx'
import { TimesNormal } from '../events/times-normal.tsx'
import { eventKind, eventVictim } from '../events/titles.ts'
import { useMayChange } from '../session/session.ts'
import type { Overview } from './queries.ts'
import { type OpenEvent, openTitle } from './sentences.ts'
import './open-attacks.css'

/** As many as leave room for the rest on a small screen. */
const rowsMax = 8

export function OpenAttacks({ overview: { open, events } }: { overview: Overview }) {
  const { t } = useTranslator()
  const title = openTitle(events, t)
  if (title === null) return null
  return (
    <Card
      title={title}
      flush
      className={events.open > events.openDismissed ? 'open-attacks bad' : 'open-attacks'}
      actions={
        <Link to="/events" search={{ tab: 'active' }}>
          {t('overview.allOpen', { count: events.open })}
        </Link>
      }
    >
      <Scroll label={title}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('events.attack')}</th>
              <th scope="col">{t('events.site')}</th>
              <th scope="col" className="num">
                {t('overview.now')}
              </th>
              <th scope="col" className="num">
                {t('events.deviation')}
              </th>
              <th scope="col">{t('overview.since')}</th>
              <th scope="col">{t('overview.owner')}</th>
            </tr>
          </thead>
          <tbody>
            {open.slice(0, rowsMax).map((event) => (
              <Row key={event.id} event={event} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  )
}

function Row({ event }: { event: OpenEvent }) {
  const translator = useTranslator()
  const { main, other } = useRates()
  const { t } = translator
  const { id, phase, site, severity, start, current, average, acknowledged } = event
  const victim = eventVictim(event, translator)
  const rates = current ?? average
  const mayChange = useMayChange()
  const isOfNobody = acknowledged === null && event.classification === null
  return (
    <tr>
      <td className="what">
        <span className="nowrap">
          <SeverityMark severity={severity} />
          <Link to="/events/$id" params={{ id }} className="row-link">
            {eventKind(event, translator)}
          </Link>
        </span>
      </td>
      <td className="where">
        <span className="two">
          <b>{site}</b>
          {victim !== site && <small>{victim}</small>}
        </span>
      </td>
      <td className="num rate">
        {phase === 'quiet' ? (
          <span className="quiet nowrap">{t('event.quiet')}</span>
        ) : (
          <RateTime current={current}>
            <b className="nowrap">{main(rates)}</b>
            <small className="nowrap">{other(rates)}</small>
          </RateTime>
        )}
      </td>
      <td className="num times">
        <TimesNormal event={{ ...event, average: rates }} />
      </td>
      <td className="nowrap since">
        <Ago at={start} />
      </td>
      <td className="owner">{isOfNobody && mayChange ? <Acknowledge id={id} /> : <StateOfEvent event={event} />}</td>
    </tr>
  )
}

/** What time the rate is of, for those who ask. */
function RateTime({ current, children }: { current: OpenEvent['current']; children: React.ReactNode }) {
  const translator = useTranslator()
  const { t, language } = translator
  const [{ zone }] = usePreferences()
  const title =
    current === null
      ? t('overview.rateUnknown')
      : t('overview.rateAt', {
          seconds: formatDuration(current.seconds, translator),
          time: formatClock(Date.parse(current.at), language, zone),
        })
  return (
    <span className="two" title={title}>
      {children}
    </span>
  )
}

function Acknowledge({ id }: { id: string }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const note = useMutation({
    mutationFn: () => api.call('noteEvent', { params: { id }, body: { acknowledged: true } }),
    onSuccess: () =>
      Promise.all(['overview', 'events', 'event'].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  })
  return (
    <Button disabled={note.isPending} onClick={() => note.mutate()} title={note.error?.message}>
      <Check size={14} aria-hidden />
      {t('note.acknowledge')}
    </Button>
  )
}
