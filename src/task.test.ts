import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { ManualClock } from './clock.ts'
import { AppError } from './errors.ts'
import { PeriodicTask, type TaskOptions } from './task.ts'

function lab(t: TestContext, run: TaskOptions['run']) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const lines: string[] = []
  const write = (line: Buffer, _encoding: string, done: () => void) => {
    lines.push(String(line))
    done()
  }
  const clock = new ManualClock(0)
  const log = pino(new Writable({ write }))
  const task = new PeriodicTask({ name: 'sweep', periodMs: 1_000, run, failure: 'no sweep', clock, log })
  const tick = async (ms: number) => {
    clock.advance(ms)
    t.mock.timers.tick(ms)
    await setImmediate()
  }
  const logged = () => lines.map((line): { task: string; msg: string; heldBack: number } => JSON.parse(line))
  return { task, clock, tick, logged }
}

test('a task runs once a period from its start to its stop', async (t) => {
  let runs = 0
  const { task, tick } = lab(t, () => void runs++)
  await tick(1_000)
  assert.equal(runs, 0)
  task.start()
  await tick(999)
  assert.equal(runs, 0)
  await tick(1)
  await tick(1_000)
  assert.equal(runs, 2)
  await task.stop()
  await tick(5_000)
  assert.deepEqual([runs, task.counts.runs], [2, 2])
  task.start()
  await tick(1_000)
  assert.equal(runs, 3)
})

test('one run at a time: a period and a caller join the run that goes on, `runAgain` follows it, and `stop` waits', async (t) => {
  const ends: (() => void)[] = []
  const { task, clock, tick } = lab(t, () => new Promise<void>((resolve) => ends.push(resolve)))
  task.start()
  await tick(1_000)
  await tick(1_000)
  assert.equal(task.run(), task.run())
  assert.equal(ends.length, 1)
  const again = task.runAgain()
  clock.advance(500)
  ends[0]()
  await setImmediate()
  assert.deepEqual([ends.length, task.lastSeconds], [2, 1.5])
  let isStopped = false
  const stopped = task.stop().then(() => {
    isStopped = true
  })
  await setImmediate()
  assert.equal(isStopped, false)
  ends[1]()
  await Promise.all([again, stopped])
  assert.equal(task.counts.runs, 2)
})

test('failures are counted, and logged once a minute for each kind; the next run is made all the same', async (t) => {
  const errors = [new AppError('STORE_UNAVAILABLE', 'disk full'), new RangeError('too long')]
  let runs = 0
  const { task, tick, logged } = lab(t, async () => {
    throw errors[Math.floor(runs++ / 3)]
  })
  task.start()
  for (let i = 0; i < 5; i++) await tick(1_000)
  assert.deepEqual(task.counts, { runs: 5, failures: 5 })
  assert.deepEqual(
    logged().map((line) => [line.task, line.msg, line.heldBack]),
    [
      ['sweep', 'no sweep', 0],
      ['sweep', 'no sweep', 0],
    ],
  )
  await tick(60_000)
  assert.deepEqual([logged().length, logged()[2].heldBack], [3, 1])
})

test('a clock that is set back makes no run shorter than nothing', async (t) => {
  const { task, clock } = lab(t, () => clock.advance(-5_000))
  await task.run()
  assert.equal(task.lastSeconds, 0)
})
