import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNames } from '../../../src/contract/checks.ts'
import en from '../../messages/en.json' with { type: 'json' }
import { type CheckState, checkText, checkTitle, noticedChecks } from './checks.ts'

const check = (given: Partial<CheckState>): CheckState => ({
  ...{ name: 'store', ok: true, warning: false, detail: '', since: null },
  ...given,
})

test('every check has a name, and words for its failure', () => {
  for (const name of checkNames) {
    assert.ok(Object.hasOwn(en, checkTitle(name)), name)
    assert.ok(Object.hasOwn(en, checkText(check({ name, ok: false }))), name)
    assert.equal(checkText(check({ name })), checkTitle(name))
  }
})

test('what fails comes first, then what warns; a policy that was chosen is passed over', () => {
  const checks = [
    check({ name: 'backups', warning: true }),
    check({ name: 'policy', warning: true }),
    check({ name: 'selfTest', ok: false }),
    check({ name: 'watch' }),
  ]
  const { failing, warning } = noticedChecks(checks)
  assert.deepEqual(
    [failing, warning].map((list) => list.map(({ name }) => name)),
    [['selfTest'], ['backups']],
  )
})
