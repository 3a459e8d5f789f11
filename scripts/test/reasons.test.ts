import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { heading, linesMax, reasonsOf } from './reasons.ts'

/** What `node --test` printed of two files that fail in every way. */
const recorded = readFileSync(join(import.meta.dirname, 'recorded-failures.txt'), 'utf8')

describe('why a run failed', () => {
  it('is each failed test with its file, and the beginning of its error; what only fell with its suite stands last', () => {
    assert.deepEqual(reasonsOf(recorded), [
      '✖ a site is listed once (src/a.test.ts:4:3)',
      '  AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:',
      '  + actual - expected',
      '    {',
      '      sites: [',
      "        'a',",
      "  +     'b'",
      '      ],',
      '  +   total: 2',
      '  -   total: 1',
      "    actual: { sites: [ 'a', 'b' ], total: 2 },",
      '✖ throws (src/a.test.ts:6:30)',
      '  Error: the store is closed',
      '    [cause]: TypeError: no file',
      '✖ whose set-up fails (src/a.test.ts:8:1)',
      '  Error: no port',
      '✖ first part (src/a.test.ts:9:53)',
      '  AssertionError [ERR_ASSERTION]: The input did not match the regular expression /d/. Input:',
      "  'abc'",
      "    actual: 'abc',",
      '    expected: /d/,',
      '✖ hangs (src/a.test.ts:10:1)',
      "  'test timed out after 50ms'",
      '✖ src/b.test.ts (src/b.test.ts:1:1)',
      '  cannot load',
      '✖ x (src/a.test.ts:8:86)',
      "  'test did not finish before its parent and was cancelled'",
      '✖ y (src/a.test.ts:8:107)',
      "  'test did not finish before its parent and was cancelled'",
    ])
  })

  it('is the same in colours, and where the output of other jobs stands around it', () => {
    const coloured = recorded.replaceAll('✖', '\u001b[31m✖\u001b[39m')
    const reasons = reasonsOf(recorded)
    assert.deepEqual(reasonsOf(`✔ src/net (3 tests)\n${coloured}\nsrc/api: ended with status 1\n✔ src/geo\n`), reasons)
  })

  it('has forty lines at most, of which the last says how many were left out', () => {
    const all = reasonsOf(recorded).length
    const many = reasonsOf(recorded.repeat(3))
    assert.equal(many.length, linesMax)
    assert.equal(many.at(-1), `  (${3 * all - linesMax + 1} more lines: see above)`)
  })

  it('is what the run itself said at its end, where it said so', () => {
    assert.deepEqual(
      reasonsOf(`${recorded}\n${heading}\nformat and lint: ended with status 1\n  src/a.ts:1:1 format\n`),
      ['format and lint: ended with status 1', '  src/a.ts:1:1 format'],
    )
  })

  it('is the end of the output where no test failed', () => {
    const lines = Array.from({ length: 30 }, (_, line) => `line ${line}`)
    assert.deepEqual(reasonsOf(`${lines.join('\n')}\n\n`), lines.slice(10))
  })
})
