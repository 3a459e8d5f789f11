// Whether the service can do its work: flows can come in, detection runs, events can be written.
import type { Health } from '../api/health.ts'
import type { Clock } from '../clock.ts'
import { formatListen } from '../net/listen.ts'
import type { Store } from '../store/store.ts'
import type { Pipeline } from './pipeline.ts'

/** Detection runs once a second; a pass that is this late means that it stands still. */
const passOverdueMs = 10_000

interface HealthOptions {
  store: Store
  pipeline: Pipeline
  clock: Clock
}

export function createHealth({ store, pipeline, clock }: HealthOptions): () => Promise<Health> {
  return async () => {
    const checks = {
      listeners: {
        ok: pipeline.listeners.length > 0,
        detail: pipeline.listeners.map(formatListen).join(', ') || 'none is bound',
      },
      // Quiet exporters are no reason to take the service out of use; who reads this may wonder, though.
      flows: { ok: true, detail: ago('last datagram', pipeline.lastDatagramMs, clock.now()) ?? 'no datagram yet' },
      detection: detection(pipeline.lastPassMs, clock.now()),
      store: await storeState(store),
    }
    return { ready: Object.values(checks).every(({ ok }) => ok), checks }
  }
}

function detection(lastPassMs: number | null, nowMs: number): { ok: boolean; detail: string } {
  const detail = ago('last run', lastPassMs, nowMs) ?? 'has not run yet'
  return { ok: lastPassMs !== null && nowMs - lastPassMs < passOverdueMs, detail }
}

function ago(what: string, atMs: number | null, nowMs: number): string | null {
  return atMs === null ? null : `${what} ${((nowMs - atMs) / 1000).toFixed(1)} s ago`
}

async function storeState(store: Store): Promise<{ ok: boolean; detail: string }> {
  try {
    await store.checkWritable()
    return { ok: true, detail: 'writable' }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}
