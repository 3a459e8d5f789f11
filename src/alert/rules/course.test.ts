import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TurnKind } from '../notice.ts'
import { type Course, courseOf, type Known, knownAfter } from './course.ts'
import type { Hold } from './hold.ts'

const night: Hold = { by: 'quiet', untilMs: 700 }
const works: Hold = { by: 'silence', silenceId: 's1', untilMs: 900 }
const end: Hold = { by: 'end', untilMs: 60 }
const nothing: Known = { lastTold: null, held: null }

describe('the course of a notice', () => {
  type Row = [what: string, kind: TurnKind, known: Partial<Known>, hold: Hold | null, Course]
  const rows: Row[] = [
    ['a beginning is told', 'started', {}, null, { what: 'now' }],
    ['a beginning is held back', 'started', {}, night, { what: 'hold', hold: night }],
    ['an end is told where the beginning was', 'ended', { lastTold: 'started' }, null, { what: 'now' }],
    ['an end is told through whatever holds back', 'ended', { lastTold: 'started' }, night, { what: 'now' }],
    ['an end is told after what worsened', 'ended', { lastTold: 'worsened' }, works, { what: 'now' }],
    [
      'an end takes the place of what is held back',
      'ended',
      { lastTold: 'started', held: night },
      night,
      { what: 'now' },
    ],
    [
      'an end joins its beginning where that was held back',
      'ended',
      { held: works },
      night,
      { what: 'hold', hold: works },
    ],
    [
      'an end joins its beginning though the hold is just over',
      'ended',
      { held: works },
      null,
      { what: 'hold', hold: works },
    ],
    ['an end is not told twice', 'ended', { lastTold: 'ended' }, null, { what: 'keep' }],
    ['an end is told to nobody who knows nothing', 'ended', {}, null, { what: 'keep' }],
    [
      'the end of a return joins it where that was held back',
      'ended',
      { lastTold: 'ended', held: night },
      night,
      { what: 'hold', hold: night },
    ],
    ['a return is told', 'resumed', { lastTold: 'ended' }, null, { what: 'now' }],
    ['a return is held back', 'resumed', { lastTold: 'ended' }, night, { what: 'hold', hold: night }],
    [
      'a return cancels an end that was held back',
      'resumed',
      { lastTold: 'started', held: end },
      null,
      { what: 'drop' },
    ],
    ['a return cancels it under a hold, too', 'resumed', { lastTold: 'started', held: end }, night, { what: 'drop' }],
    [
      'a return takes the place of what both were held back',
      'resumed',
      { held: night },
      night,
      { what: 'hold', hold: night },
    ],
    [
      'what worsens takes the place of what is held back',
      'worsened',
      { held: night },
      night,
      { what: 'hold', hold: night },
    ],
    ['what worsens is told where nothing holds it back', 'worsened', { held: night }, null, { what: 'now' }],
    ['that it goes on is told', 'continues', { lastTold: 'started' }, null, { what: 'now' }],
    ['that it goes on is not held back', 'continues', { lastTold: 'started' }, night, { what: 'keep' }],
    [
      'that it goes on leaves what is held back',
      'continues',
      { lastTold: 'started', held: works },
      works,
      { what: 'keep' },
    ],
    ['that it goes on is told to nobody who knows nothing', 'continues', { held: night }, null, { what: 'keep' }],
  ]
  for (const [what, kind, known, hold, course] of rows)
    it(what, () => assert.deepEqual(courseOf(kind, { ...nothing, ...known }, hold), course))

  it('changes what the channel knows', () => {
    const before: Known = { lastTold: 'started', held: night }
    assert.deepEqual(knownAfter('ended', before, { what: 'now' }), { lastTold: 'ended', held: null })
    assert.deepEqual(knownAfter('resumed', before, { what: 'drop' }), { lastTold: 'started', held: null })
    assert.deepEqual(knownAfter('vector', before, { what: 'hold', hold: works }), { lastTold: 'started', held: works })
    assert.deepEqual(knownAfter('continues', before, { what: 'keep' }), before)
  })
})
