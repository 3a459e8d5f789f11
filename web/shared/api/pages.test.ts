import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ListPage, renewedPage } from './pages.ts'

const page = (rows: string, next: string | null = null): ListPage<string> => ({ rows: [...rows], next })
const renewed = (known: ListPage<string>, fetched: ListPage<string>) =>
  renewedPage(known, fetched, (row) => row.toLowerCase())

test('a page takes over what has changed in its rows', () => {
  assert.deepEqual(renewed(page('abc', 'c'), page('aBc', 'c')), page('aBc', 'c'))
})

test('rows that are new come before those that are known, and those that no longer fit are kept', () => {
  const grown = renewed(page('def', 'f'), page('cDe', 'e'))
  assert.deepEqual(grown, page('cDef', 'f'))
  assert.deepEqual(grown && renewed(grown, page('abC', 'c')), page('abCDef', 'f'))
})

test('rows that are others are no page renewed', () => {
  const cases: [why: string, known: ListPage<string>, fetched: ListPage<string>][] = [
    ['the first is gone', page('abc', 'c'), page('bcd', 'd')],
    ['one in the middle is gone', page('abc', 'c'), page('acd', 'd')],
    ['one has come in the middle', page('acd', 'd'), page('abc', 'c')],
    ['the last is gone', page('abc'), page('ab')],
    ['one has come at the end', page('ab'), page('abc')],
    ['there are none any more', page('ab'), page('')],
    ['more are new than the page has', page('xyz', 'z'), page('abc', 'c')],
  ]
  for (const [why, known, fetched] of cases) assert.equal(renewed(known, fetched), null, why)
})

test('an empty page becomes what was fetched', () => {
  assert.equal(renewed(page(''), page('ab')), null)
  assert.deepEqual(renewed(page(''), page('')), page(''))
})

test('a page does not grow without end', () => {
  const rows = Array.from({ length: 1_000 }, (_, i) => `row ${i}`)
  const known = { rows, next: 'x' }
  assert.equal(
    renewedPage(known, { rows: ['new', ...rows.slice(0, 199)], next: 'y' }, (row) => row),
    null,
  )
})
