// The attack in plain language, and its numbers.
import type { ReactNode } from 'react'
import { useNow, useRates } from '../../shared/format/moments.tsx'
import { formatAmount, formatCount, formatFactor, formatShare, formatTimes } from '../../shared/format/rates.ts'
import { serviceOf } from '../../shared/format/services.ts'
import { formatDateTime, formatDuration, zoneName } from '../../shared/format/times.ts'
import { Text, useTranslator } from '../../shared/i18n/i18n.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { timesNormalAtPeak } from './normal.ts'
import type { EventReport } from './queries.ts'
import { attackName } from './vectors.ts'

/** Below this an attack is hardly above normal, and "times" says little. */
const timesMin = 1.5
/** What has at least so large a part stands for the whole. */
const dominantShare = 0.6

export function Story({ event }: { event: EventReport }) {
  return (
    <p className="story-text">
      <WhatHappened event={event} /> <HowLarge event={event} /> <WhatItWas event={event} /> <FromWhere event={event} />{' '}
      <HowItStands event={event} />
    </p>
  )
}

function WhatHappened({ event }: { event: EventReport }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const startMs = Date.parse(event.start)
  const values = {
    start: (
      <time dateTime={event.start}>
        {formatDateTime(startMs, language, zone)} {zoneName(startMs, language, zone)}
      </time>
    ),
    victim: <b className="mono">{event.address}</b>,
    domain: <b>{event.domain}</b>,
    site: <b>{event.site}</b>,
    count: event.victims.length,
  }
  const isNamed = event.domain !== '' && event.domain !== event.address
  const key =
    event.victims.length > 1
      ? 'story.network'
      : isNamed
        ? 'story.named'
        : event.site === event.address
          ? 'story.plain'
          : 'story.ofSite'
  return event.victims.length > 1 ? (
    <Text k={key} values={{ ...values, count: t('story.addresses', { count: event.victims.length }) }} />
  ) : (
    <Text k={key} values={values} />
  )
}

function HowLarge({ event }: { event: EventReport }) {
  const { language } = useTranslator()
  const rates = useRates()
  const times = timesNormalAtPeak(event)
  const values: Record<string, ReactNode> = {
    times: <b>{formatFactor(times ?? 1, language)}</b>,
    ofKind: <b>{formatFactor(event.deviation, language)}</b>,
    main: <b className="nowrap">{rates.main(event.peak)}</b>,
    other: <span className="nowrap">{rates.other(event.peak)}</span>,
  }
  if (times === null) return <Text k="story.peakOnly" values={values} />
  if (times >= timesMin) return <Text k="story.large" values={values} />
  return <Text k={event.deviation >= timesMin ? 'story.largeOfKind' : 'story.peak'} values={values} />
}

function WhatItWas({ event }: { event: EventReport }) {
  const translator = useTranslator()
  const { t, language } = translator
  const [vector] = event.vectors
  const port = dominant(event.statistics.sourcePorts.entries)
  const from = port === null ? '' : t('story.fromPort', { port: portText(port.item) })
  if (vector === undefined) return event.attackType === null ? <Text k="story.unknownKind" values={{}} /> : null
  const values = {
    share: formatShare(vector.share, language),
    attack: <b>{attackName(vector.attackType, translator)}</b>,
    from,
  }
  return <Text k={event.attackType === null ? 'story.mostlyUnknown' : 'story.consists'} values={values} />
}

function FromWhere({ event }: { event: EventReport }) {
  const { t, language } = useTranslator()
  const { count, standardError } = event.statistics.distinctSources
  if (count === 0) return null
  const sources = t(standardError > 0 ? 'story.sourcesAbout' : 'story.sources', {
    count,
    amount: formatCount(count, language),
  })
  const target = dominant(event.statistics.destinationPorts.entries)
  return target === null ? (
    <Text k="story.cameFrom" values={{ sources: <b>{sources}</b> }} />
  ) : (
    <Text k="story.cameFromTo" values={{ sources: <b>{sources}</b>, port: portText(target.item) }} />
  )
}

function HowItStands({ event }: { event: EventReport }) {
  const translator = useTranslator()
  const { language } = translator
  const now = useNow()
  const [{ zone }] = usePreferences()
  const seconds = ((event.end === null ? now : Date.parse(event.end)) - Date.parse(event.start)) / 1000
  const duration = <b className="nowrap">{formatDuration(seconds, translator)}</b>
  if (event.end === null) return <Text k="story.goesOn" values={{ duration }} />
  return (
    <Text
      k="story.over"
      values={{
        duration,
        end: <time dateTime={event.end}>{formatDateTime(Date.parse(event.end), language, zone)}</time>,
      }}
    />
  )
}

/** The port that most packets have; null when none has so many, or they have no ports. */
function dominant(entries: EventReport['statistics']['sourcePorts']['entries']) {
  const all = entries.reduce((sum, { packets }) => sum + packets, 0)
  const [first] = entries.toSorted((a, b) => b.packets - a.packets)
  const hasPorts = first?.protocols.some((protocol) => protocol === 'TCP' || protocol === 'UDP') === true
  return hasPorts && first.packets >= all * dominantShare ? first : null
}

function portText(port: number): string {
  const service = serviceOf(port)
  return service === null ? String(port) : `${port} (${service})`
}

export function KeyNumbers({ event }: { event: EventReport }) {
  const translator = useTranslator()
  const { t, language } = translator
  const now = useNow()
  const { bits, packets } = useRates()
  const seconds = ((event.end === null ? now : Date.parse(event.end)) - Date.parse(event.start)) / 1000
  const untilPeak = (Date.parse(event.peak.at) - Date.parse(event.start)) / 1000
  const { count, standardError } = event.statistics.distinctSources
  const times = timesNormalAtPeak(event)
  return (
    <dl className="numbers">
      <OneNumber
        name={t('event.deviation')}
        value={times === null ? '–' : formatTimes(times, language)}
        note={t(times === null ? 'event.normalUnknown' : 'event.deviationNote')}
      />
      <OneNumber
        name={t('event.peak')}
        value={bits(event.peak.bytesPerSecond)}
        note={`${packets(event.peak.packetsPerSecond)} · ${t('event.afterStart', { duration: formatDuration(untilPeak, translator) })}`}
      />
      <OneNumber
        name={t('event.average')}
        value={bits(event.average.bytesPerSecond)}
        note={packets(event.average.packetsPerSecond)}
      />
      <OneNumber
        name={t('event.duration')}
        value={formatDuration(seconds, translator)}
        note={t(event.state === 'open' ? 'event.soFar' : 'event.inAll')}
      />
      {event.view === 'all' && (
        <OneNumber
          name={t('event.sources')}
          value={`${standardError > 0 ? '≈\u202f' : ''}${formatCount(count, language)}`}
          note={t(standardError > 0 ? 'event.estimated' : 'event.counted')}
        />
      )}
      <OneNumber
        name={t('event.total')}
        value={formatAmount(event.total.bytes, language, 'B')}
        note={t('event.totalPackets', { amount: formatAmount(event.total.packets, language) })}
      />
    </dl>
  )
}

function OneNumber({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{value}</dd>
      <dd className="quiet tabular">{note}</dd>
    </div>
  )
}
