// The absolute limits and the sensitivity that hold for an address: those of the longest configured prefix that has it, else those for all.
import { AppError } from '../errors.ts'
import { contains, type Prefix, parsePrefix } from '../net/prefix.ts'
import type { DetectSettings } from './settings.ts'

export interface Limits {
  /** Per second; infinite when there is no such limit. */
  packets: number
  bytes: number
  flows: number
  sensitivity: number
  /** `absolute`, or `prefix a.b.c.d/n`. */
  source: string
}

export type LimitsOf = (address: number) => Limits

/** Throws AppError BAD_CONFIG when a prefix is none. */
export function compileLimits(settings: DetectSettings): LimitsOf {
  const all = limitsFrom(settings, 'absolute')
  const byPrefix = settings.prefixes
    .map((own) => ({
      prefix: prefixOf(own.prefix),
      limits: limitsFrom({ ...settings, ...own }, `prefix ${own.prefix}`),
    }))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  return (address) => byPrefix.find(({ prefix }) => contains(prefix, address))?.limits ?? all
}

type Rates = Pick<DetectSettings, 'packetsPerSecond' | 'bytesPerSecond' | 'flowsPerSecond' | 'sensitivity'>

function limitsFrom(rates: Rates, source: string): Limits {
  return {
    packets: rates.packetsPerSecond || Number.POSITIVE_INFINITY,
    bytes: rates.bytesPerSecond || Number.POSITIVE_INFINITY,
    flows: rates.flowsPerSecond || Number.POSITIVE_INFINITY,
    sensitivity: rates.sensitivity,
    source,
  }
}

function prefixOf(text: string): Prefix {
  const prefix = parsePrefix(text)
  if (prefix === null) throw new AppError('BAD_CONFIG', `detect.prefixes: ${JSON.stringify(text)} is no IPv4 network`)
  return prefix
}
