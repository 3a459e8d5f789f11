// The attack in plain language, and its numbers.
import type { ReactNode } from 'react'
import { useNow, useRates } from '../../shared/format/moments.tsx'
import { formatAmount, formatCount, formatTimes } from '../../shared/format/rates.ts'
import { formatDuration } from '../../shared/format/times.ts'
import { Text, useTranslator } from '../../shared/i18n/i18n.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { backToBefore, rateNow } from './course.ts'
import { timesNormalAtPeak } from './normal.ts'
import type { EventReport, EventSeries } from './queries.ts'
import { type Filling, pauseIn, storyOf } from './story-text.ts'

interface Told {
  event: EventReport
  /** Undefined: it is on its way. */
  series: EventSeries | undefined
}

export function Story({ event, series }: Told) {
  const translator = useTranslator()
  const [{ zone }] = usePreferences()
  const rates = useRates()
  const nowMs = useNow()
  const backSinceMs = series === undefined || event.state !== 'open' ? null : backToBefore(series, event)
  const sentences = storyOf(event, { translator, zone, nowMs, rates, backSinceMs })
  return (
    <p className="story-text">
      {sentences.map(({ key, values }) => (
        <span key={key}>
          <Text
            k={key}
            values={Object.fromEntries(Object.entries(values).map(([name, filling]) => [name, elementOf(filling)]))}
          />
          {pauseIn(translator.language)}
        </span>
      ))}
    </p>
  )
}

function elementOf({ text, look, dateTime }: Filling): ReactNode {
  if (look === 'strong') return <b>{text}</b>
  if (look === 'address') return <span className="mono">{text}</span>
  if (look === 'unbroken') return <span className="nowrap">{text}</span>
  return look === 'time' ? <time dateTime={dateTime}>{text}</time> : text
}

export function KeyNumbers({ event, series }: Told) {
  const translator = useTranslator()
  const { t, language } = translator
  const nowMs = useNow()
  const { bits, packets } = useRates()
  const seconds = ((event.end === null ? nowMs : Date.parse(event.end)) - Date.parse(event.start)) / 1000
  const untilPeak = (Date.parse(event.peak.at) - Date.parse(event.start)) / 1000
  const { count, standardError } = event.statistics.distinctSources
  const normal = event.normalPacketsPerSecond
  const times = timesNormalAtPeak(event)
  const now = event.state === 'open' && series !== undefined ? rateNow(series) : null
  return (
    <dl className="numbers">
      {now !== null && (
        <OneNumber name={t('event.now')} value={bits(now.bytesPerSecond)} note={packets(now.packetsPerSecond)} />
      )}
      <OneNumber
        name={t('event.peak')}
        value={bits(event.peak.bytesPerSecond)}
        note={`${packets(event.peak.packetsPerSecond)} · ${t('event.afterStart', { duration: formatDuration(untilPeak, translator) })}`}
      />
      <OneNumber
        name={t('event.deviation')}
        value={times === null ? '–' : formatTimes(times, language)}
        note={normal === null ? t('event.normalUnknown') : t('event.deviationNote', { normal: packets(normal) })}
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
