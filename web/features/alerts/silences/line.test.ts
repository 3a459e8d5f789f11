import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endpoints } from '../../../../src/contract/endpoints.ts'
import { lineOf, marksOf, percentAt, phaseOf, placeOf, silenceOf } from './line.ts'

const hour = 3_600_000
const nowMs = Date.UTC(2026, 2, 2, 12)
const at = (hours: number) => new Date(nowMs + hours * hour).toISOString()
const silence = (from: number, until: number) => ({ from: at(from), until: at(until) })

test('a silence is planned, goes on or is over', () => {
  assert.equal(phaseOf(silence(1, 2), nowMs), 'later')
  assert.equal(phaseOf(silence(0, 2), nowMs), 'now')
  assert.equal(phaseOf(silence(-2, 0), nowMs), 'over')
})

test('the silence of a site is one that goes on, is about every attack on it, and ends last', () => {
  const [example] = endpoints.listSilences.example.response.silences
  const all = (
    [
      ['over', [], [], -2, -1],
      ['other', ['b.example.net'], [], 0, 9],
      ['kind', [], ['tcp@*'], 0, 9],
      ['wild', ['*.example.net'], [], 0, 2],
      ['own', ['a.example.net'], [], 0, 1],
    ] as const
  ).map(([id, sites, vectors, from, until]) => ({
    ...{ ...example, id, sites: [...sites], vectors: [...vectors] },
    ...silence(from, until),
  }))
  const idOf = (site: string) => silenceOf(site, all, nowMs)?.id
  assert.deepEqual(
    [idOf('a.example.net'), idOf('b.example.net'), idOf('example.net'), idOf('xexample.net')],
    ['wild', 'other', undefined, undefined],
  )
  const everything = { ...example, id: 'all', sites: [], ...silence(0, 5) }
  assert.equal(silenceOf('c.example.org', [...all, everything], nowMs)?.id, 'all')
})

describe('the line of time', () => {
  const rows: [what: string, silences: [number, number][], from: number, to: number][] = [
    ['shows half a day ahead at least', [[0, 2]], -2, 12],
    [
      'goes to the last end',
      [
        [0, 2],
        [30, 50],
      ],
      -2,
      50,
    ],
    [
      'goes back for a day at most',
      [
        [-100, 3],
        [-5, -4],
      ],
      -24,
      12,
    ],
    ['goes ahead for a month at most', [[0, 2_000]], -2, 744],
  ]
  for (const [what, silences, from, to] of rows) {
    test(what, () => {
      const line = lineOf(
        silences.map(([begin, end]) => silence(begin, end)),
        nowMs,
      )
      const room = (to - from) * 0.03
      assert.ok(Math.abs(line.fromMs - nowMs - (from - room) * hour) < 1, `${(line.fromMs - nowMs) / hour}`)
      assert.ok(Math.abs(line.toMs - nowMs - (to + room) * hour) < 1, `${(line.toMs - nowMs) / hour}`)
    })
  }

  test('has the part of a silence that is on it', () => {
    const line = { fromMs: nowMs - 10 * hour, toMs: nowMs + 10 * hour }
    assert.deepEqual(placeOf(silence(0, 5), line), [50, 25])
    assert.deepEqual(placeOf(silence(-20, 20), line), [0, 100])
    assert.equal(placeOf(silence(-30, -20), line), null)
  })

  test('is marked at whole hours of the reader, a few times at most', () => {
    const line = { fromMs: nowMs - 10 * hour, toMs: nowMs + 10 * hour }
    const marks = marksOf(line, hour)
    assert.ok(marks.length >= 2 && marks.length <= 7)
    for (const ms of marks) {
      assert.equal((new Date(ms).getUTCHours() + 1) % 6, 0)
      assert.ok(percentAt(ms, line) >= 0 && percentAt(ms, line) <= 92)
    }
  })
})
