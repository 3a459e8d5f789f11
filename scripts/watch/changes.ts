// Rules about what may change of an event from one look to the next: sums grow, ends and returns follow each other, and what is closed stays.
import type { EventReport } from '../../client/index.ts'
import { type EntryLook, type EventLook, type FullLook, msOf, turnsOf } from './looks.ts'
import { differences, type EventRule, type FullRule, unless } from './rule.ts'

const metrics = ['packets', 'bytes', 'flows'] as const
/** An attack that is over, and may come back, is closed by then, whatever the settings usually are. */
const overMaxMs = 3_600_000
/** What people say of an event, and where the databases of the time place its sources. */
const sayings = ['acknowledged', 'classification', 'note', 'updatedAt', 'sequence'] as const
const said = new Set(['acknowledged', 'classified'])

export const growthRules: readonly FullRule[] = [
  {
    name: 'sums-never-shrink',
    compares: 'total and activeSeconds with the look before',
    text: 'What was reported of an event does not become less.',
    breaches: ({ report: now }, before) =>
      before === null ? [] : [...shrunk('total', before.report, now), ...shrunkSeconds('event', before.report, now)],
  },
  {
    name: 'entries-never-shrink',
    compares: 'curavg_* x activeSeconds of each entry under /open, and the sums of its lists, with the look before',
    text: 'What was reported of an entry does not become less, and no entry goes.',
    breaches: (now, before) => before?.entries.flatMap((entry) => entryShrunk(entry, before, now)) ?? [],
  },
  {
    name: 'lists-never-shrink',
    compares: 'the sum of the list of protocols with the look before, where it is exact',
    text: 'Records that were counted in a list stay in it.',
    breaches: ({ report: now }, before) => {
      const isExact =
        before?.report.view === 'all' && now.view === 'all' && now.statistics.protocols.flowsMissedMax === 0
      if (before === null || !isExact) return []
      const [then, today] = [before.report, now].map(({ statistics }) => listed(statistics.protocols.entries))
      return unless(today >= then, () => `${then} packets in the list, then ${today}`)
    },
  },
  {
    name: 'past-episodes-stay',
    compares: 'episodes and entries that another one has followed with the look before',
    text: 'An episode that is over stays as it was, once the attack has come back.',
    breaches: (now, before) => {
      if (before === null) return []
      const past = before.report.episodes.slice(0, -1)
      return past.flatMap((episode) => {
        const own = now.report.episodes.find(({ id }) => id === episode.id)
        const isKept = now.report.episodes.length < 1_000 || own !== undefined
        const entry = entryOf(before, episode.id)
        return [
          ...(isKept ? differences(episode, own) : []),
          ...(entry === undefined ? [] : differences(frozen(entry), frozen(entryOf(now, episode.id)))),
        ].map((text) => `${episode.id}: ${text}`)
      })
    },
  },
  {
    name: 'closed-stays',
    compares: 'report, series and entries of a closed event with the look before',
    text: 'Nothing of a closed event changes but what people say of it.',
    breaches: (now, before) =>
      before?.report.phase === 'closed'
        ? [
            ...differences(kept(before.report), kept(now.report)),
            ...differences(before.series, now.series),
            ...differences(before.entries, now.entries),
          ]
        : [],
  },
]

export const eventRules: readonly EventRule[] = [
  {
    name: 'phases-in-order',
    compares: 'phase and returns with the look before',
    text: 'active, quiet, over, then returned, quiet, over, or closed; each return counts.',
    breaches: ({ overview: now }, { overview: before }) => {
      const follows = after[before.phase].some((phase) => phase === now.phase)
      const cameBack = now.returns > before.returns && before.phase !== 'closed'
      return unless(
        now.returns >= before.returns && (cameBack || follows) && (now.phase !== 'active' || now.returns === 0),
        () => `${before.phase} (${before.returns} returns), then ${now.phase} (${now.returns})`,
      )
    },
  },
  {
    name: 'state-of-phase',
    compares: 'state and end with phase',
    text: 'An event is ended, and has an end, when it is over or closed.',
    breaches: ({ overview: { phase, state, end, lastSeen } }) => {
      const isOver = phase === 'over' || phase === 'closed'
      return unless(
        (state === 'ended') === isOver && (end !== null) === isOver && (end === null || end === lastSeen),
        () => `phase ${phase}, state ${state}, end ${end}, last seen ${lastSeen}`,
      )
    },
  },
  {
    name: 'over-is-closed',
    compares: 'the time since the last change of an event that is over with an hour',
    text: 'An event that is over is closed, or comes back.',
    breaches: ({ atMs, overview: { phase, end } }) =>
      unless(phase !== 'over' || atMs - msOf(end ?? '') <= overMaxMs, () => `over since ${end}`),
  },
  {
    name: 'beginning-stays',
    compares: 'id, createdAt, start, address, isTest and lastSeen with the look before',
    text: 'An event keeps its beginning and its victim, and its last moment does not go back.',
    breaches: ({ overview: now }, { overview: before }) => [
      ...differences(beginning(before), beginning(now)),
      ...unless(
        msOf(now.lastSeen) >= msOf(before.lastSeen),
        () => `last seen ${before.lastSeen}, then ${now.lastSeen}`,
      ),
    ],
  },
  {
    name: 'sequence-rises',
    compares: 'sequence with the look before',
    text: 'Whatever changes of an event raises its sequence.',
    breaches: ({ overview: now }, { overview: before }) => {
      if (now.sequence < before.sequence) return [`sequence ${before.sequence}, then ${now.sequence}`]
      return now.sequence > before.sequence
        ? []
        : differences(before, now).map((text) => `no new sequence, but ${text}`)
    },
  },
  {
    name: 'turns-told-once',
    compares: 'ended, returned and closed on the stream with state, returns and phase',
    text: 'The stream names each end, each return and the closing, once.',
    breaches: (now, before) => {
      if (now.told === null || before.told === null) return []
      const [was, is] = [turnsOf(before.overview), turnsOf(now.overview)]
      const [toldThen, told] = [before.told, now.told]
      return (['ended', 'returned', 'closed'] as const).flatMap((turn) => [
        ...unless(told[turn] >= was[turn], () => `${turn} ${was[turn]} times, the stream says ${told[turn]}`),
        ...unless(
          toldThen[turn] <= is[turn],
          () => `the stream says ${turn} ${toldThen[turn]} times, it happened ${is[turn]}`,
        ),
      ])
    },
  },
  {
    name: 'changes-told',
    compares: 'the messages of the stream with sequence, over three looks',
    text: 'The stream names an event that has changed.',
    breaches: (now, before, earlier) => {
      if (earlier === null || now.named === null || before.named === null || earlier.named === null) return []
      const { sequence } = before.overview
      return unless(
        sequence === earlier.overview.sequence || now.named > earlier.named,
        () => `sequence ${earlier.overview.sequence}, then ${sequence}, and no message`,
      )
    },
  },
]

/** What a phase may be followed by, in the same episode; looks may miss some in between. */
const after: Record<EventReport['phase'], readonly EventReport['phase'][]> = {
  active: ['active', 'quiet', 'over', 'closed'],
  quiet: ['active', 'returned', 'quiet', 'over', 'closed'],
  returned: ['returned', 'quiet', 'over', 'closed'],
  over: ['over', 'closed'],
  closed: ['closed'],
}

function beginning({ id, createdAt, start, address, isTest }: EventLook['overview']) {
  return { id, createdAt, start, address, isTest }
}

function shrunk(name: string, before: Pick<EventReport, 'total'>, now: Pick<EventReport, 'total'>): string[] {
  return metrics.flatMap((metric) =>
    unless(
      now.total[metric] >= before.total[metric],
      () => `${name}.${metric}: ${before.total[metric]}, then ${now.total[metric]}`,
    ),
  )
}

function shrunkSeconds(name: string, before: { activeSeconds: number }, now: { activeSeconds: number }): string[] {
  return unless(
    now.activeSeconds >= before.activeSeconds,
    () => `${name}: active ${before.activeSeconds} s, then ${now.activeSeconds} s`,
  )
}

function entryShrunk({ id, detail }: EntryLook, before: FullLook, now: FullLook): string[] {
  const own = entryOf(now, id)?.detail
  if (detail === null) return []
  if (own === undefined || own === null) return [`${id} is gone`]
  const seconds = (look: FullLook) => look.report.episodes.find((each) => each.id === id)?.activeSeconds ?? 0
  const [then, today] = [seconds(before), seconds(now)]
  const isExact = now.report.statistics.protocols.flowsMissedMax === 0 && now.report.view === 'all'
  const inList = (entry: typeof detail) => entry.proto.reduce((all, { Packets }) => all + Packets, 0)
  return [
    ...(['curavg_pps', 'curavg_bps', 'curavg_flows'] as const).flatMap((field) => {
      const [was, is] = [(detail[field] * then) / 60, (own[field] * today) / 60]
      return unless(
        is >= was - 0.0002 * Math.max(then, today) - 1,
        () => `${id}: ${field} x active time: ${was}, then ${is}`,
      )
    }),
    ...shrunkSeconds(id, { activeSeconds: then }, { activeSeconds: today }),
    ...unless(
      !isExact || inList(own) >= inList(detail),
      () => `${id}: ${inList(detail)} packets in the list, then ${inList(own)}`,
    ),
    ...unless(own.cts === detail.cts, () => `${id}: cts ${detail.cts}, then ${own.cts}`),
  ]
}

function entryOf({ entries }: FullLook, id: string): EntryLook | undefined {
  return entries.find((entry) => entry.id === id)
}

/** What an entry has of its episode; the rest is of its event, such as the name of the victim. */
function frozen(entry: EntryLook | undefined) {
  if (entry === undefined || entry.detail === null) return null
  const { dac, domain, site, ...own } = entry.detail
  return { ...own, attack_type: entry.listed?.attack_type }
}

function kept(report: EventReport): Partial<EventReport> {
  const { isShared, ...own } = report
  const timeline = report.timeline.filter(({ what }) => !said.has(what))
  const { origins, sources, ...statistics } = report.statistics
  const counted = sources.entries.map(({ item, packets, bytes, flows }) => ({ item, packets, bytes, flows }))
  const rest: Record<string, unknown> = { ...own, timeline, statistics: { ...statistics, sources: counted } }
  for (const saying of sayings) delete rest[saying]
  return rest
}

function listed(entries: readonly { packets: number }[]): number {
  return entries.reduce((all, { packets }) => all + packets, 0)
}
