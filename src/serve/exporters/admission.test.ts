import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { reportedMs, streamReport } from '../../../test/helpers/exporters.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { until } from '../../../test/helpers/until.ts'
import { ManualClock } from '../../clock.ts'
import type { Admission } from '../../collect/sockets/allow-list.ts'
import { createLogger } from '../../log.ts'
import { ExporterAdmission } from './admission.ts'

const dayMs = 86_400_000
const reports = [
  streamReport({ address: '192.0.2.1' }),
  streamReport({ address: '192.0.2.2', firstMs: reportedMs - 3 * dayMs, lastMs: reportedMs - 2 * dayMs }),
  streamReport({ address: '192.0.2.3', firstMs: reportedMs - 1_000 }),
  streamReport({ address: '192.0.2.4', counters: { records: 0 } }),
]

async function newAdmission(t: TestContext, configured: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-admission-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clock = new ManualClock(reportedMs)
  const store = await openFreshStore(join(folder, 'store.db'), { clock })
  t.after(() => store.close())
  const changes: Admission[] = []
  const open = async () => {
    const options = { configured, store, exporters: { reports: () => reports }, clock, log: createLogger('silent') }
    const admission = new ExporterAdmission(options)
    await admission.start()
    admission.onChange((change) => changes.push(change))
    t.after(() => admission.stop())
    return admission
  }
  return { store, changes, open, admission: await open() }
}

describe('who may send flows', () => {
  it('is anybody at first, and who sends now is known', async (t) => {
    const { admission } = await newAdmission(t)
    const { source, entries, senders } = admission.state()
    assert.deepEqual([source, entries], ['anybody', []])
    assert.deepEqual(senders, ['192.0.2.1'], 'not who was silent for a day, has just come, or brings no flows')
    assert.deepEqual(admission.admission, { entries: [], leftOut: [] })
  })

  it('counts at once when it is set, names whom it leaves out, and is kept', async (t) => {
    const { admission, changes, open } = await newAdmission(t)
    await admission.set(['192.0.2.1'], 'ann@example.com')
    assert.deepEqual(changes, [{ entries: ['192.0.2.1'], leftOut: ['192.0.2.2'] }])
    await admission.set(['192.0.2.1'], 'bob@example.com')
    assert.equal(changes.length, 1, 'nothing has changed')
    await admission.set(['192.0.2.0/24'], null)
    const { source, entries, previous, changedBy } = (await open()).state()
    assert.deepEqual([source, entries, previous, changedBy], ['here', ['192.0.2.0/24'], ['192.0.2.1'], null])
    assert.deepEqual(changes.at(-1), { entries: ['192.0.2.0/24'], leftOut: [] })
  })

  it('is seen when another process sets it', async (t) => {
    const { store, changes } = await newAdmission(t)
    await store.setExporterAdmission({ entries: ['192.0.2.2'], changedMs: reportedMs, changedBy: null })
    await until('the change', async () => changes.length > 0)
    assert.deepEqual(changes, [{ entries: ['192.0.2.2'], leftOut: ['192.0.2.1'] }])
  })

  it('is what the configuration says where it says something', async (t) => {
    const { admission, changes, store } = await newAdmission(t, ['192.0.2.9'])
    await store.setExporterAdmission({ entries: ['192.0.2.1'], changedMs: reportedMs, changedBy: null })
    await admission.set(['192.0.2.1'], null)
    assert.deepEqual(changes, [])
    const { source, entries, previous, changedMs } = admission.state()
    assert.deepEqual([source, entries, previous, changedMs], ['configuration', ['192.0.2.9'], null, null])
    assert.deepEqual(admission.admission, { entries: ['192.0.2.9'], leftOut: ['192.0.2.1', '192.0.2.2'] })
  })
})
