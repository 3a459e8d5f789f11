import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { openFreshStore } from '../../../test/helpers/store.ts'
import type { Sender } from '../../audit/syslog/sender.ts'
import { ManualClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { Verified } from '../../store/sqlite/audit/verify.ts'
import { AuditKeeper } from './keeper.ts'

async function keeperOf(t: TestContext, given: { sender?: Sender | null; verified?: Verified } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-keeper-'))
  const clock = new ManualClock(0)
  const store = await openFreshStore(join(folder, 'store.db'), { clock })
  const lines: { msg: string; hash?: string; fault?: string }[] = []
  t.after(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const whole: Verified = { fault: null, rows: 0, last: { sequence: 0, hash: '' } }
  const keeper = new AuditKeeper({
    ...{ store, clock, sender: given.sender ?? null, facility: 13, host: 'h', pid: 1, version: '1' },
    verify: async () => given.verified ?? whole,
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
  })
  return { keeper, store, lines }
}

const kinds = (messages: readonly Buffer[]) => messages.map((message) => message.toString().split(' ')[5])
const actor = { kind: 'service' as const, userId: null, name: '', credential: '', address: '' }
const entry = (kind: string) => ({ kind, actor, object: '', outcome: 'done' as const, count: 1, detail: {} })

test('the service says when it begins and ends, and its log has the head of the chain', async (t) => {
  const { keeper, store, lines } = await keeperOf(t)
  await keeper.start()
  await keeper.note('service.reload', { changed: ['http.listen'] })
  await keeper.stop()
  const rows = await store.auditAfter(0, 10)
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['service.start', 'service.reload', 'service.stop'],
  )
  const heads = lines.filter(({ msg }) => msg === 'head of the audit log')
  assert.equal(heads.at(-1)?.hash, rows[2].hash)
})

test('a store that takes no writes keeps nothing from starting, and has the start written when it takes them', async (t) => {
  const { keeper, store, lines } = await keeperOf(t)
  let isFull = true
  for (const name of ['noteAudit', 'noteAuditSent'] as const) {
    const write: (...given: never[]) => Promise<unknown> = store[name].bind(store)
    t.mock.method(store, name, async (...given: never[]) => {
      if (isFull) throw new AppError('STORE_UNAVAILABLE', 'the disk is full')
      return write(...given)
    })
  }
  await keeper.start()
  assert.ok(lines.some(({ msg }) => msg.startsWith('the start of the service could not be written')))
  isFull = false
  await keeper.tasks[2].run()
  await keeper.tasks[2].run()
  await keeper.stop()
  const rows = await store.auditAfter(0, 10)
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['service.start', 'service.stop'],
  )
})

test('each entry is sent once and in order, whoever wrote it, over failures and restarts', async (t) => {
  const sent: string[] = []
  let isDown = true
  const sender: Sender = {
    send: async (messages) => {
      if (isDown) throw new Error('no receiver')
      sent.push(...kinds(messages))
    },
    close: () => {},
  }
  const { keeper, store } = await keeperOf(t, { sender })
  const [sending] = keeper.tasks
  await keeper.start()
  await sending.run()
  assert.deepEqual(sent, [])
  isDown = false
  await store.noteAudit([entry('beside')])
  await sending.run()
  assert.deepEqual(sent, ['service.start', 'beside'])
  await keeper.stop()
  assert.deepEqual(sent, ['service.start', 'beside', 'service.stop'])
  assert.equal((await store.auditEnds()).sent, 3)
})

test('entries beyond those that may wait for the receiver are left out and counted', async (t) => {
  let sent = 0
  const sender: Sender = {
    send: async (messages) => {
      sent += messages.length
    },
    close: () => {},
  }
  const { keeper, store } = await keeperOf(t, { sender })
  await store.noteAudit(Array.from({ length: 10_050 }, () => entry('k')))
  await keeper.tasks[0].run()
  assert.deepEqual([sent, keeper.counters.sent, keeper.counters.dropped], [10_000, 10_000, 50])
})

test('a chain that is not whole is said in the log and the metrics', async (t) => {
  const fault = { sequence: 5, fault: 'changed' as const, text: 'row 5 is not as it was written' }
  const { keeper, lines } = await keeperOf(t, { verified: { fault, rows: 4, last: { sequence: 4, hash: '' } } })
  await keeper.tasks[1].run()
  assert.equal(keeper.isBroken, true)
  assert.ok(lines.some((line) => line.msg === 'the audit log is not whole' && line.fault === fault.text))
})
