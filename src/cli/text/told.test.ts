import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToldChannel } from '../../contract/sites/simulations.ts'
import { tableRow } from './output.ts'
import { endOf, reasonOf, toldColumns } from './told.ts'

const event = { id: 'e', afterSeconds: 1 }
const channelIn = (given: Partial<ToldChannel>): ToldChannel => ({
  ...{ channelId: 'c', channel: 'Phone', kind: 'ntfy', state: 'done', afterSeconds: null },
  ...{ heldBy: null, until: null, text: null, ...given },
})
const done = channelIn({ state: 'done' })
const held = (heldBy: ToldChannel['heldBy']) => channelIn({ state: 'held', heldBy, until: '2026-03-02T06:00:00+00:00' })

test('a wait ends when nothing is to come any more, by what became of each channel, or when the time has run out', () => {
  const rows: [alerts: ToldChannel[], ended: number | null, late: number][] = [
    [[], null, 3],
    [[done], 0, 0],
    [[done, channelIn({ state: 'waiting' })], null, 4],
    [[done, held('group')], null, 4],
    [[done, held('end')], null, 4],
    [[done, channelIn({ state: 'failing' })], null, 4],
    [[channelIn({ state: 'dead' }), channelIn({ state: 'waiting' })], null, 4],
    [[done, channelIn({ state: 'dead' })], 3, 3],
    [[done, channelIn({ state: 'disabled' })], 3, 3],
    [[done, held('quiet'), channelIn({ state: 'pager' })], 0, 0],
    [[held('silence')], 5, 5],
    [[channelIn({ state: 'pager' }), channelIn({ state: 'dropped' })], 5, 5],
  ]
  for (const [alerts, ended, late] of rows) {
    const states = JSON.stringify(alerts.map(({ state }) => state))
    assert.equal(endOf({ state: 'running', event, alerts }, { isLate: false }), ended, states)
    assert.equal(endOf({ state: 'running', event, alerts }, { isLate: true }), late, states)
  }
  assert.equal(endOf({ state: 'over', event, alerts: [] }, { isLate: false }), 3)
  assert.equal(endOf({ state: 'running', event: null, alerts: [] }, { isLate: false }), null)
  for (const isLate of [false, true]) assert.equal(endOf({ state: 'over', event: null, alerts: [] }, { isLate }), 1)
  assert.equal(endOf({ state: 'running', event: null, alerts: [] }, { isLate: true }), 4)
})

test('what is said names the channels, and why one is not told', () => {
  assert.match(reasonOf(3, { event, alerts: [] }), /no rule/)
  assert.match(
    reasonOf(3, { event, alerts: [done, channelIn({ state: 'dead', channel: 'Pager' })] }),
    /for good.*: Pager$/,
  )
  assert.match(reasonOf(4, { event, alerts: [held('group'), done] }), /time ran out.*: Phone$/)
  assert.match(reasonOf(5, { event, alerts: [held('quiet')] }), /held back on purpose/)
  assert.match(reasonOf(4, { event: null, alerts: null }), /time ran out.*no event/)
  const lines = [
    channelIn({ afterSeconds: 4.2 }),
    held('quiet'),
    channelIn({ state: 'failing', text: 'HTTP 500' }),
    channelIn({ state: 'pager' }),
  ].map((each) => tableRow(toldColumns, each))
  assert.deepEqual(lines, [
    'done        4.2 s  ntfy          Phone',
    'held            -  ntfy          Phone                 held by quiet hours until 2026-03-02 06:00:00 UTC',
    'failing         -  ntfy          Phone                 HTTP 500',
    'pager           -  ntfy          Phone                 no rule that fits sends tests to pagers',
  ])
})
