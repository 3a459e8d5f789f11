// Amounts as people read them: bits and packets per second, counts, times normal. Three digits that count.
import { numberFormat } from './intl.ts'

const steps = [
  { from: 1e12, by: 1e12, sign: 'T' },
  { from: 1e9, by: 1e9, sign: 'G' },
  { from: 1e6, by: 1e6, sign: 'M' },
  { from: 1e3, by: 1e3, sign: 'k' },
] as const

/** No abbreviation of a unit is longer. */
const shortUnitMax = 3

/** 1234567 -> `1.23 M`; with a unit after it `1.23 Mbps`. Below a thousand as it is. */
export function formatAmount(value: number, language: string, unit = ''): string {
  // From 999.5 on, three digits would read 1000.
  const step = steps.find(({ from }) => Math.abs(value) >= from * 0.9995)
  const scaled = value / (step?.by ?? 1)
  const digits = Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2
  const text = numberFormat(language, { maximumFractionDigits: digits }).format(scaled)
  const sign = withPrefix(step?.sign ?? '', unit)
  return sign === '' ? text : `${text}\u00a0${sign}`
}

/** `kpps`, `Mbps`; a prefix stands by itself before a word: `k flows/s`. */
function withPrefix(sign: string, unit: string): string {
  return sign !== '' && unit.length > shortUnitMax ? `${sign} ${unit}` : `${sign}${unit}`
}

/** One unit for an axis up to `max`: what values are divided by, and what stands above it. */
export function axisUnit(max: number, unit: string): { by: number; unit: string } {
  const step = steps.find(({ from }) => max >= from)
  return { by: step?.by ?? 1, unit: withPrefix(step?.sign ?? '', unit) }
}

/** A value of an axis, in its unit. */
export const formatTick = (value: number, language: string) =>
  numberFormat(language, { maximumSignificantDigits: 6 }).format(value)

export const formatBits = (bytesPerSecond: number, language: string) =>
  formatAmount(bytesPerSecond * 8, language, 'bps')

export const formatCount = (value: number, language: string) =>
  Math.abs(value) < 10_000
    ? numberFormat(language, { maximumFractionDigits: 0 }).format(value)
    : formatAmount(value, language)

/** Bytes as storage is measured: 1536 -> `1.5 KiB`. */
export function formatBytes(bytes: number, language: string): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const scaled = bytes / 1024 ** power
  return `${numberFormat(language, { maximumFractionDigits: scaled < 10 ? 1 : 0 }).format(scaled)}\u00a0${units[power]}`
}

/** 0.973 -> `97%`; what is more than nothing is never 0 and what is less than all never 100. */
export function formatShare(share: number, language: string): string {
  const digits = share > 0.995 || share < 0.1 ? 1 : 0
  const bounded = share > 0 && share < 0.001 ? 0.001 : share < 1 ? Math.min(share, 0.999) : share
  return numberFormat(language, { style: 'percent', maximumFractionDigits: digits }).format(bounded)
}

/** More times normal than this says no more: there was next to nothing before. */
const timesMost = 1_000

/** How many times normal: 38.24 -> `×38`, 3.24 -> `×3.2`, 84282 -> `>×1,000`. */
export function formatTimes(ratio: number, language: string): string {
  return ratio > timesMost ? `>×${formatFactor(timesMost, language)}` : `×${formatFactor(ratio, language)}`
}

/** The same within a sentence: `38`, `3.2`, `>1,000`. */
export function formatFactor(ratio: number, language: string): string {
  if (ratio > timesMost) return `>${formatFactor(timesMost, language)}`
  return numberFormat(language, { maximumFractionDigits: ratio < 10 ? 1 : 0 }).format(ratio)
}
