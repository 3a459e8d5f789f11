// The endpoints that explain the past of an address, and judge it again.
import type { Clock } from '../../clock.ts'
import { type explanationEndpoints, sensitivityPattern } from '../../contract/explanations.ts'
import { whatIfDaysMax } from '../../contract/limits.ts'
import { sensitivityOf } from '../../detect/targets/setting-overrides.ts'
import type { Handlers, RawQuery } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { QueryReader } from '../http/query.ts'
import { Turns } from '../limits/fair-turns.ts'
import type { Installation } from '../overview/status.ts'
import { explain, type Kept, type LatestTraces } from './explain.ts'
import { type OwnedParts, ownership } from './owned.ts'
import { type Changes, whatIf } from './what-if.ts'

export interface ExplanationParts extends Omit<OwnedParts, 'store'> {
  store: Kept & OwnedParts['store']
  targets: OwnedParts['targets'] & LatestTraces
  clock: Clock
  installation: Pick<Installation, 'retentionDays'>
}

const dayMs = 86_400_000
/** A minute ago most of what came has been reported. */
const reportedMs = 60_000
const retrySeconds = 2
/** What is left out by port or sender is not kept apart, and normal is that of then. */
const untriable = ['excludePorts', 'excludeSources', 'learnSeconds'] as const

export function explanationHandlers(parts: ExplanationParts): Handlers<keyof typeof explanationEndpoints> {
  const { store, targets, clock, installation } = parts
  const { requireOwned } = ownership(parts)
  const turns = new Turns()
  const given = () => {
    const nowMs = clock.now()
    return { store, targets, nowMs, keptFromMs: nowMs - installation.retentionDays.series * dayMs }
  }
  const inTurn = async <Value>(userId: string, work: () => Promise<Value>): Promise<{ body: Value }> => {
    const turn = turns.take(userId, work)
    if (turn === null) throw new ProblemError('TOO_MANY_REQUESTS', 'Others of these requests go on', [], retrySeconds)
    return { body: await turn }
  }

  return {
    getExplanation: async ({ params, query, isAdmin }, caller) => {
      const atMs = momentOf(query, clock.now())
      const { address, knownFromMs } = await requireOwned(params.address, caller, isAdmin)
      return inTurn(caller.id, () => explain(given(), { userId: caller.id, address, atMs, knownFromMs, isAdmin }))
    },

    getWhatIf: async ({ params, query, isAdmin, streamEnd }, caller) => {
      const asked = trialOf(query, clock.now())
      const { address, knownFromMs } = await requireOwned(params.address, caller, isAdmin)
      const { signal } = streamEnd()
      const isWanted = () => !signal.aborted
      const about = { userId: caller.id, address, knownFromMs, isAdmin }
      return inTurn(caller.id, () => whatIf(given(), { ...about, ...asked }, isWanted))
    },
  }
}

function momentOf(query: RawQuery, nowMs: number): number {
  const reader = new QueryReader(query)
  const atMs = reader.time('at') ?? nowMs - reportedMs
  if (atMs > nowMs) reader.errors.push({ parameter: 'at', detail: 'It must not be in the future' })
  reader.check()
  return atMs
}

function trialOf(query: RawQuery, nowMs: number): { fromMs: number; toMs: number; changes: Changes } {
  const reader = new QueryReader(query)
  const startMs = reader.time('start')
  const toMs = Math.min(reader.time('end') ?? nowMs, nowMs)
  const fromMs = startMs ?? toMs - dayMs
  if (fromMs > toMs) reader.errors.push({ parameter: 'start', detail: 'It must be before `end`, and before now' })
  if (toMs - fromMs > whatIfDaysMax * dayMs)
    reader.errors.push({ parameter: 'start', detail: `It must be at most ${whatIfDaysMax} days before \`end\`` })
  const enabled = reader.word('enabled', ['true', 'false'])
  const changes: Changes = {
    packetsPerSecond: reader.amount('packetsPerSecond'),
    bytesPerSecond: reader.amount('bytesPerSecond'),
    flowsPerSecond: reader.amount('flowsPerSecond'),
    sensitivity: reader.read(
      'sensitivity',
      parseSensitivity,
      'It must be `low`, `normal`, `high` or a number from 0.1 to 10',
    ),
    enabled: enabled === null ? null : enabled === 'true',
    quietSeconds: reader.wholeNumber('quietSeconds', { min: 5, max: 3_600 }),
    reopenSeconds: reader.wholeNumber('reopenSeconds', { min: 0, max: 86_400 }),
  }
  for (const parameter of untriable) {
    if (query[parameter] !== undefined)
      reader.errors.push({ parameter, detail: 'It can not be tried: what is kept does not show what it would change' })
  }
  reader.check()
  return { fromMs, toMs, changes }
}

function parseSensitivity(text: string): number | null {
  if (!new RegExp(sensitivityPattern).test(text)) return null
  return text === 'low' || text === 'normal' || text === 'high' ? sensitivityOf(text) : Number(text)
}
