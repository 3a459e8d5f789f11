import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseKey } from '../../net/address.ts'
import { compileHolds, compileQuiet, type Holder, holderKey, parseHolderKey, type Silence } from './hold.ts'
import type { Occasion } from './judge.ts'
import type { TimeWindow } from './time-window.ts'

const nowMs = Date.parse('2026-03-02T23:00:00Z')
const hour = 3_600_000
const attack: Occasion = {
  ...{ kind: 'started', severity: 'high', severityBefore: null, label: 'UDP@amplification@NTP', atMs: nowMs },
  ...{ isTest: false, address: parseKey('198.51.100.7'), sites: ['shop.example.net'], groups: ['g1'] },
}
const silence: Silence = {
  ...{ id: 's1', userId: 'ann', reason: 'a move', sites: [], groups: [], vectors: [] },
  ...{ fromMs: nowMs, untilMs: nowMs + 2 * hour, createdMs: 0 },
}
const night: TimeWindow = { timeZone: 'UTC', days: [], hours: '22:00-07:00' }

describe('a hold', () => {
  type Row = [
    what: string,
    silences: Partial<Silence>[],
    hold: string | null,
    given?: { quiet?: TimeWindow; occasion?: Partial<Occasion>; nowMs?: number },
  ]
  const rows: Row[] = [
    ['is not there where nothing asks for it', [], null],
    ['is that of a silence about everything', [{}], 's1 +2'],
    ['is not that of another user', [{ userId: 'bob' }], null],
    ['begins when the silence does', [{ fromMs: nowMs + 1 }], null],
    ['ends when the silence does', [{}], null, { nowMs: nowMs + 2 * hour }],
    ['lasts until then', [{}], 's1 +2', { nowMs: nowMs + 2 * hour - 1 }],
    ['is about the sites of the silence', [{ sites: ['*.example.net'] }], 's1 +2'],
    ['is about no other sites', [{ sites: ['*.example.org'] }], null],
    ['is about its groups', [{ groups: ['g1'] }], 's1 +2'],
    ['is about its vectors', [{ vectors: ['udp@amp*'] }], 's1 +2'],
    ['is about no other vectors', [{ sites: ['*.example.net'], vectors: ['tcp*'] }], null],
    [
      'is that which ends last',
      [{}, { id: 's2', untilMs: nowMs + 3 * hour }, { id: 's3', untilMs: nowMs + hour }],
      's2 +3',
    ],
    ['is that of quiet hours', [], 'quiet +8', { quiet: night }],
    ['is not there outside of quiet hours', [], null, { quiet: night, nowMs: nowMs + 8 * hour }],
    ['of quiet hours is not for what is critical', [], null, { quiet: night, occasion: { severity: 'critical' } }],
    ['of a silence is for what is critical, too', [{}], 's1 +2', { quiet: night, occasion: { severity: 'critical' } }],
    ['is that of quiet hours where they end last', [{}], 'quiet +8', { quiet: night }],
    ['of quiet hours that never end is looked at again', [], 'quiet +1', { quiet: { ...night, hours: null } }],
  ]
  for (const [what, silences, hold, { quiet, occasion, nowMs: at = nowMs } = {}] of rows)
    it(what, () => {
      const holdOf = compileHolds(silences.map((each) => ({ ...silence, ...each })))
      const found = holdOf({ ...attack, ...occasion }, { userId: 'ann', quiet: compileQuiet(quiet ?? null) }, at)
      assert.equal(found === null ? null : `${holderKey(found)} +${(found.untilMs - nowMs) / hour}`, hold)
    })
})

describe('what holds back', () => {
  it('is kept as a word, or as the id of a silence', () => {
    const holders: Holder[] = [{ by: 'quiet' }, { by: 'end' }, { by: 'group' }, { by: 'silence', silenceId: '0a1b' }]
    assert.deepEqual(holders.map(holderKey), ['quiet', 'end', 'group', '0a1b'])
    assert.deepEqual(holders.map(holderKey).map(parseHolderKey), holders)
  })
})
