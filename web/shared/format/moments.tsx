// Times and rates as elements, in the reader's language, zone and unit.
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslator } from '../i18n/i18n.tsx'
import { usePreferences } from '../ui/preferences.tsx'
import { formatAmount, formatBits } from './rates.ts'
import { formatAgo, formatDateTime, formatMoment, zoneName } from './times.ts'

const NowContext = createContext(0)
const tickMs = 1_000

/** One clock for all that says how long ago something was. */
export function NowProvider({ children }: { children: ReactNode }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return <NowContext value={now}>{children}</NowContext>
}

export const useNow = () => useContext(NowContext)

/** A moment on the clock; how long ago it was is its title. */
export function Moment({ at }: { at: string }) {
  const { language } = useTranslator()
  const [{ zone }] = usePreferences()
  const now = useNow()
  const ms = Date.parse(at)
  return (
    <time dateTime={at} title={formatAgo(ms, now, language)} className="tabular">
      {formatMoment(ms, now, language, zone)}
    </time>
  )
}

/** How long ago a moment was; the full date is its title. */
export function Ago({ at }: { at: string }) {
  const { language } = useTranslator()
  const [{ zone }] = usePreferences()
  const ms = Date.parse(at)
  return (
    <time
      dateTime={at}
      title={`${formatDateTime(ms, language, zone)} ${zoneName(ms, language, zone)}`}
      className="tabular"
    >
      {formatAgo(ms, useNow(), language)}
    </time>
  )
}

export function useRates() {
  const { language, t } = useTranslator()
  const [{ unit }] = usePreferences()
  const packets = (packetsPerSecond: number) => formatAmount(packetsPerSecond, language, t('unit.packetsPerSecond'))
  const bits = (bytesPerSecond: number) => formatBits(bytesPerSecond, language)
  return {
    bits,
    packets,
    /** In the reader's unit. */
    main: (rates: { bytesPerSecond: number; packetsPerSecond: number }) =>
      unit === 'bits' ? bits(rates.bytesPerSecond) : packets(rates.packetsPerSecond),
    other: (rates: { bytesPerSecond: number; packetsPerSecond: number }) =>
      unit === 'bits' ? packets(rates.packetsPerSecond) : bits(rates.bytesPerSecond),
  }
}
