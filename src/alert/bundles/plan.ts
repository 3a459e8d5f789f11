// What becomes of messages that wait together: which of them carries the others, and what waits on. A first message has waited for others when it comes here;
// later members of what goes on join it at its pace, but for what is more severe than all before. An end is told when the last member has ended; ends before
// that are said with the next message. Pure.
import { severityRank } from '../../events/severity.ts'
import { believesOpen } from '../rules/course.ts'
import { heldByEnd, heldByGroup } from '../rules/hold.ts'
import { digestKey } from './bundle-key.ts'
import type { BundlePlan, BundleThread, Gathered, WaitingDelivery } from './bundle-store.ts'
import { threadName } from './threads.ts'

export const digestEveryMs = 600_000
/** An end that waits for others is looked at again after that time; whatever it waits for looks at it sooner. */
const lookAgainMs = 3_600_000

interface PlanParts {
  channelId: string
  bundle: string
  /** Null: no message of it was sent yet. */
  told: BundleThread | null
  /** By thread, events that the channel believes to go on: of the thread of `told`, and of each that an end belongs to. */
  open: ReadonlyMap<string, ReadonlySet<string>>
  everyMs: number
  /** The channel has had its messages of this hour. */
  isFull: boolean
  nowMs: number
}

type Rows = readonly WaitingDelivery[]

/** It ends what the channel knows of. */
export const isEnd = (each: WaitingDelivery) => each.kind === 'ended' && believesOpen(each)
const isBeginning = ({ kind }: WaitingDelivery) => kind !== 'ended'

export function planOf(waiting: Rows, parts: PlanParts): BundlePlan {
  const { channelId, bundle, nowMs } = parts
  const isDue = ({ dueMs }: WaitingDelivery) => dueMs <= nowMs
  // An end that has waited long enough waits for others alone.
  const isReady = (each: WaitingDelivery) => isDue(each) || each.by !== heldByEnd
  const ends = waiting.filter(isEnd)
  const news = newsOf(
    waiting.filter((each) => !isEnd(each)),
    parts,
  )
  const tell = news.tell.length === 0 ? [] : [messageOf(news.tell, ends.filter(isReady), parts)]
  const done = new Set([...news.digest, ...tell.flatMap(rowsOf)])
  const left = (rows: Rows) => rows.filter((each) => !done.has(each))
  const closings = closingsOf(left(ends).filter(isReady), left(news.rows), parts)
  for (const each of closings.flatMap(rowsOf)) done.add(each)
  const wait = left(waiting)
    .filter(isDue)
    .map((each) => (isEnd(each) ? forOthers(each, nowMs) : { waiting: each, untilMs: news.untilMs, holder: null }))
  return { channelId, bundle, tell: [...tell, ...closings], wait, toDigest: news.digest }
}

function forOthers(waiting: WaitingDelivery, nowMs: number): BundlePlan['wait'][number] {
  return { waiting, untilMs: nowMs + lookAgainMs, holder: { by: heldByGroup } }
}

interface News {
  /** Whatever is no end of something told. */
  rows: Rows
  tell: Rows
  digest: Rows
  /** What is due and neither told nor in a digest waits until then. */
  untilMs: number
}

function newsOf(rows: Rows, { bundle, told, open, everyMs, isFull, nowMs }: PlanParts): News {
  const members = open.get(told?.thread ?? '') ?? new Set<string>()
  const goesOn = members.size > 0
  // What came and went meanwhile is worth no message while something else goes on.
  const due = rows.filter((each) => each.dueMs <= nowMs && (isBeginning(each) || !goesOn))
  const later = { rows, tell: [], digest: [], untilMs: nowMs + digestEveryMs }
  if (due.length === 0) return later
  const isDigest = bundle === digestKey
  const isWorse = ({ severity }: WaitingDelivery) =>
    goesOn && told !== null && severityRank(severity) > severityRank(told.severity)
  // The only attack there is waits for no other.
  const isAlone = members.size === 1 && due.every(({ eventId }) => members.has(eventId))
  const isPaced = isDigest || (goesOn && !isAlone)
  const untilMs = told !== null && isPaced ? told.toldMs + everyMs : nowMs
  if (untilMs > nowMs && !due.some(isWorse)) return { ...later, untilMs }
  if (isDigest || !isFull) return { ...later, tell: rows }
  // Worse things about what it knows are told at any rate; the rest of that waits until there is room.
  const isWorseNow = due.some((each) => believesOpen(each) && isWorse(each))
  return {
    ...later,
    tell: isWorseNow ? rows.filter(believesOpen) : [],
    digest: due.filter((each) => !believesOpen(each)),
  }
}

function messageOf(news: Rows, ends: Rows, { told, open }: PlanParts): Gathered {
  const begun = news.filter(isBeginning)
  const carrier = heaviestOf(begun.length > 0 ? begun : news)
  const current = told !== null && (open.get(told.thread)?.size ?? 0) > 0 ? told.thread : null
  const thread = current ?? (believesOpen(carrier) ? carrier.thread : nameOf(carrier))
  const others = [...news, ...ends.filter((each) => each.thread === thread)].filter((each) => each !== carrier)
  return { carrier, others, thread, isCurrent: true }
}

/** One for each thread all of whose members have ended. The current one is not over while something waits to join it. */
function closingsOf(ends: Rows, news: Rows, { told, open }: PlanParts): Gathered[] {
  return [...Map.groupBy(ends, ({ thread }) => thread)].flatMap(([thread, rows]) => {
    const ended = new Set(rows.map(({ eventId }) => eventId))
    const isCurrent = thread === told?.thread
    const joining = isCurrent ? news : []
    if (joining.some(isBeginning) || [...(open.get(thread) ?? [])].some((id) => !ended.has(id))) return []
    const carrier = rows.reduce((latest, each) => (each.sequence > latest.sequence ? each : latest))
    return [{ carrier, others: [...rows, ...joining].filter((each) => each !== carrier), thread, isCurrent }]
  })
}

function rowsOf({ carrier, others }: Gathered): Rows {
  return [carrier, ...others]
}

/** A name that the receiver has nothing under: what comes back after all was over begins another thread. */
function nameOf({ eventId, number, lastTold }: WaitingDelivery): string {
  return threadName(eventId, lastTold === null ? null : number)
}

function heaviestOf(rows: Rows): WaitingDelivery {
  const isHeavier = (a: WaitingDelivery, b: WaitingDelivery) =>
    (severityRank(a.severity) - severityRank(b.severity) || a.weight - b.weight) > 0
  return rows.reduce((worst, each) => (isHeavier(each, worst) ? each : worst))
}
