import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { AttackSpan } from '../../../client/types.ts'
import { laneMarks, lookOf, targetMin } from './lane-marks.ts'

const hourMs = 3_600_000
const fromMs = Date.UTC(2017, 2, 8)
const scale = { fromMs, nowMs: fromMs + 24 * hourMs, width: 960 }

function span(startHour: number, endHour: number | null, given: Partial<AttackSpan> = {}): AttackSpan {
  const iso = (hour: number) => new Date(fromMs + hour * hourMs).toISOString()
  return {
    id: `${startHour}`,
    start: iso(startHour),
    end: endHour === null ? null : iso(endHour),
    site: 'www.example.net',
    attackType: null,
    severity: 'low',
    classification: null,
    isTest: false,
    ...given,
  }
}

describe('the marks of a lane', () => {
  test('stand where the attacks were, in proportion', () => {
    const marks = laneMarks([span(1, 2), span(12, 18)], scale)
    assert.deepEqual(
      marks.map(({ left, width }) => [left, width]),
      [
        [40, 40],
        [480, 240],
      ],
    )
  })

  test('what is short can still be clicked, and stays within the lane at both of its ends', () => {
    const [first, middle, last] = laneMarks([span(-1, 0.001), span(12, 12.001), span(23.999, null)], scale)
    assert.deepEqual([first.left, first.width, first.barLeft], [0, targetMin, 0])
    assert.deepEqual([middle.left, middle.width, middle.barLeft], [470, targetMin, 480])
    assert.deepEqual([last.left + last.width, last.barLeft + last.barWidth], [960, 960])
  })

  test('those that would lie over each other are one, in time order, from the first to the last', () => {
    const marks = laneMarks([span(10.3, 10.4), span(10, 10.1), span(20, 21), span(10.6, 10.7)], scale)
    assert.deepEqual(
      marks.map(({ events }) => events.length),
      [3, 1],
    )
    assert.deepEqual(
      marks[0].events.map(({ id }) => id),
      ['10', '10.3', '10.6'],
    )
    assert.deepEqual([marks[0].startMs, marks[0].endMs], [fromMs + 10 * hourMs, fromMs + 10.7 * hourMs])
  })

  test('there are none of what was over before, and none in a lane without room', () => {
    assert.deepEqual(laneMarks([span(-2, -1)], scale), [])
    assert.deepEqual(laneMarks([span(1, 2)], { ...scale, width: 0 }), [])
  })

  test('whatever the attacks are, each is in one mark, and marks neither overlap nor leave the lane', () => {
    const hours = fc.double({ min: -2, max: 24, noNaN: true })
    const one = fc.tuple(hours, fc.double({ min: 0, max: 6, noNaN: true }), fc.boolean())
    fc.assert(
      fc.property(fc.array(one, { maxLength: 40 }), fc.integer({ min: 24, max: 2000 }), (all, width) => {
        const events = all.map(([start, length, isOpen]) => span(start, isOpen ? null : Math.min(24, start + length)))
        const marks = laneMarks(events, { ...scale, width })
        const seen = events.filter(({ end }) => end === null || Date.parse(end) >= fromMs)
        assert.equal(marks.flatMap((mark) => mark.events).length, seen.length)
        let edge = 0
        for (const { left, width: own, barLeft, barWidth } of marks) {
          assert.ok(left >= edge - 1e-6 && own >= targetMin)
          assert.ok(barLeft >= -1e-6 && barLeft + barWidth <= width + 1e-6)
          edge = left + own
        }
        assert.ok(edge <= width + 1e-6)
      }),
    )
  })
})

test('a mark looks like the most severe of its attacks, muted where all of them are none', () => {
  const low = span(1, 2)
  const high = span(1, null, { severity: 'high' })
  const falseAlarm = span(1, null, { severity: 'critical', classification: 'false_positive' })
  const simulated = span(1, 2, { severity: 'critical', classification: 'test', isTest: true })
  const rows: [string, AttackSpan[]][] = [
    ['low', [low]],
    ['high', [low, high, low]],
    ['critical', [span(1, 2, { severity: 'critical', classification: 'attack' })]],
    ['dismissed', [falseAlarm]],
    ['dismissed', [simulated, span(1, 2, { severity: 'high', classification: 'flash_crowd' })]],
    ['test', [simulated]],
    ['low', [falseAlarm, low, simulated]],
  ]
  for (const [look, events] of rows) assert.equal(lookOf({ events }), look)
})
