// The checks of readiness that no component answers by itself: of the pipeline and of the store.
import type { Check } from '../../api/http/health.ts'
import type { Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { formatListen } from '../../net/listen.ts'
import type { Pipeline } from '../../pipeline/pipeline.ts'
import type { Store } from '../../store/store.ts'

/** Time without a detection pass after which detection counts as halted, a pass being due every second; and how old what it judges may be. */
const passOverdueMs = 10_000
/** Time without a word of a collector, or without its taking up the list that it was sent. */
const listOverdueMs = 10_000
/** How long it is told that the service stood still, and for how long it must have: less hides no attack. */
const awayToldMs = 600_000
const awayMsMin = 5_000
/** Anyone may ask, and each check of the store is a write that the whole service waits for: no more than one in this time. */
const storeCheckEveryMs = 5_000

/** The warning for operators whose policy lets every user watch any address. */
export const openWarning = 'open: every user may see who sends traffic to any address'

export type Looked = Pick<
  Pipeline,
  'listeners' | 'lastPassMs' | 'behindMs' | 'lastDatagramMs' | 'watchLateMs' | 'lastAway'
>

export function checkListeners({ listeners }: Looked): Check {
  return { ok: listeners.length > 0, detail: listeners.map(formatListen).join(', ') || 'none is bound' }
}

/** Quiet exporters are no reason to take the service out of use; who reads this may wonder, though. */
export function checkFlows({ lastDatagramMs }: Looked, nowMs: number): Check {
  return { ok: true, detail: ago('last datagram', lastDatagramMs, nowMs) ?? 'no datagram yet' }
}

export function checkDetection({ lastPassMs, behindMs, lastAway }: Looked, nowMs: number): Check {
  const detail = ago('last run', lastPassMs, nowMs) ?? 'has not run yet'
  const isBehind = behindMs >= passOverdueMs
  const ok = lastPassMs !== null && nowMs - lastPassMs < passOverdueMs && !isBehind
  if (isBehind) return { ok, detail: `${detail}, of what came ${Math.round(behindMs / 1_000)} s before` }
  const wasAway = lastAway !== null && lastAway.toMs - lastAway.fromMs >= awayMsMin
  if (!ok || !wasAway || Math.abs(nowMs - lastAway.toMs) >= awayToldMs) return { ok, detail }
  const [from, to] = [lastAway.fromMs, lastAway.toMs].map((ms) => new Date(ms).toISOString().slice(0, 19))
  return { ok, isWarning: true, detail: `stood still from ${from}Z to ${to}Z: attacks of that time may be missing` }
}

/** `ofSites`: whether the sites were read; here whether the collectors use what was made of them. */
export function checkWatch(pipeline: Looked, ofSites: Check): Check {
  const lateMs = pipeline.watchLateMs()
  if (!ofSites.ok || lateMs < listOverdueMs) return ofSites
  const detail = `a collector has not taken up the list of addresses for ${Math.floor(lateMs / 1_000)} s`
  return { ok: false, detail }
}

function ago(what: string, atMs: number | null, nowMs: number): string | null {
  return atMs === null ? null : `${what} ${((nowMs - atMs) / 1_000).toFixed(1)} s ago`
}

/** The state of the store, as it was found five seconds ago at the earliest. */
export function storeCheck(store: Pick<Store, 'checkWritable'>, clock: Clock): () => Promise<Check> {
  let checkedMs = Number.NEGATIVE_INFINITY
  let state: Promise<Check> | null = null
  return () => {
    const nowMs = clock.now()
    if (state !== null && nowMs >= checkedMs && nowMs - checkedMs < storeCheckEveryMs) return state
    checkedMs = nowMs
    state = store.checkWritable().then(
      () => ({ ok: true, detail: 'writable' }),
      (error: unknown) => ({ ok: false, detail: messageOf(error) }),
    )
    return state
  }
}
