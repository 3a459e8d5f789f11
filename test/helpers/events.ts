// Events as a store keeps them, for tests: everything plausible, and what matters to the test given.
import { type EventNumberName, type EventNumbers, ofEachNumber } from '../../src/contract/events/numbers.ts'
import { type Course, noStatistics } from '../../src/detect/incidents/incident-report.ts'
import type { EventStore } from '../../src/events/event-store.ts'
import type { EventDetail, EventUpdate, NewEvent } from '../../src/events/records.ts'

/** The numbers of the contract, each as the event of the least has it: not known, or as in its example. */
export const plainNumbers = ofEachNumber<number | null, EventNumbers>((_, { isNullable, example }) =>
  isNullable ? null : example,
)

/** The numbers of the contract, all of them known. */
export const exampleNumbers = ofEachNumber<number | null, EventNumbers>((_, { example }) => example)

/** What follows from the rest of an event, unless it is given. */
type Following =
  | EventNumberName
  | 'activeSeconds'
  | 'worst'
  | 'phase'
  | 'returns'
  | 'episode'
  | 'ofEpisode'
  | 'updatedMs'
  | 'sequence'

/** An event of one episode that was active all the time, unless something else is given. */
export function completed(event: Omit<EventDetail, Following> & Partial<EventDetail>): EventDetail {
  const { startMs, lastMs, endMs, bytesPerSecond, packetsPerSecond, flowsPerSecond, peak } = event
  const activeSeconds = event.activeSeconds ?? Math.max(0, lastMs - startMs) / 1000
  const amount = { activeSeconds, bytesPerSecond, packetsPerSecond, flowsPerSecond, peak }
  return {
    ...plainNumbers,
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

/** Stores new events; gives them as they are stored. */
export async function addEvents(store: Pick<EventStore, 'record'>, made: NewEvent[]): Promise<EventDetail[]> {
  return (await store.record({ made })).made
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
    ...exampleNumbers,
    startMs: 1_000,
    lastMs: 3_000,
    endMs: null,
    isTest: false,
    network: null,
    peak: { ...rates, atMs: 2_000 },
    why: [
      {
        metric: 'packets',
        value: 1_000.25,
        threshold: 500,
        normal: null,
        band: null,
        error: 0,
        source: 'absolute',
        unlearnt: null,
      },
    ],
    vectors: [{ label: 'udp@attack@amp_flood_target-NTP', share: 0.9, packetsPerSecond: 900 }],
    victims: [],
    networks: [],
    followed: null,
    statistics: { ...noStatistics, destinationPort: [{ ...entry, item: 80 }], sourcePort: [entry] },
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

/** A course of `seconds` steps of a second, with more packets in each. */
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
