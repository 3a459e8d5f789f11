import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { siteOf } from '../../../test/helpers/sites.ts'
import { Newcomers } from './newcomers.ts'
import { compileSites } from './site-index.ts'

const www = 'www.example.com'
const indexOf = (...users: string[]) => compileSites(users.map((user) => siteOf(user, www)))

describe('who is new to a name', () => {
  it('knows what is answered from then on, and others know what they knew', () => {
    const newcomers = new Newcomers()
    assert.deepEqual(
      newcomers.take(indexOf('ann'), indexOf('ann', 'bob'), () => true),
      [www],
    )
    const before = { name: www, confirmedMs: 500 }
    assert.deepEqual([newcomers.knows('ann', before), newcomers.knows('bob', before)], [true, false])
    assert.ok(newcomers.isWaiting('bob', www) && !newcomers.isWaiting('ann', www))
    newcomers.answered(www, false, 900)
    assert.deepEqual([newcomers.isWaiting('bob', www), newcomers.fromMs('bob', www)], [false, Number.POSITIVE_INFINITY])
    newcomers.answered(www, true, 1_000)
    newcomers.answered(www, true, 2_000)
    assert.deepEqual(
      [500, 1_000].map((confirmedMs) => newcomers.knows('bob', { name: www, confirmedMs })),
      [false, true],
    )
  })

  it('is nobody where the name was never asked, nor whoever has it already', () => {
    const newcomers = new Newcomers()
    assert.deepEqual(
      newcomers.take(indexOf('ann'), indexOf('ann', 'bob'), () => false),
      [],
    )
    assert.deepEqual(
      newcomers.take(indexOf('ann', 'bob'), indexOf('ann', 'bob'), () => true),
      [],
    )
    assert.ok(newcomers.knows('bob', { name: www, confirmedMs: 0 }))
  })

  it('is new again after having left, and forgotten when nothing of before is left', () => {
    const newcomers = new Newcomers()
    newcomers.take(indexOf('ann'), indexOf('ann', 'bob'), () => true)
    newcomers.answered(www, true, 1_000)
    newcomers.take(indexOf('ann', 'bob'), indexOf('ann'), () => true)
    assert.equal(newcomers.fromMs('bob', www), 0)
    newcomers.take(indexOf('ann'), indexOf('ann', 'bob'), () => true)
    assert.ok(newcomers.isWaiting('bob', www))
    newcomers.answered(www, true, 5_000)
    newcomers.prune(2 * 86_400_000)
    assert.equal(newcomers.fromMs('bob', www), 5_000)
    newcomers.prune(2 * 86_400_000 + 5_000)
    assert.equal(newcomers.fromMs('bob', www), 0)
  })
})
