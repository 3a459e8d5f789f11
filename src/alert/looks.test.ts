import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { installationOf } from '../../test/helpers/labs/alerts.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { until } from '../../test/helpers/until.ts'
import { ManualClock } from '../clock.ts'
import { reportExample } from '../contract/events/examples.ts'
import { createLogger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { AcknowledgingLinks } from './acknowledging.ts'
import { Delays } from './delays.ts'
import { HostNames } from './outgoing/host-names.ts'
import { listOf } from './outgoing/reach.ts'
import { Sender } from './sender.ts'

test('a look for what is due is not put off by what others do meanwhile, nor far by one that took long', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-looks-'))
  const clock = new ManualClock(0)
  const store = await openFreshStore(join(folder, 'store.db'), { clock })
  const looks: number[] = []
  const turns = async (...given: Parameters<Store['turns']>) => {
    looks.push(performance.now())
    const found = await store.turns(...given)
    // Others have the thread.
    await delay(100)
    return found
  }
  let slowMs = 0
  const nextDue: Store['nextDue'] = (given) => {
    for (const endMs = performance.now() + slowMs; performance.now() < endMs; );
    return store.nextDue(given)
  }
  const sender = new Sender({
    ...{
      store: { ...store, turns, nextDue },
      clock,
      log: createLogger('silent'),
      allowed: listOf([]),
      hostNames: new HostNames(),
    },
    ...{ random: () => 0.5, kinds: new Map(), secretsOf: () => null, installation: installationOf() },
    ownerOf: async () => ({ reach: 'any', email: 'ann@example.com' }),
    links: new AcknowledgingLinks({ publicUrl: '', key: () => null }),
    delays: new Delays(),
    ...{ isAdmin: async () => false, present: () => ({}), report: () => reportExample },
  })
  t.after(async () => {
    await sender.stop()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const lookAgain = async () => {
    const count = looks.length
    sender.wake()
    await until('the look', async () => looks.length > count)
    // It is over.
    await delay(150 + slowMs)
  }
  await lookAgain()
  await lookAgain()
  assert.ok(looks[1] - looks[0] < 600, 'by its own time it would be at once')
  slowMs = 120
  await lookAgain()
  await lookAgain()
  const waitedMs = looks[3] - looks[2]
  assert.ok(waitedMs > 500 && waitedMs < 1_000, `${waitedMs} ms`)
})
