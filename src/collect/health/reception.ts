// What a collector receives that belongs to no exporter: drops of the kernel, what is no export, whom it refuses.
import type { DecoderCounters } from '../../decode/counters.ts'

/** Why a datagram is no export, in words. */
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

/** The datagrams that were no exports: how many for each reason that occurred, in words. */
export function notExportsOf(counters: DecoderCounters): Record<string, number> {
  const reasons = Object.entries(notExportReasons).map(([reason, text]) => [text, counters[counterOf(reason)]] as const)
  return Object.fromEntries(reasons.filter(([, count]) => count > 0))
}

/** `Object.entries` forgets that the names are those of counters. */
function counterOf(reason: string): keyof DecoderCounters {
  return reason as keyof DecoderCounters
}

export interface RefusedSender {
  address: string
  /** At least so many, and at most so many more than there were (see TopSenders). */
  datagrams: number
  lastMs: number
}

export interface Reception {
  socketDrops: number
  notExports: number
  refused: number
  refusedSenders: RefusedSender[]
}

export const noReception: Reception = { socketDrops: 0, notExports: 0, refused: 0, refusedSenders: [] }

export const sendersMax = 64

/** Of several collectors. */
export function mergeReceptions(receptions: Iterable<Reception>): Reception {
  const merged = { ...noReception }
  const senders = new Map<string, RefusedSender>()
  for (const { socketDrops, notExports, refused, refusedSenders } of receptions) {
    merged.socketDrops += socketDrops
    merged.notExports += notExports
    merged.refused += refused
    for (const sender of refusedSenders) {
      const { datagrams = 0, lastMs = 0 } = senders.get(sender.address) ?? {}
      senders.set(sender.address, {
        address: sender.address,
        datagrams: datagrams + sender.datagrams,
        lastMs: Math.max(lastMs, sender.lastMs),
      })
    }
  }
  const most = [...senders.values()].sort((a, b) => b.datagrams - a.datagrams || b.lastMs - a.lastMs)
  return { ...merged, refusedSenders: most.slice(0, sendersMax) }
}
