// The attack in plain language, and its numbers.
import type { ReactNode } from 'react'
import {
  type CardNumberName,
  cardNumberNames,
  type EventNumberRow,
  type EventNumberUnit,
  eventNumbers,
} from '../../../../src/contract/events/numbers.ts'
import { useNow, useRates } from '../../../shared/format/moments.tsx'
import { formatAmount, formatCount, formatTimes } from '../../../shared/format/rates.ts'
import { formatDuration } from '../../../shared/format/times.ts'
import { Text, useTranslator } from '../../../shared/i18n/i18n.tsx'
import type { Translator } from '../../../shared/i18n/messages.ts'
import { usePreferences } from '../../../shared/ui/preferences.tsx'
import { Exact, ExactValue } from '../exact.tsx'
import { timesNormalAtPeak } from '../normal.ts'
import type { EventReport, EventSeries } from '../queries.ts'
import { backToBefore, rateNow } from './course.ts'
import { type Filling, pauseIn, storyOf } from './story-text.ts'

/** The numbers of an event leave out pauses of this length and more. Seconds. */
const pauseSecondsMin = 10

interface StoryProps {
  event: EventReport
  /** Undefined: it is on its way. */
  series: EventSeries | undefined
}

export function Story({ event, series }: StoryProps) {
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

export function KeyNumbers({ event, series }: StoryProps) {
  const translator = useTranslator()
  const { t, language } = translator
  const nowMs = useNow()
  const { bits, packets } = useRates()
  const seconds = ((event.end === null ? nowMs : Date.parse(event.end)) - Date.parse(event.start)) / 1000
  const untilPeak = (Date.parse(event.peak.at) - Date.parse(event.start)) / 1000
  const { count, standardError } = event.statistics.distinctSources
  const normal = event.normalPacketsPerSecond
  const times = timesNormalAtPeak(event)
  // The last rate of an attack that is quiet is of before.
  const isFlowing = event.state === 'open' && event.phase !== 'quiet'
  const now = isFlowing && series !== undefined ? rateNow(series) : null
  return (
    <dl className="numbers">
      {now !== null && (
        <OneNumber name={t('event.now')} value={bits(now.bytesPerSecond)} note={packets(now.packetsPerSecond)} />
      )}
      <OneNumber
        name={t('event.peak')}
        value={<Exact event={event} path="peak.bytesPerSecond" as={bits} />}
        note={
          <>
            <Exact event={event} path="peak.packetsPerSecond" as={packets} />
            {` · ${t('event.afterStart', { duration: formatDuration(untilPeak, translator) })}`}
          </>
        }
      />
      <OneNumber
        name={t('event.deviation')}
        value={times === null ? '–' : formatTimes(times, language)}
        note={normal === null ? t('event.normalUnknown') : t('event.deviationNote', { normal: packets(normal) })}
      />
      <OneNumber
        name={t('event.average')}
        value={<Exact event={event} path="average.bytesPerSecond" as={bits} />}
        note={<Exact event={event} path="average.packetsPerSecond" as={packets} />}
      />
      <OneNumber
        name={t('event.duration')}
        value={formatDuration(seconds, translator)}
        note={durationNote(event, seconds, translator)}
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
        value={<Exact event={event} path="total.bytes" as={(bytes) => formatAmount(bytes, language, 'B')} />}
        note={
          <Exact
            event={event}
            path="total.packets"
            as={(count) => t('event.totalPackets', { amount: formatAmount(count, language) })}
          />
        }
      />
      {cardNumberNames.map((name) => (
        <NumberOfRow key={name} name={name} value={event[name]} />
      ))}
    </dl>
  )
}

/** An average over all of the duration would not be the one that is shown, where there were pauses. */
function durationNote({ state, activeSeconds }: EventReport, seconds: number, translator: Translator): string {
  if (state === 'open') return translator.t('event.soFar')
  if (seconds - activeSeconds < pauseSecondsMin) return translator.t('event.inAll')
  return translator.t('event.activeFor', { duration: formatDuration(activeSeconds, translator) })
}

/** A number that is a row of the contract; nothing where it is not known. */
function NumberOfRow({ name, value }: { name: CardNumberName; value: number | null }) {
  const { t, language } = useTranslator()
  const { bits, packets } = useRates()
  const { unit }: EventNumberRow = eventNumbers[name]
  const texts: Record<EventNumberUnit, (value: number) => string> = {
    times: (times) => formatTimes(times, language),
    'packets/s': packets,
    'bytes/s': bits,
  }
  if (value === null) return null
  return (
    <OneNumber
      name={t(`event.number.${name}`)}
      value={<ExactValue path={name} value={value} as={texts[unit]} />}
      note={t(`event.numberNote.${name}`)}
    />
  )
}

function OneNumber({ name, value, note }: { name: string; value: ReactNode; note: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{value}</dd>
      <dd className="quiet tabular">{note}</dd>
    </div>
  )
}
