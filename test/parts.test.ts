import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { alone, findTests, long } from '../scripts/test/jobs.ts'

const filesOf = (part: 'short' | 'long') =>
  findTests(part).flatMap(({ args }) => args.filter((each) => each.endsWith('.test.ts')))

test('every file with tests is run by `npm test` or by `npm run test:long`, once by each, or has a stage of its own', () => {
  const [short, long] = [filesOf('short'), filesOf('long')]
  for (const files of [short, long]) assert.equal(new Set(files).size, files.length)
  const exclude = ['**/node_modules/**', 'web/dist/**']
  assert.deepEqual([...new Set([...short, ...long]), ...alone].sort(), globSync('**/*.test.ts', { exclude }).sort())
})

test('what runs alone is a stage of `.ci/run`', () => {
  const stages = readFileSync('.ci/run', 'utf8')
  for (const file of alone) assert.match(stages, new RegExp(`run_tests ${RegExp.escape(file)}$`, 'm'))
})

test('the tests that compute for long are there', () => {
  assert.deepEqual(
    long.filter((path) => !existsSync(path)),
    [],
  )
})
