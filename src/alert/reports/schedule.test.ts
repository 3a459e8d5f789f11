import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planned } from './plan.ts'
import type { ReportState } from './report-store.ts'
import { nextReport, type ReportSchedule } from './schedule.ts'

const berlin = (hour: number, day: ReportSchedule['day'] = null): ReportSchedule => ({
  ...{ day, hour, timeZone: 'Europe/Berlin' },
})
const ms = (text: string) => Date.parse(text)
const iso = (at: number) => new Date(at).toISOString().replace('.000', '')

describe('the next report', () => {
  for (const [name, schedule, after, next] of [
    ['is today, before its hour', berlin(8), '2026-03-02T06:59:59Z', '2026-03-02T07:00:00Z'],
    ['is tomorrow, at its hour', berlin(8), '2026-03-02T07:00:00Z', '2026-03-03T07:00:00Z'],
    ['follows summer time', berlin(8), '2026-03-28T08:00:00Z', '2026-03-29T06:00:00Z'],
    ['is the hour after, where a night lacks its own', berlin(2), '2026-03-28T12:00:00Z', '2026-03-29T01:00:00Z'],
    ['is the first, where a night has two', berlin(2), '2026-10-24T12:00:00Z', '2026-10-25T00:00:00Z'],
    ['is not the second', berlin(2), '2026-10-25T00:00:00Z', '2026-10-26T01:00:00Z'],
    ['is at midnight', berlin(0), '2026-03-02T22:00:00Z', '2026-03-02T23:00:00Z'],
    ['is on its day', berlin(8, 'wed'), '2026-03-02T12:00:00Z', '2026-03-04T07:00:00Z'],
    ['is a week later, on its day', berlin(8, 'wed'), '2026-03-04T07:00:00Z', '2026-03-11T07:00:00Z'],
    [
      'is by zones of quarters of an hour',
      { day: null, hour: 8, timeZone: 'Asia/Kathmandu' },
      '2026-03-02T00:00:00Z',
      '2026-03-02T02:15:00Z',
    ],
  ] as const)
    it(name, () => assert.equal(iso(nextReport(schedule, ms(after))), next))
})

describe('a report is planned', () => {
  const rule = { id: 'r1' }
  const schedule = berlin(8)
  const plan = (before: ReportState | undefined, at: string, wanted = ['a', 'b']) =>
    planned(rule, schedule, { before, wanted, nowMs: ms(at) })
  const first = plan(undefined, '2026-03-02T12:00:00Z')

  it('for the next time, on the period before it', () => {
    assert.deepEqual(
      [iso(first.sinceMs), iso(first.nextMs), first.pending],
      ['2026-03-02T07:00:00Z', '2026-03-03T07:00:00Z', null],
    )
    assert.deepEqual(plan(first, '2026-03-03T06:59:59Z'), first)
  })

  it('once, with each channel that is wanted, until they have it or a day is over', () => {
    const due = plan(first, '2026-03-03T07:00:00Z')
    const pending = { fromMs: first.sinceMs, untilMs: first.nextMs, left: ['a', 'b'] }
    assert.deepEqual([due.pending, iso(due.nextMs), due.sinceMs], [pending, '2026-03-04T07:00:00Z', first.nextMs])
    assert.deepEqual(plan(due, '2026-03-03T08:00:00Z'), due)
    assert.deepEqual(plan(due, '2026-03-03T08:00:00Z', ['b', 'c']).pending, { ...pending, left: ['b'] })
    assert.equal(plan(due, '2026-03-03T08:00:00Z', ['c']).pending, null)
    assert.equal(plan(first, '2026-03-03T07:00:00Z', []).pending, null)
    const weekly = { ...due, nextMs: ms('2026-03-10T07:00:00Z') }
    assert.equal(plan(weekly, '2026-03-04T07:00:01Z').pending, null)
  })

  it('as one for all that were missed', () => {
    const { pending, nextMs } = plan(first, '2026-03-06T12:00:00Z')
    assert.deepEqual(
      [iso(pending?.fromMs ?? 0), iso(pending?.untilMs ?? 0), iso(nextMs)],
      ['2026-03-02T07:00:00Z', '2026-03-06T07:00:00Z', '2026-03-07T07:00:00Z'],
    )
  })

  it('again where its rule says another time', () => {
    const other = planned(rule, berlin(9), { before: first, wanted: ['a'], nowMs: ms('2026-03-04T12:00:00Z') })
    assert.deepEqual([iso(other.nextMs), other.pending], ['2026-03-05T08:00:00Z', null])
  })
})
