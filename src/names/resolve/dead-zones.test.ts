// Zones whose servers do not answer: their names keep the addresses that they had, and each failure costs little however many names there are.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Bindings } from '../bindings/bindings.ts'
import { Schedule, type ScheduleOptions } from './schedule.ts'

const options: ScheduleOptions = {
  ...{ intervalMinMs: 30_000, intervalMaxMs: 300_000, closeIntervalMs: 10_000, namesMax: 100_000, closeMax: 1_000 },
  random: () => 0.5,
}
const hourMs = 3_600_000

it('all names of zones that nobody answers for stay known for as long as stale answers count', () => {
  const staleMs = 72 * hourMs
  const bindings = new Bindings({ graceMs: 1_800_000, staleMs })
  const schedule = new Schedule(options)
  const names = ['a', 'b', 'c'].flatMap((zone) => Array.from({ length: 15 }, (_, i) => `n${i}.${zone}.example`))
  schedule.setNames(new Set(names))
  for (const name of schedule.take(0, 100)) {
    bindings.confirm(name, { addresses: [1], chain: [], ttlSeconds: 60 }, 0)
    schedule.answered(name, 0, 60)
  }
  const live = (nowMs: number) => names.filter((name) => bindings.isLive({ name, address: 1 }, nowMs)).length
  let least = names.length
  for (let nowMs = 5_000; nowMs < staleMs; nowMs += 5_000) {
    for (const name of schedule.take(nowMs, 100))
      for (const each of schedule.failed(name, nowMs)) bindings.hold(each, nowMs)
    least = Math.min(least, live(nowMs))
  }
  assert.equal(least, names.length)
  assert.equal(live(staleMs + 1_800_000), 0)
})

it('failures of names that are asked closely look at all names of their zone every few seconds only', () => {
  const schedule = new Schedule(options)
  const names = Array.from({ length: 20_000 }, (_, i) => `n${i}.a.example`)
  schedule.setNames(new Set(names))
  for (const name of schedule.take(0, 30_000)) schedule.answered(name, 0, 60)
  schedule.setClose(names.slice(0, 500), 1_000)
  let held = 0
  let failed = 0
  for (let nowMs = 1_000; nowMs < 61_000; nowMs += 100)
    for (const name of schedule.take(nowMs, 50)) {
      failed++
      held += [...schedule.failed(name, nowMs)].length
    }
  assert.ok(failed > 1_000, `${failed} failures`)
  assert.ok(held <= failed + 13 * names.length, `${held} looks for ${failed} failures`)
  assert.ok(held >= names.length, 'one of them stands for all')
})
