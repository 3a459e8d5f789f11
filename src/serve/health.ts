// Whether the service can do its work: flows can come in, detection runs, events can be written.
import type { Check, Health } from '../api/http/health.ts'
import type { Clock } from '../clock.ts'
import { formatListen } from '../net/listen.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { Policy, Store } from '../store/store.ts'

/** Time without a detection pass after which detection counts as halted; a pass is due every second. */
const passOverdueMs = 10_000

/** Anyone may ask, and each check of the store is a write: no more than one in this time. */
const storeCheckEveryMs = 1_000

/** The warning for operators whose policy lets every user watch any address. */
export const openWarning = 'open: every user may see who sends traffic to any address'

interface HealthOptions {
  store: Pick<Store, 'checkWritable'>
  pipeline: Pick<Pipeline, 'listeners' | 'lastPassMs' | 'lastDatagramMs'>
  /** More of what readiness rests on, by the component that knows it. */
  parts: Readonly<Record<string, { check(): Check }>>
  clock: Clock
  policy: Policy
}

export function createHealth({ store, pipeline, parts, clock, policy }: HealthOptions): () => Promise<Health> {
  const storeState = storeCheck(store)
  return async () => {
    const checks = {
      listeners: {
        ok: pipeline.listeners.length > 0,
        detail: pipeline.listeners.map(formatListen).join(', ') || 'none is bound',
      },
      // Quiet exporters are no reason to take the service out of use; who reads this may wonder, though.
      flows: { ok: true, detail: ago('last datagram', pipeline.lastDatagramMs, clock.now()) ?? 'no datagram yet' },
      detection: detection(pipeline.lastPassMs, clock.now()),
      ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.check()])),
      store: await storeState(clock.now()),
      ...(policy === 'open' ? { policy: { ok: true, detail: openWarning } } : {}),
    }
    return { ready: Object.values(checks).every(({ ok }) => ok), checks }
  }
}

function detection(lastPassMs: number | null, nowMs: number): Check {
  const detail = ago('last run', lastPassMs, nowMs) ?? 'has not run yet'
  return { ok: lastPassMs !== null && nowMs - lastPassMs < passOverdueMs, detail }
}

function ago(what: string, atMs: number | null, nowMs: number): string | null {
  return atMs === null ? null : `${what} ${((nowMs - atMs) / 1000).toFixed(1)} s ago`
}

/** The state of the store, as it was found at most so long ago. */
function storeCheck(store: Pick<Store, 'checkWritable'>): (nowMs: number) => Promise<Check> {
  let checkedMs = Number.NEGATIVE_INFINITY
  let state: Promise<Check> | null = null
  return (nowMs) => {
    if (state !== null && nowMs >= checkedMs && nowMs - checkedMs < storeCheckEveryMs) return state
    checkedMs = nowMs
    state = store.checkWritable().then(
      () => ({ ok: true, detail: 'writable' }),
      (error: unknown) => ({ ok: false, detail: error instanceof Error ? error.message : String(error) }),
    )
    return state
  }
}
