// Events as a store keeps them, for tests: everything plausible, and what matters to the test given.
import { type Course, noStatistics } from '../../src/detect/incident-report.ts'
import type { EventDetail, EventUpdate } from '../../src/store/store.ts'

/** What follows from the rest of an event, unless it is given. */
type Following = 'activeSeconds' | 'worst' | 'phase' | 'returns' | 'episode' | 'ofEpisode' | 'updatedMs' | 'sequence'

/** An event of one episode that was active all the time, unless something else is given. */
export function completed(event: Omit<EventDetail, Following> & Partial<EventDetail>): EventDetail {
  const { startMs, lastMs, endMs, bytesPerSecond, packetsPerSecond, flowsPerSecond, peak } = event
  const activeSeconds = event.activeSeconds ?? Math.max(0, lastMs - startMs) / 1000
  const amount = { activeSeconds, bytesPerSecond, packetsPerSecond, flowsPerSecond, peak }
  return {
    activeSeconds,
    worst: { packetsPerSecond, bytesPerSecond },
    phase: endMs === null ? 'active' : 'over',
    returns: 0,
    episode: { number: 0, startMs, endMs: lastMs, ...amount },
    ofEpisode: null,
    updatedMs: 0,
    sequence: 0,
    ...event,
  }
}

/** `number` makes the id, the incident and the address differ. */
export function eventOf(userId: string, number: number, given: Partial<EventDetail> = {}): EventDetail {
  const rates = { bytesPerSecond: 1_500_000.5, packetsPerSecond: 1_000.25, flowsPerSecond: 900 }
  const { site = '192.0.2.0/24' } = given
  const entry = { item: 123, flows: 54_000, packets: 60_000, bytes: 90_000_000, protocols: [17] }
  return completed({
    id: number.toString(16).padStart(24, '0'),
    userId,
    incident: `incident-${number}`,
    createdMs: 0,
    address: 0xc000_0201 + number,
    site,
    sites: [site],
    domain: 'www.example.com',
    view: 'all',
    label: 'udp@attack@amp_flood_target-NTP',
    ...rates,
    deviation: 42.5,
    normalPacketsPerSecond: 500,
    startMs: 1_000,
    lastMs: 3_000,
    endMs: null,
    isTest: false,
    network: null,
    peak: { ...rates, atMs: 2_000 },
    why: [
      { metric: 'packets', value: 1_000.25, threshold: 500, normal: null, band: null, error: 0, source: 'absolute' },
    ],
    vectors: [{ label: 'udp@attack@amp_flood_target-NTP', share: 0.9, packetsPerSecond: 900 }],
    victims: [],
    networks: [],
    followed: null,
    statistics: { ...noStatistics, dstport: [{ ...entry, item: 80 }], srcport: [entry] },
    course: courseOf(3),
    dns: [{ domain: 'www.example.com', a: { '192.0.2.1': 1_000 }, cname: {} }],
    ...given,
  })
}

/** What makes the events of its incident like this one, but for what an update leaves as it is. */
export function updateOf({ statistics, course, ofEpisode, ...event }: EventDetail): EventUpdate {
  const {
    id,
    userId,
    createdMs,
    address,
    site,
    sites,
    domain,
    view,
    isTest,
    network,
    dns,
    returns,
    updatedMs,
    sequence,
    ...change
  } = event
  return { ...change, details: course === null ? null : { statistics, course, ofEpisode } }
}

/** So many seconds, with more packets in each. */
export function courseOf(seconds: number): Course {
  const packetsPerSecond = Array.from({ length: seconds }, (_, i) => (i + 1) * 1_000.5)
  const rates = {
    packetsPerSecond,
    bytesPerSecond: packetsPerSecond.map((each) => each * 468),
    flowsPerSecond: packetsPerSecond,
  }
  return {
    fromMs: 0,
    stepSeconds: 1,
    total: rates,
    attack: rates,
    normal: { total: { low: 0, high: 20 }, attack: { low: 0, high: 3 } },
  }
}

/** An event as it is without the account that the store keeps of its changes. */
export function unstamped<Event extends { updatedMs: number; sequence: number }>(event: Event | null): Event | null {
  return event === null ? null : { ...event, updatedMs: 0, sequence: 0 }
}

/** The same after something of it has changed: its only episode is made of what it is now. */
export function restated({ episode, ...event }: EventDetail): EventDetail {
  return completed({ ...event, updatedMs: 0, sequence: 0 })
}
