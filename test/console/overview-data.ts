// What the service would answer, for screens that are shown states which take an attack of hours to come to.

import type { Response } from '../../src/contract/endpoints.ts'
import { overviewExample } from '../../src/contract/events/examples.ts'

export type Overview = Response<'getOverview'>
type OpenEvent = Overview['open'][number]

const labels = [
  'udp@attack@amp_flood_target-NTP',
  'tcp@attack@syn_flood_target',
  'udp@attack@amp_flood_target-CLDAP',
  'icmp@attack@simple_flood_target',
]
const names = ['shop.example.net', 'www.example.net', 'play.example.org', 'api.example.net', 'mail.example.net']
const minuteMs = 60_000
const minutesOfDay = 1440

const iso = (ms: number) => new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', '+00:00')
const idOf = (n: number) => n.toString(16).padStart(24, '0')

export function openEvent(n: number, nowMs: number, given: Partial<OpenEvent> = {}): OpenEvent {
  const rates = { bytesPerSecond: 5e8 / (n + 1), packetsPerSecond: 400_000 / (n + 1), flowsPerSecond: 900 }
  return {
    ...overviewExample,
    phase: 'active',
    id: idOf(n + 1),
    createdAt: iso(nowMs - (n + 3) * minuteMs),
    state: 'open',
    start: iso(nowMs - (n + 3) * minuteMs - 4_000),
    end: null,
    address: `203.0.113.${n + 10}`,
    site: names[n % names.length],
    domain: names[n % names.length],
    view: 'all',
    attackType: labels[n % labels.length],
    average: { ...rates, packetsPerSecond: rates.packetsPerSecond / 2 },
    acknowledged: null,
    classification: null,
    severity: n < 2 ? 'critical' : n < 4 ? 'high' : 'medium',
    deviation: 40,
    normalPacketsPerSecond: 1_900,
    network: null,
    isTest: false,
    current: { ...rates, seconds: 5, at: iso(nowMs - 2_000) },
    ...given,
  }
}

/** An attack that is over. `hoursAgo`: when it began. */
export function spanOf(n: number, nowMs: number, hoursAgo: number, minutes: number): Overview['attacks'][number] {
  const startMs = nowMs - hoursAgo * 60 * minuteMs
  return {
    id: idOf(1_000 + n),
    start: iso(startMs),
    end: iso(startMs + minutes * minuteMs),
    site: names[n % names.length],
    attackType: labels[n % labels.length],
    severity: 'high',
    classification: null,
    isTest: false,
  }
}

/** A day of ordinary traffic, and what is given. Counts of open events are those of `open`. */
export function overviewOf(nowMs: number, given: Partial<Overview> = {}): Overview {
  const { open = [] } = given
  const dismissed = open.filter(({ classification }) => classification !== null && classification !== 'attack')
  const acknowledged = open.filter((event) => event.acknowledged !== null && !dismissed.includes(event))
  const minutes = Array.from({ length: minutesOfDay }, (_, i) => 1 + 0.4 * Math.sin((i / minutesOfDay) * 2 * Math.PI))
  const fromMs = Math.floor(nowMs / minuteMs) * minuteMs - minutesOfDay * minuteMs
  return {
    posture: open.length > dismissed.length ? 'attack' : 'calm',
    lastDatagramAt: iso(nowMs - 1_000),
    sites: { count: 12, enabled: 12 },
    lastEvent: open[0] ?? null,
    traffic: {
      from: iso(fromMs),
      stepSeconds: 60,
      bytesPerSecond: minutes.map((part) => part * 3e7),
      packetsPerSecond: minutes.map((part) => part * 4e4),
      flowsPerSecond: minutes.map((part) => part * 900),
      addressesOmitted: 0,
    },
    attacks: open.map(({ id, start, end, site, attackType, severity, classification, isTest }) => ({
      ...{ id, start, end, site, attackType },
      ...{ severity, classification, isTest },
    })),
    topSites: [{ site: names[0], events: 4 }],
    topVectors: [{ attackType: labels[0], events: 4 }],
    ...given,
    open,
    events: {
      open: open.length,
      openAcknowledged: acknowledged.length,
      openDismissed: dismissed.length,
      unacknowledged: 4,
      lastDay: 6,
      dayBefore: 2,
      lastWeek: 9,
      ...given.events,
    },
  }
}
