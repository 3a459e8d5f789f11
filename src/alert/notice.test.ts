import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { eventOf } from '../../test/helpers/events.ts'
import type { ChangeKind } from '../events/changes.ts'
import { noticesOf, type Told } from './notice.ts'

const weak = { packetsPerSecond: 100, bytesPerSecond: 1_000 }
const strong = { packetsPerSecond: 200_000, bytesPerSecond: 1e9 }
const event = (given = {}) =>
  eventOf('ann', 1, { label: 'syn_flood', worst: weak, normalPacketsPerSecond: 10, ...given })
const over = { endMs: 9_000 }

function kinds(told: Told | null, given: object, ...changes: ChangeKind[]) {
  return noticesOf(told, event(given), changes, 5_000).notices.map(({ kind, number }) => `${number} ${kind}`)
}

const toldOf = (given: Partial<Told> = {}): Told => ({
  severity: 'low',
  label: 'syn_flood',
  isOver: false,
  number: 1,
  ...given,
})

describe('notices', () => {
  it('say each thing that happened, in order', () => {
    assert.deepEqual(kinds(null, { endMs: null }, 'made'), ['1 started'])
    assert.deepEqual(kinds(null, over, 'made', 'ended'), ['1 started', '2 ended'])
    assert.deepEqual(kinds(toldOf(), over, 'ended'), ['2 ended'])
    assert.deepEqual(kinds(toldOf({ isOver: true, number: 2 }), { endMs: null }, 'returned'), ['3 resumed'])
    assert.deepEqual(kinds(toldOf(), over, 'ended', 'returned', 'ended'), ['2 ended', '3 resumed', '4 ended'])
  })

  it('say that it is worse or of another kind, and never that it is less', () => {
    assert.deepEqual(kinds(toldOf(), { endMs: null, worst: strong }, 'updated'), ['2 worsened'])
    assert.deepEqual(kinds(toldOf(), { endMs: null, label: null }, 'updated'), ['2 vector'])
    assert.deepEqual(kinds(toldOf(), { endMs: null, worst: strong, label: 'udp_flood' }, 'updated'), [
      '2 worsened',
      '3 vector',
    ])
    const critical = toldOf({ severity: 'critical' })
    assert.deepEqual(kinds(critical, { endMs: null }, 'updated'), [])
    assert.equal(noticesOf(critical, event(), ['updated'], 0).told?.severity, 'critical')
  })

  it('say nothing where nothing is new', () => {
    assert.deepEqual(kinds(toldOf(), { endMs: null }, 'updated'), [])
    assert.deepEqual(kinds(toldOf({ isOver: true }), over, 'closed'), [])
  })

  it('go by the event where the log of changes lacks something', () => {
    assert.deepEqual(kinds(null, { endMs: null }, 'updated'), ['1 started'])
    assert.deepEqual(kinds(toldOf(), over, 'closed'), ['2 ended'])
    assert.deepEqual(kinds(toldOf({ isOver: true }), { endMs: null }, 'updated'), ['2 resumed'])
    assert.deepEqual(kinds(null, over, 'closed'), [])
  })

  it('carry what was told before', () => {
    const { notices } = noticesOf(toldOf(), event({ endMs: null, worst: strong }), ['updated'], 5_000)
    assert.deepEqual(notices, [
      {
        userId: 'ann',
        eventId: event().id,
        kind: 'worsened',
        number: 2,
        atMs: 5_000,
        facts: { severity: 'critical', label: 'syn_flood', before: { severity: 'low', label: 'syn_flood' } },
      },
    ])
  })

  it('alternate between beginning and end, whatever happened and however it was read', () => {
    const change = fc.constantFrom<ChangeKind>('made', 'updated', 'ended', 'returned', 'closed')
    const look = fc.record({ changes: fc.array(change, { maxLength: 6 }), isOver: fc.boolean() })
    fc.assert(
      fc.property(fc.array(look, { maxLength: 10 }), (looks) => {
        let told: Told | null = null
        let isOver = true
        let number = 0
        for (const { changes, isOver: ended } of looks) {
          const next = noticesOf(told, event({ endMs: ended ? 9_000 : null }), changes, 0)
          told = next.told
          for (const notice of next.notices) {
            assert.equal(notice.number, ++number)
            if (notice.kind === 'ended') assert.equal(isOver, false)
            if (notice.kind === 'started') assert.equal(notice.number, 1)
            if (notice.kind === 'started' || notice.kind === 'resumed') assert.equal(isOver, true)
            isOver = notice.kind === 'ended'
          }
          if (told !== null) assert.equal(isOver, ended)
        }
      }),
    )
  })
})
