import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseKey } from '../../net/address.ts'
import { compileRule, type Occasion, type Unmet } from './judge.ts'
import { anyAttack, type RuleCondition } from './rule.ts'
import type { TimeWindow } from './time-window.ts'

const attack: Occasion = {
  ...{ kind: 'started', severity: 'high', severityBefore: null, label: 'UDP@amplification@NTP' },
  ...{ isTest: false, address: parseKey('198.51.100.7'), sites: ['shop.example.net'], groups: ['g1'] },
  // A Monday.
  atMs: Date.parse('2026-03-02T20:00:00Z'),
}

describe('a rule', () => {
  type Row = [what: string, when: Partial<RuleCondition>, occasion: Partial<Occasion>, unmet: Unmet | null]
  const rows: Row[] = [
    ['takes any attack where it asks for nothing', {}, {}, null],
    ['takes what is as severe as it asks', { severities: ['high', 'critical'] }, {}, null],
    ['leaves what is less severe', { severities: ['critical'] }, {}, 'severity'],
    ['takes a label as it is', { vectors: ['UDP@amplification@NTP'] }, {}, null],
    ['takes a label without regard to case', { vectors: ['udp@amp*'] }, {}, null],
    ['takes a label by its end', { vectors: ['*@ntp'] }, {}, null],
    ['takes a label by parts in order', { vectors: ['udp*amp*ntp'] }, {}, null],
    ['leaves a label whose parts are in another order', { vectors: ['*ntp*amp*'] }, {}, 'vector'],
    ['leaves a label whose parts would overlap', { vectors: ['udp@amplification@n*@ntp'] }, {}, 'vector'],
    ['leaves a label that only begins so', { vectors: ['udp'] }, {}, 'vector'],
    ['takes one of several labels', { vectors: ['tcp*', 'udp*'] }, {}, null],
    ['takes an unknown kind by that word', { vectors: ['unknown'] }, { label: null }, null],
    ['leaves an unknown kind', { vectors: ['udp*'] }, { label: null }, 'vector'],
    ['reads no pattern but the star', { vectors: ['udp.amplification.ntp'] }, {}, 'vector'],
    ['takes the site itself', { sites: ['shop.example.net'] }, {}, null],
    ['takes a site below a wildcard', { sites: ['*.example.net'] }, {}, null],
    ['takes a wildcard’s own name', { sites: ['*.shop.example.net'] }, {}, null],
    ['takes a wildcard within a wildcard', { sites: ['*.example.net'] }, { sites: ['*.shop.example.net'] }, null],
    ['leaves a wildcard above', { sites: ['*.shop.example.net'] }, { sites: ['*.example.net'] }, 'site'],
    ['leaves a name that only ends so', { sites: ['*.example.net'] }, { sites: ['shopexample.net'] }, 'site'],
    ['leaves a name below a name', { sites: ['example.net'] }, {}, 'site'],
    ['takes a network with the victim', { sites: ['198.51.100.0/24'] }, {}, null],
    ['takes a network with the site', { sites: ['192.0.2.0/24'] }, { sites: ['192.0.2.128/25'] }, null],
    ['leaves a network within the site', { sites: ['192.0.2.0/25'] }, { sites: ['192.0.2.0/24'] }, 'site'],
    ['takes an address', { sites: ['198.51.100.7'] }, {}, null],
    ['leaves another address', { sites: ['198.51.100.8'] }, {}, 'site'],
    ['takes any site of the attack', { sites: ['b.example.com'] }, { sites: ['a.example', 'b.example.com'] }, null],
    ['takes a group', { groups: ['g1'] }, {}, null],
    ['leaves another group', { groups: ['g2'] }, {}, 'site'],
    ['takes a site or a group', { sites: ['other.example'], groups: ['g1'] }, {}, null],
    ['takes nothing by a text that is no site', { sites: ['nowhere'] }, {}, 'site'],
    ['takes an attack that came back as one that begins', {}, { kind: 'resumed' }, null],
    ['leaves a kind that it does not ask for', { notices: ['worsened'] }, {}, 'notice'],
    ['leaves a new vector unless it asks', {}, { kind: 'vector' }, 'notice'],
    ['takes a new vector where it asks', { notices: ['vector'] }, { kind: 'vector' }, null],
    ['takes what became high', {}, { kind: 'worsened', severityBefore: 'low' }, null],
    [
      'leaves what became medium, having been told',
      {},
      { kind: 'worsened', severityBefore: 'low', severity: 'medium' },
      'notice',
    ],
    [
      'takes what became medium where it asked for no less',
      { severities: ['medium', 'high'] },
      { kind: 'worsened', severityBefore: 'low', severity: 'medium' },
      null,
    ],
    ['takes no end by itself', {}, { kind: 'ended' }, 'notice'],
    ['takes no going on by itself', {}, { kind: 'continues' }, 'notice'],
    ['says the first that is not met', { severities: ['low'], vectors: ['tcp*'] }, {}, 'severity'],
  ]
  for (const [what, when, occasion, unmet] of rows)
    it(what, () => {
      const judge = compileRule({ when: { ...anyAttack, ...when }, at: null })
      assert.equal(judge({ ...attack, ...occasion }), unmet)
    })

  it('fits at its time alone', () => {
    const at: TimeWindow = { timeZone: 'UTC', days: ['mon'], hours: '18:00-08:00' }
    const judge = compileRule({ when: anyAttack, at })
    const asked = [attack.atMs, attack.atMs + 11 * 3_600_000, attack.atMs + 12 * 3_600_000]
    assert.deepEqual(
      asked.map((atMs) => judge({ ...attack, atMs })),
      [null, null, 'time'],
    )
  })
})
