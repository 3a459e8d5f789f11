// Rules about the numbers of one event, in one look: they follow from each other, and are the same by every way.
import type { EventReport } from '../../client/index.ts'
import { type FullLook, msOf } from './looks.ts'
import { at, differences, type FullRule, unless } from './rule.ts'

type Episode = EventReport['episodes'][number]
type Amounts = Pick<Episode, 'activeSeconds' | 'average' | 'peak' | 'total'>

/** Lists may miss or have so much more than the total, where they are exact. */
const listTolerance = 0.02
/** Ordinary traffic may be in the lists for so long after each stretch of an attack. Seconds. */
const tailSeconds = 10
/** Rates have two decimals. */
const rateRounding = 0.005
const metrics = [
  ['packets', 'packetsPerSecond'],
  ['bytes', 'bytesPerSecond'],
  ['flows', 'flowsPerSecond'],
] as const

export const amountRules: readonly FullRule[] = [
  {
    name: 'average-of-total',
    compares: 'average x activeSeconds with total, of the event and of each episode',
    text: 'The total is the average over the active seconds.',
    breaches: ({ report }) =>
      partsOf(report).flatMap(({ name, amounts }) =>
        metrics.flatMap(([metric, rate]) => {
          const made = amounts.average[rate] * amounts.activeSeconds
          const tolerance = rateRounding * amounts.activeSeconds + 1
          return unless(
            Math.abs(made - amounts.total[metric]) <= tolerance,
            () =>
              `${name}: ${amounts.average[rate]} ${metric}/s x ${amounts.activeSeconds} s is not ${amounts.total[metric]}`,
          )
        }),
      ),
  },
  {
    name: 'span-holds-activity',
    compares: 'activeSeconds with the time from start to lastSeen, of the event and of each episode',
    text: 'An attack was not active for longer than from its beginning to its end.',
    breaches: ({ report }) =>
      partsOf(report).flatMap(({ name, amounts, from, to }) => {
        const seconds = (msOf(to) - msOf(from)) / 1000
        return unless(
          amounts.activeSeconds <= seconds,
          () => `${name}: active ${amounts.activeSeconds} s of ${seconds} s`,
        )
      }),
  },
  {
    name: 'peak-above-average',
    compares: 'peak with average, in packets, of the event and of each episode',
    text: 'The seconds with most packets have no fewer than the average.',
    breaches: ({ report }) =>
      partsOf(report).flatMap(({ name, amounts: { peak, average } }) =>
        unless(
          peak.packetsPerSecond >= average.packetsPerSecond - 2 * rateRounding,
          () => `${name}: a peak of ${peak.packetsPerSecond} packets/s, an average of ${average.packetsPerSecond}`,
        ),
      ),
  },
  {
    name: 'peak-within',
    compares: 'peak.at with start and lastSeen',
    text: 'The peak lies within the attack.',
    breaches: ({ report: { peak, start, lastSeen, activeSeconds } }) =>
      unless(
        activeSeconds === 0 || (msOf(peak.at) >= msOf(start) && msOf(peak.at) <= msOf(lastSeen)),
        () => `a peak at ${peak.at}, from ${start} to ${lastSeen}`,
      ),
  },
  {
    name: 'shares-of-one',
    compares: 'the shares of the vectors with 1',
    text: 'All vectors together have no more than all packets.',
    breaches: ({ report: { vectors } }) => {
      const sum = vectors.reduce((all, { share }) => all + share, 0)
      return unless(sum <= 1 + 1e-9, () => `${vectors.map(({ share }) => share).join(' + ')} is ${sum}`)
    },
  },
  {
    name: 'lists-of-total',
    compares: 'the packets of the list of protocols with total.packets, where the list is exact and the attack over',
    text: 'The list has 0.98 of the total at least, and 1.02 of it at most, beside ordinary traffic of ten seconds after each stretch.',
    breaches: (look) => {
      const { report } = look
      const { protocols } = report.statistics
      if (report.view !== 'all' || protocols.flowsMissedMax > 0) return []
      const listed = sum(protocols.entries.map(({ packets }) => packets))
      return [
        ...unless(
          report.state === 'open' || listed >= (1 - listTolerance) * report.total.packets,
          () => `${listed} packets in the list, ${report.total.packets} in all`,
        ),
        ...unless(
          report.state === 'open' || listed <= mostListed(look, report.total.packets, stretchesMax(report)),
          () => `${listed} packets in the list, only ${report.total.packets} in all`,
        ),
      ]
    },
  },
  {
    name: 'episodes-sum-up',
    compares: 'total, activeSeconds and returns with those of the episodes',
    text: 'The episodes together are the event, one after the other.',
    breaches: ({ report }) => {
      const { episodes, returns, activeSeconds, total, start } = report
      if (episodes.length !== Math.min(returns + 1, 1_000)) return [`${episodes.length} episodes, ${returns} returns`]
      if (episodes.length <= returns) return []
      const rounding = episodes.length
      return [
        ...metrics.flatMap(([metric]) => {
          const ofEpisodes = sum(episodes.map((each) => each.total[metric]))
          return unless(
            Math.abs(ofEpisodes - total[metric]) <= rounding,
            () => `${ofEpisodes} ${metric} in the episodes, ${total[metric]} in all`,
          )
        }),
        ...unless(
          Math.abs(sum(episodes.map((each) => each.activeSeconds)) - activeSeconds) < 0.5,
          () =>
            `${episodes.map((each) => each.activeSeconds).join(' + ')} s in the episodes, ${activeSeconds} s in all`,
        ),
        ...unless(episodes[0].id === report.id, () => `the first episode is ${episodes[0].id}`),
        ...unless(
          msOf(episodes[0].start) === msOf(start),
          () => `it starts at ${start}, its first episode at ${episodes[0].start}`,
        ),
        ...episodes.flatMap(({ start: begin }, i) =>
          unless(
            i === 0 || msOf(begin) >= msOf(episodes[i - 1].end ?? begin),
            () => `episode ${i} begins at ${begin}, the one before ends at ${episodes[i - 1].end}`,
          ),
        ),
      ]
    },
  },
  {
    name: 'timeline-of-episodes',
    compares: 'the ends and returns of the timeline with state and returns',
    text: 'The timeline has each end and each return.',
    breaches: ({ report: { timeline, returns, state } }) => {
      const count = (what: string) => timeline.filter((each) => each.what === what).length
      const ends = returns + (state === 'ended' ? 1 : 0)
      return [
        ...unless(
          count('ended') === Math.min(ends, 1_000),
          () => `${count('ended')} ends in the timeline, ${ends} were reported`,
        ),
        ...unless(
          count('returned') === Math.min(returns, 999),
          () => `${count('returned')} returns in the timeline, ${returns} were reported`,
        ),
      ]
    },
  },
  {
    name: 'series-of-total',
    compares: 'the packets of the series from start to lastSeen with total.packets, where the attack is over',
    text: 'The course of the attack has its packets.',
    breaches: ({ report, series }) => {
      const { packetsPerSecond } = series.total
      // Pauses and the steps at the ends make it more; what is missing is a fault. What nothing is known of is in neither.
      const inSeries = sum(packetsPerSecond.map((packets) => packets ?? 0)) * series.stepSeconds
      return unless(
        report.state === 'open' ||
          packetsPerSecond.length === 0 ||
          inSeries >= (1 - listTolerance) * report.total.packets,
        () => `${Math.round(inSeries)} packets in the series, ${report.total.packets} in all`,
      )
    },
  },
  {
    name: 'list-is-report',
    compares: 'the event in the list with its report',
    text: 'The list says what the report says.',
    breaches: ({ overview, report }) =>
      overview === null
        ? []
        : differences(overview, Object.fromEntries(Object.keys(overview).map((key) => [key, at(report, key)]))),
  },
  {
    name: 'entries-are-episodes',
    compares: 'the entries under /open with the episodes',
    text: 'Each episode has one entry under /open, in the list and by its id.',
    breaches: ({ report, entries }) =>
      report.isTest
        ? []
        : report.episodes.flatMap(({ id }) => {
            const of = entries.filter((entry) => entry.id === id)
            return [
              ...unless(of.length === 1 && of[0].listed !== null, () => `the list has no entry ${id}`),
              ...unless(of.length === 1 && of[0].detail !== null, () => `there is no detail of ${id}`),
            ]
          }),
  },
  {
    name: 'entries-of-episodes',
    compares: 'cts, curavg_* and the lists of each entry with its episode; the list with the detail',
    text: 'curavg_* is 60 times the average of the episode, cts is its createdAt, and its lists have its packets.',
    breaches: (look) => look.entries.flatMap((entry) => entryBreaches(entry, look)),
  },
  {
    name: 'ways-agree',
    compares: 'the numbers of the command line and of the console with the report',
    text: 'Every way shows the same.',
    breaches: ({ report, elsewhere }) =>
      elsewhere.flatMap(({ way, numbers }) =>
        Object.entries(numbers).flatMap(([path, shown]) => {
          const own = at(report, path)
          return unless(Object.is(own, shown), () => `${path}: ${shown} by ${way}, ${own} in the report`)
        }),
      ),
  },
]

/** The event and its episodes. */
function partsOf(report: EventReport): { name: string; amounts: Amounts; from: string; to: string }[] {
  const { start, lastSeen, episodes } = report
  return [
    { name: 'the event', amounts: report, from: start, to: lastSeen },
    ...episodes.map((each, i) => ({ name: `episode ${i}`, amounts: each, from: each.start, to: each.end ?? lastSeen })),
  ]
}

/** How many stretches of activity an attack may have: each pause lasts for ten seconds at least. */
function stretchesMax({ start, lastSeen, activeSeconds }: EventReport): number {
  return 1 + Math.max(0, Math.floor(((msOf(lastSeen) - msOf(start)) / 1000 - activeSeconds) / tailSeconds))
}

function mostListed({ report, series }: FullLook, packets: number, stretches: number): number {
  return (1 + listTolerance) * packets + ordinaryOf(report, series) * tailSeconds * stretches + 1
}

/** Packets a second: what is normal, what came before the attack, or what came beside it. */
function ordinaryOf({ normalPacketsPerSecond }: EventReport, { total, attack }: FullLook['series']): number {
  const beside = total.packetsPerSecond.map((packets, i) => (packets ?? 0) - (attack.packetsPerSecond[i] ?? 0))
  return Math.max(normalPacketsPerSecond ?? 0, ...beside)
}

function entryBreaches({ id, listed, detail }: FullLook['entries'][number], look: FullLook): string[] {
  const { report } = look
  const episode = report.episodes.find((each) => each.id === id)
  if (detail === null || listed === null || episode === undefined) return []
  const { attack_type: _, ...ofList } = listed
  const own = Object.fromEntries(Object.keys(ofList).map((key) => [key, at(detail, key)]))
  const { average, createdAt, end, total } = episode
  const perMinute = [
    ['curavg_pps', average.packetsPerSecond],
    ['curavg_bps', average.bytesPerSecond],
    ['curavg_flows', average.flowsPerSecond],
  ] as const
  const inList = sum(detail.proto.map(({ Packets }) => Packets))
  const isExact = report.view === 'all' && report.statistics.protocols.flowsMissedMax === 0
  const isOver = end !== null && report.state === 'ended'
  return [
    ...differences(ofList, own).map((text) => `${id}: list and detail differ: ${text}`),
    ...perMinute.flatMap(([field, rate]) =>
      unless(
        Math.abs(detail[field] - 60 * rate) <= 60 * rateRounding + 2 * rateRounding,
        () => `${id}: ${field} is ${detail[field]}, the average ${rate}/s`,
      ),
    ),
    ...unless(msOf(detail.cts) === msOf(createdAt), () => `${id}: cts is ${detail.cts}, createdAt ${createdAt}`),
    ...unless(
      detail.ip === report.address && detail.site === report.site,
      () => `${id}: ${detail.ip} of ${detail.site}`,
    ),
    ...unless(
      !isExact || !isOver || inList >= (1 - listTolerance) * total.packets,
      () => `${id}: ${inList} packets in the list, ${total.packets} in the episode`,
    ),
    ...unless(
      !isExact || !isOver || inList <= mostListed(look, total.packets, stretchesMax(report)),
      () => `${id}: ${inList} packets in the list, only ${total.packets} in the episode`,
    ),
  ]
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0)
}

/** The value at a path: `total.packets`. */
