import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileWindow, isTimeZone, type TimeWindow, wallTimeIn } from './time-window.ts'

const berlin = { timeZone: 'Europe/Berlin', days: [], hours: null } satisfies TimeWindow
const night = { ...berlin, hours: '18:00-08:00' } satisfies TimeWindow
const workNights = { ...night, days: ['mon', 'tue', 'wed', 'thu', 'fri'] } satisfies TimeWindow
const office = { ...berlin, hours: '08:00-18:00', days: ['mon'] } satisfies TimeWindow

describe('a time window', () => {
  // 2 March 2026 is a Monday; Berlin is an hour ahead of UTC then.
  const rows: [window: TimeWindow, at: string, isIn: boolean][] = [
    [berlin, '2026-03-02T12:00:00Z', true],
    [night, '2026-03-02T16:59:59Z', false],
    [night, '2026-03-02T17:00:00Z', true],
    [night, '2026-03-03T06:59:59Z', true],
    [night, '2026-03-03T07:00:00Z', false],
    [office, '2026-03-02T07:00:00Z', true],
    [office, '2026-03-02T17:00:00Z', false],
    [office, '2026-03-03T08:00:00Z', false],
    // The night of Friday goes on until Saturday morning; that of Sunday is not among them.
    [workNights, '2026-03-07T03:00:00Z', true],
    [workNights, '2026-03-07T18:00:00Z', false],
    [workNights, '2026-03-02T03:00:00Z', false],
    [workNights, '2026-03-02T18:00:00Z', true],
    [{ ...berlin, days: ['sun'] }, '2026-03-01T22:59:00Z', true],
    [{ ...berlin, days: ['sun'] }, '2026-03-01T23:00:00Z', false],
    // In summer Berlin is two hours ahead.
    [night, '2026-07-01T15:59:00Z', false],
    [night, '2026-07-01T16:00:00Z', true],
    // Equal hours: a whole day from then.
    [{ ...berlin, hours: '06:00-06:00', days: ['mon'] }, '2026-03-03T04:59:00Z', true],
    [{ ...berlin, hours: '06:00-06:00', days: ['mon'] }, '2026-03-02T04:59:00Z', false],
  ]
  for (const [window, at, isIn] of rows)
    it(`${JSON.stringify(window)} ${isIn ? 'contains' : 'does not contain'} ${at}`, () => {
      assert.equal(compileWindow(window).contains(Date.parse(at)), isIn)
    })

  const ends: [window: TimeWindow, at: string, end: string | null][] = [
    [night, '2026-03-02T20:30:40Z', '2026-03-03T07:00:00Z'],
    [night, '2026-03-03T06:59:59Z', '2026-03-03T07:00:00Z'],
    [night, '2026-03-03T12:00:00Z', '2026-03-03T12:00:00Z'],
    [office, '2026-03-02T08:00:00Z', '2026-03-02T17:00:00Z'],
    // The clock is set forward in this night, at 01:00 UTC, and back in that one.
    [night, '2026-03-28T20:00:00Z', '2026-03-29T06:00:00Z'],
    [night, '2026-10-24T20:00:00Z', '2026-10-25T07:00:00Z'],
    [{ ...berlin, days: ['sat', 'sun'] }, '2026-03-07T10:00:00Z', '2026-03-08T23:00:00Z'],
    [{ timeZone: 'Asia/Kathmandu', days: [], hours: '22:00-07:00' }, '2026-03-02T20:00:00Z', '2026-03-03T01:15:00Z'],
    [berlin, '2026-03-02T12:00:00Z', null],
  ]
  for (const [window, at, end] of ends)
    it(`${JSON.stringify(window)} from ${at} ends ${end}`, () => {
      const found = compileWindow(window).endAfter(Date.parse(at))
      assert.equal(found === null ? null : new Date(found).toISOString().replace('.000', ''), end)
    })

  it('compiles a time zone once, however it is written, and keeps few', () => {
    const berlinTime = wallTimeIn('Europe/Berlin')
    assert.equal(wallTimeIn('europe/BERLIN'), berlinTime)
    const offsets = Array.from({ length: 1_440 }, (_, n) =>
      [n / 60, n % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':'),
    )
    for (const offset of offsets) assert.deepEqual(wallTimeIn(`+${offset}`)(0), { day: 3, minute: minutesIn(offset) })
    assert.notEqual(wallTimeIn('Europe/Berlin'), berlinTime)
    assert.deepEqual(wallTimeIn('Europe/Berlin')(0), { day: 3, minute: 60 })
  })

  it('knows time zones', () => {
    assert.deepEqual(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone), [true, true, false, false])
  })
})

function minutesIn(text: string): number {
  const [hours, minutes] = text.split(':').map(Number)
  return hours * 60 + minutes
}
