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
      detection: detection(pipeline.lastPassMs, clock.now()),
      store: await storeState(store),
    }
    return { ready: Object.values(checks).every(({ ok }) => ok), checks }
  }
}

function detection(lastPassMs: number | null, nowMs: number): { ok: boolean; detail: string } {
  if (lastPassMs === null) return { ok: false, detail: 'has not run yet' }
  const agoMs = nowMs - lastPassMs
  return { ok: agoMs < passOverdueMs, detail: `last run ${(agoMs / 1000).toFixed(1)} s ago` }
}

async function storeState(store: Store): Promise<{ ok: boolean; detail: string }> {
  try {
    await store.checkWritable()
    return { ok: true, detail: 'writable' }
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}
