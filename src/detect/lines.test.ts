// Every threshold is a row that something reads, and the judgement has no number of its own.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Lines } from './lines/line.ts'
import { lines } from './lines.ts'

const source = fileURLToPath(new URL('..', import.meta.url))
const texts = globSync('{detect,serve}/**/*.ts', { cwd: source })
  .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('detect/lines'))
  .map((path) => ({ path, text: withoutComments(readFileSync(`${source}/${path}`, 'utf8')) }))

function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '')
}

const tables: [string, Lines][] = Object.entries(lines)

for (const [name, rows] of tables) {
  test(`${name}: every row is read`, () => {
    const readers = texts.filter(({ text }) => new RegExp(`import \\{ ${name}\\b.*lines/`).test(text))
    const unread = Object.keys(rows).filter((row) => !readers.some(({ text }) => new RegExp(`\\b${row}\\b`).test(text)))
    assert.deepEqual(unread, [])
  })

  test(`${name}: every row says what it decides and why, and refers to rows that exist`, () => {
    for (const [row, { unit, decides, reason }] of Object.entries(rows)) {
      for (const text of [unit, decides, reason]) assert.ok(text.length > 0 && !text.includes('|'), row)
      for (const [, other] of `${decides} ${reason}`.matchAll(/`(\w+)`/g)) {
        const isKnown =
          tables.some(([, rows]) => other in rows) || ['deviate', 'targetsMax', 'quietSeconds'].includes(other)
        assert.ok(isKnown, `${row} refers to ${other}`)
      }
    }
  })
}

/** Lengths of addresses and prefixes, and parts of the address space, which are no thresholds. */
const structural = new Set(['31', '32', '34', '256'])

test('the judgement has no number of its own', () => {
  const loose = texts
    .filter(({ path }) => path.startsWith('detect/judge/'))
    .flatMap(({ path, text }) =>
      [...text.replace(/'[^']*'/g, '').matchAll(/(?<![\w.])\d[\d_]*(?:\.\d+)?/g)]
        .map(([number]) => number)
        .filter((number) => !/^[012]$/.test(number) && !structural.has(number))
        .map((number) => `${path}: ${number}`),
    )
  assert.deepEqual(loose, [])
})
