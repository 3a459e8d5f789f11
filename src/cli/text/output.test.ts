import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { UsageError } from '../usage.ts'
import { parseDuration } from './duration.ts'
import { type Column, formatCount, formatTime, tableHead, tableRow } from './output.ts'

test('counts are rounded to three digits with a multiple', () => {
  const cases: [number, string, string][] = [
    [0, '', '0'],
    [7, '', '7'],
    [0.123, '', '0.12'],
    [99.96, '', '100'],
    [999.4, '', '999'],
    [999.6, '', '1.00 k'],
    [1_234_567, '', '1.23 M'],
    [12_345_678, 'bps', '12.3 Mbps'],
    [8, 'bps', '8 bps'],
    [5e18, '', '5000 P'],
  ]
  for (const [value, unit, text] of cases) assert.equal(formatCount(value, unit), text)
})

test('a count reads back within one per cent', () => {
  const multiples = new Map([' ', 'k', 'M', 'G', 'T', 'P'].map((letter, i) => [letter.trim(), 1000 ** i]))
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1e17, noNaN: true }), (value) => {
      const [number, letter = ''] = formatCount(value).split(' ')
      const read = Number(number) * (multiples.get(letter) ?? Number.NaN)
      assert.ok(Math.abs(read - value) <= value / 100, `${value} -> ${number} ${letter}`)
    }),
  )
})

test('times are shown in UTC; other text stays as it is', () => {
  assert.equal(formatTime('2017-03-08T12:09:18+02:00'), '2017-03-08 10:09:18')
  assert.equal(formatTime('soon'), 'soon')
})

test('durations', () => {
  for (const [text, ms] of [
    ['10', 10_000],
    ['250ms', 250],
    ['10s', 10_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['30d', 2_592_000_000],
  ] as const) {
    assert.equal(parseDuration(text), ms)
  }
  for (const text of ['', '0', '-1s', '1.5s', '1w', '367d', 's'])
    assert.throws(() => parseDuration(text), UsageError, text)
})

test('columns are aligned, and nothing in them can leave its row', () => {
  const columns: Column<{ name: string; count: number }>[] = [
    { title: 'NAME', width: 6, text: ({ name }) => name },
    { title: 'COUNT', width: 5, right: true, text: ({ count }) => String(count) },
    { title: 'END', width: 0, text: () => '' },
  ]
  assert.equal(tableHead(columns), 'NAME    COUNT  END')
  assert.equal(tableRow(columns, { name: 'a\nb', count: 7 }), 'a\\x0ab      7')
})
