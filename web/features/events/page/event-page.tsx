// One attack, explained: what happened, how large it was against normal, why it was noticed, what it consisted of, what to do next.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronLeft, Download, Printer } from 'lucide-react'
import { useApi } from '../../../shared/api/api.ts'
import { Moment } from '../../../shared/format/moments.tsx'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Afterwards } from '../../../shared/ui/afterwards.tsx'
import { Button, Card, Notice } from '../../../shared/ui/basics.tsx'
import { CopyButton, Menu } from '../../../shared/ui/overlays.tsx'
import { Failure, Skeleton, SkeletonLines } from '../../../shared/ui/states.tsx'
import { SilenceButton, SilencedMark } from '../../alerts/silences/silence-button.tsx'
import { useMayChange } from '../../session/session.ts'
import { AlsoAffected } from '../evidence/also-affected.tsx'
import { Breakdowns } from '../evidence/breakdowns.tsx'
import { CameIn } from '../evidence/came-in.tsx'
import { DnsEvidence } from '../evidence/dns-evidence.tsx'
import { Samples } from '../evidence/samples.tsx'
import { TotalsOnly } from '../evidence/totals-only.tsx'
import { Vectors } from '../evidence/vector-shares.tsx'
import { Victims } from '../evidence/victims.tsx'
import { RelatedEvents } from '../list/related-events.tsx'
import { type EventReport, eventQuery, seriesQuery } from '../queries.ts'
import { SeverityMark } from '../severity.tsx'
import { StateOfEvent } from '../state-of-event.tsx'
import { eventTitle } from '../titles.ts'
import { EventChart } from './event-chart.tsx'
import { AcknowledgeButton, EventNote } from './event-note.tsx'
import { NextSteps } from './next-steps.tsx'
import { PrintedAt, PrintedNote } from './printed.tsx'
import { KeyNumbers, Story } from './story.tsx'
import { Timeline } from './timeline.tsx'
import { WhoWasTold } from './who-was-told.tsx'
import { WhyTable } from './why-table.tsx'

export function EventPage() {
  const { t } = useTranslator()
  const { id } = useParams({ from: '/shell/events/$id' })
  const { data: event, error, refetch } = useQuery(eventQuery(useApi(), id))
  if (event !== undefined) return <Report event={event} />
  return (
    <>
      <div className="page-head">
        <div>
          <Crumb />
          <h1>{t('palette.event')}</h1>
        </div>
      </div>
      {error === null ? <Loading /> : <Failure error={error} retry={refetch} />}
    </>
  )
}

function Crumb() {
  const { t } = useTranslator()
  return (
    <p className="crumb">
      <Link to="/events">
        <ChevronLeft size={14} aria-hidden />
        {t('nav.events')}
      </Link>
    </p>
  )
}

function Report({ event }: { event: EventReport }) {
  const translator = useTranslator()
  const { t } = translator
  const { data: series } = useQuery(seriesQuery(useApi(), event.id, event.state === 'open'))
  return (
    <>
      <div className="page-head">
        <div>
          <Crumb />
          <h1 className="event-title">
            {eventTitle(event, translator)}
            <StateOfEvent event={event} isBare />
            <SeverityMark severity={event.severity} withWord />
            {!event.isTest && event.state === 'open' && <SilencedMark site={event.site} />}
          </h1>
        </div>
        <Actions event={event} />
      </div>
      {event.isTest && <Notice tone="accent">{t('simulation.isTest')}</Notice>}
      <Card className="story">
        <Story event={event} series={series} />
        <AlsoAffected event={event} />
        <KeyNumbers event={event} series={series} />
      </Card>
      <EventChart event={event} />
      <div className="columns">
        <div className="stack">
          <WhyTable event={event} series={series} />
          <Vectors event={event} />
          <Victims event={event} />
          <DnsEvidence event={event} />
        </div>
        <div className="stack">
          {!event.isTest && <NextSteps event={event} />}
          <Timeline event={event} />
          <WhoWasTold event={event} />
          <EventNote key={event.id} event={event} />
          <PrintedNote event={event} />
        </div>
      </div>
      <Afterwards>
        {event.view === 'totals' ? <TotalsOnly event={event} /> : <Breakdowns event={event} />}
        <CameIn event={event} />
        <RelatedEvents event={event} />
        <Samples event={event} />
      </Afterwards>
      <p className="quiet footnote">
        {t('event.footnote')} <span className="mono">{event.id}</span> · {t('event.listed')}{' '}
        <Moment at={event.createdAt} />
      </p>
      <PrintedAt />
    </>
  )
}

function Actions({ event }: { event: EventReport }) {
  const { t } = useTranslator()
  const mayChange = useMayChange()
  const api = useApi()
  const file = (name: 'getEventReport' | 'getEventSeries' | 'getEventTable') =>
    api.address(name, { params: { id: event.id } })
  return (
    <div className="row no-print">
      {mayChange && <AcknowledgeButton event={event} />}
      {!event.isTest && <SilenceButton site={event.site} />}
      <CopyButton text={location.href} label={t('event.copyLink')} />
      <Menu
        button={(props) => (
          <Button {...props}>
            <Download size={14} aria-hidden />
            {t('event.export')}
          </Button>
        )}
      >
        <a href={file('getEventReport')} download={`event-${event.id}.json`}>
          {t('event.exportReport')}
        </a>
        <a href={file('getEventTable')} download={`event-${event.id}.csv`}>
          {t('event.exportTable')}
        </a>
        <a href={file('getEventSeries')} download={`event-${event.id}-series.json`}>
          {t('event.exportSeries')}
        </a>
        <button type="button" onClick={() => print()}>
          <Printer size={14} aria-hidden />
          {t('event.print')}
        </button>
      </Menu>
    </div>
  )
}

function Loading() {
  return (
    <>
      <Card className="story">
        <SkeletonLines lines={4} />
      </Card>
      <Card>
        <Skeleton height={320} />
      </Card>
    </>
  )
}
