// The bounds of the evidence of attacks: its lists, its samples, and the records of the last moments that lists begin with. How many packets are
// evidence of an attack is in judgement.ts (`observedMin`).
import { type Lines, valuesOf } from './line.ts'

export const evidenceRows = {
  listed: {
    value: 100,
    unit: 'items of a list',
    decides: 'how many are reported of each',
    reason: 'what somebody reads; all lists together are some 100 KB',
  },
  samples: {
    value: 20,
    unit: 'records',
    decides: 'how many are kept as they came',
    reason: 'a screen of them; each record of the attack has the same chance to be among them',
  },
  ports: {
    value: 65_536,
    unit: 'items of a list',
    decides: 'how many source ports and destination ports are counted at a time',
    reason: 'all that there are: both lists are exact',
  },
  sources: {
    value: 65_536,
    unit: 'items of a list',
    decides: 'how many sources are counted at a time; above it the lighter half makes room',
    reason: 'some 4 MB an attack; what is heavier than the cut is never lost',
  },
  octets: {
    value: 256,
    unit: 'items of a list',
    decides: 'how many protocols, TCP flags and exporters are counted at a time',
    reason: 'all protocols and flags that there are; more exporters than an attack comes through',
  },
  lengths: {
    value: 2_048,
    unit: 'items of a list',
    decides: 'how many mean packet lengths are counted at a time',
    reason: 'all up to 1,500 octets, the usual MTU, and some of jumbo frames',
  },
  interfaces: {
    value: 1_024,
    unit: 'items of a list',
    decides: 'how many interfaces are counted at a time',
    reason: 'more than an attack comes through',
  },
  systems: {
    value: 8_192,
    unit: 'items of a list',
    decides: 'how many autonomous systems are counted at a time',
    reason: 'about a tenth of all that there are',
  },
  places: {
    value: 1 << 22,
    unit: 'items of all lists',
    decides: 'the memory of all lists together',
    reason: 'some 60 octets each: 240 MB when all are taken',
  },
  recentRecords: {
    value: 1 << 21,
    unit: 'records',
    decides: 'how many of the last moments are kept',
    reason: '42 octets each: 88 MB when all are taken',
  },
  recentMs: {
    value: 30_000,
    unit: 'milliseconds',
    decides: 'how long records are kept for the lists of an attack that begins',
    reason: 'most attacks are judged sooner; what came earlier is counted as missing',
  },
  exporters: {
    value: 4_096,
    unit: 'exporters',
    decides: 'how many are told apart in lists; a power of two',
    reason: 'far more than a network has: others come from made-up addresses',
  },
  reclaimEveryMs: {
    value: 30_000,
    unit: 'milliseconds',
    decides: 'how often numbers of exporters are taken back when all are given',
    reason: 'it reads all recent records',
  },
  aheadMs: {
    value: 5_000,
    unit: 'milliseconds',
    decides: 'a slot sealed so long before an attack began has none of its records',
    reason: 'records may end that far ahead of the clock of the collector',
  },
} as const satisfies Lines

export const evidence = valuesOf(evidenceRows)
