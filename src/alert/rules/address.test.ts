import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileRules, destinationsOf, judgeAll, type Recipient } from './address.ts'
import type { Occasion } from './judge.ts'
import { anyAttack, firstRule, type Rule } from './rule.ts'

const occasion: Occasion = {
  ...{ kind: 'started', severity: 'high', severityBefore: null, label: null, address: 1, isTest: false, atMs: 0 },
  ...{ sites: ['a.example.com'], groups: [] },
}
const channels: Recipient[] = [
  { id: 'a1', userId: 'ann', isDisabled: false, isForPeople: false, isPager: false, quiet: null },
  { id: 'a2', userId: 'ann', isDisabled: false, isForPeople: false, isPager: false, quiet: null },
  { id: 'a3', userId: 'ann', isDisabled: true, isForPeople: false, isPager: false, quiet: null },
  { id: 'e1', userId: 'eve', isDisabled: false, isForPeople: false, isPager: false, quiet: null },
]
const ruleOf = (id: string, given: Partial<Rule> = {}): Rule => ({
  ...firstRule,
  id,
  userId: 'ann',
  name: id,
  ...given,
})
const low = { when: { ...anyAttack, severities: ['low' as const] } }
const ofEve = { userId: 'eve', reach: 'installation' as const }

describe('destinations', () => {
  type Row = [
    what: string,
    rules: Rule[],
    told: string,
    given?: { occasion?: Partial<Occasion>; reached?: string[]; isFirst?: boolean },
  ]
  const rows: Row[] = [
    ['are every channel that is not disabled', [ruleOf('r')], 'a1 r, a2 r'],
    ['are the channels that the rule names', [ruleOf('r', { send: ['a2', 'a3', 'gone', 'e1'] })], 'a2 r'],
    ['are nobody without a rule', [], ''],
    ['are nobody where no rule fits', [ruleOf('r', low)], ''],
    ['are told once, by the first rule that fits', [ruleOf('r', { send: ['a2'] }), ruleOf('s')], 'a2 r, a1 s'],
    ['are those before a stop', [ruleOf('r', { send: ['a2'], stop: true }), ruleOf('s')], 'a2 r'],
    ['are not stopped by a rule that does not fit', [ruleOf('r', { ...low, stop: true }), ruleOf('s')], 'a1 s, a2 s'],
    ['are an admin’s, too', [ruleOf('r', { send: ['a1'] }), ruleOf('e', ofEve)], 'a1 r, e1 e'],
    ['of an admin are not stopped by an owner', [ruleOf('r', { stop: true }), ruleOf('e', ofEve)], 'a1 r, a2 r, e1 e'],
    ['are no admin’s for the second owner of an attack', [ruleOf('e', ofEve)], '', { isFirst: false }],
    [
      'of an end are those that were told',
      [ruleOf('r')],
      'a2 -, a3 -',
      { occasion: { kind: 'ended' }, reached: ['a2', 'a3'] },
    ],
    ['of an end are nobody who was not told', [ruleOf('r')], '', { occasion: { kind: 'ended' } }],
    [
      'of a return are those that were told, and those by the rules',
      [ruleOf('r')],
      'a1 r, a2 r',
      { occasion: { kind: 'resumed' }, reached: ['a2'] },
    ],
    [
      'of a return are those that were told, whatever the rules say',
      [ruleOf('r', low)],
      'a2 -',
      { occasion: { kind: 'resumed' }, reached: ['a2'] },
    ],
    [
      'of what worsens are by the rules alone',
      [ruleOf('r', low)],
      '',
      { occasion: { kind: 'worsened' }, reached: ['a2'] },
    ],
  ]
  for (const [what, rules, told, { occasion: given, reached = [], isFirst = true } = {}] of rows)
    it(what, () => {
      const own = { ...occasion, ...given }
      const found = destinationsOf(
        { own, installation: isFirst ? own : null },
        { rules: compileRules(rules), channels, reached: new Set(reached) },
      )
      assert.equal(found.map(({ channelId, ruleId }) => `${channelId} ${ruleId ?? '-'}`).join(', '), told)
    })
})

describe('what rules say', () => {
  it('is said of each: what is not met, that it fits, that it is not looked at', () => {
    const rules = [ruleOf('r', low), ruleOf('s', { stop: true }), ruleOf('t'), ruleOf('e', ofEve)]
    const said = judgeAll(compileRules(rules), { own: occasion, installation: occasion })
    assert.deepEqual(
      said.map(({ rule: { id }, unmet }) => [id, unmet]),
      [
        ['r', 'severity'],
        ['s', null],
        ['t', 'stopped'],
        ['e', null],
      ],
    )
  })
})
