// What is generated from declarations is committed, so that it can be read and reviewed; here it is shown to be fresh.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generate } from '../scripts/generate.ts'
import { rules } from '../src/collect/health/findings.ts'

for (const [path, content] of generate()) {
  test(`${path} is what npm run generate makes`, () => {
    const committed = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
    assert.ok(committed === content, `${path} is stale: npm run generate`)
  })
}

test('the console says of findings what their rules say', () => {
  const english = JSON.parse(readFileSync(new URL('../web/messages/en.json', import.meta.url), 'utf8'))
  const said = Object.fromEntries(Object.entries(english).filter(([key]) => key.startsWith('finding.')))
  const entries = rules.flatMap(({ rule, about, advice }) => [
    [`finding.${rule}.about`, about],
    [`finding.${rule}.advice`, advice],
  ])
  assert.deepEqual(said, Object.fromEntries(entries))
})
