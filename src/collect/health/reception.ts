// Sums up what belongs to no exporter: datagrams that the kernel dropped, that are no export, or whose senders are refused.
import type { DecoderCounters } from '../../decode/counters.ts'

/** The reasons why a datagram is no export, in words. */
export const notExportReasons = {
  unknownVersion: 'no protocol that is known',
  tooShort: 'too short for its header',
  netflow1: 'NetFlow v1',
  netflow6: 'NetFlow v6',
  netflow7: 'NetFlow v7',
  netflow8: 'NetFlow v8',
  sflow2: 'sFlow v2',
  sflow4: 'sFlow v4',
} as const satisfies Partial<Record<keyof DecoderCounters, string>>

/** Numbers of datagrams that were no exports, by reason in words; reasons that did not occur are left out. */
export function notExportsOf(counters: DecoderCounters): Record<string, number> {
  const reasons = Object.entries(notExportReasons).map(([reason, text]) => [text, counters[counterOf(reason)]] as const)
  return Object.fromEntries(reasons.filter(([, count]) => count > 0))
}

/** Gives the entries the type that `Object.entries` loses: their names are those of counters. */
function counterOf(reason: string): keyof DecoderCounters {
  return reason as keyof DecoderCounters
}

export interface RefusedSender {
  address: string
  /** Number of datagrams, an upper bound (see TopSenders). */
  datagrams: number
  lastMs: number
  /** It has brought flows for minutes, before it was left out of the list of those who may send. */
  workedBefore: boolean
}

export interface Reception {
  socketDrops: number
  notExports: number
  refused: number
  refusedSenders: RefusedSender[]
}

export const noReception: Reception = { socketDrops: 0, notExports: 0, refused: 0, refusedSenders: [] }

export const sendersMax = 64

/** Adds up the reception of several collectors. */
export function mergeReceptions(receptions: Iterable<Reception>): Reception {
  const merged = { ...noReception }
  const senders = new Map<string, RefusedSender>()
  for (const { socketDrops, notExports, refused, refusedSenders } of receptions) {
    merged.socketDrops += socketDrops
    merged.notExports += notExports
    merged.refused += refused
    for (const sender of refusedSenders) {
      const { datagrams = 0, lastMs = 0, workedBefore = false } = senders.get(sender.address) ?? {}
      senders.set(sender.address, {
        address: sender.address,
        datagrams: datagrams + sender.datagrams,
        lastMs: Math.max(lastMs, sender.lastMs),
        workedBefore: workedBefore || sender.workedBefore,
      })
    }
  }
  const most = [...senders.values()].sort(
    (a, b) => Number(b.workedBefore) - Number(a.workedBefore) || b.datagrams - a.datagrams || b.lastMs - a.lastMs,
  )
  return { ...merged, refusedSenders: most.slice(0, sendersMax) }
}
