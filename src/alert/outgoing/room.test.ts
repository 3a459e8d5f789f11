import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sendingMax, sendingPerUser, sendingToFailing } from '../turns.ts'
import { type Party, Room } from './room.ts'

const longMs = 600_000
const jobs = (count: number, userId: string, isFailing = false): Party[] =>
  Array.from({ length: count }, (_, n) => ({ userId, channelId: `${userId} ${n} ${isFailing}`, isFailing }))

/** Work that goes on until it is let go. */
function hanging() {
  const begun: { job: Party; end: () => void }[] = []
  const work = (job: Party) => new Promise<void>((end) => void begun.push({ job, end }))
  const users = () => begun.map(({ job }) => job.userId).join(' ')
  const endAll = async () => {
    for (let n = 0; n < begun.length; n++) {
      begun[n].end()
      await turn()
    }
  }
  return { begun, work, users, endAll }
}

describe('room', () => {
  it('has a share for each user, whoever comes first', async () => {
    const [room, { begun, work, users, endAll }] = [new Room(), hanging()]
    const first = room.each(jobs(200, 'ann'), work, longMs)
    const second = room.each(jobs(1, 'bob'), work, longMs)
    assert.equal(users(), 'ann ann ann ann bob')
    begun[0].end()
    await turn()
    assert.equal(users(), 'ann ann ann ann bob ann')
    await endAll()
    await Promise.all([first, second])
    assert.deepEqual([begun.length, sendingPerUser], [201, 4])
  })

  it('is given to who has least under way where there is little, and to what works first', async () => {
    const [room, { begun, work, endAll }] = [new Room(), hanging()]
    const crowd = Array.from({ length: 15 }, (_, n) => jobs(sendingPerUser, `crowd${n}`)).flat()
    const all = [room.each([...crowd, ...jobs(3, 'ann')], work, longMs)]
    assert.equal(begun.length, sendingMax - 1)
    all.push(room.each([...jobs(1, 'ann'), ...jobs(2, 'bob', true), ...jobs(1, 'bob')], work, longMs))
    assert.deepEqual([begun.length, begun.at(-1)?.job], [sendingMax, jobs(1, 'bob')[0]])
    begun[0].end()
    await turn()
    assert.deepEqual(begun.at(-1)?.job, jobs(1, 'bob', true)[0])
    await endAll()
    await Promise.all(all)
  })

  it('is small for what failed the last time', async () => {
    const [room, { begun, work, endAll }] = [new Room(), hanging()]
    const failing = Array.from({ length: 100 }, (_, n) => jobs(1, `failing${n}`, true)).flat()
    const all = room.each([...failing, ...jobs(1, 'failing0')], work, longMs)
    assert.equal(begun.length, sendingToFailing + 1)
    await endAll()
    await all
    assert.equal(begun.length, 101)
  })

  it('is given to a channel for one thing at a time, and to each of a user in turn', async () => {
    const [room, { begun, work, endAll }] = [new Room(), hanging()]
    const to = (channelId: string) => ({ userId: 'ann', channelId, isFailing: false })
    const all = room.each([to('a'), to('a'), to('a'), to('b'), to('b')], work, longMs)
    const channels = () => begun.map(({ job }) => job.channelId).join(' ')
    assert.equal(channels(), 'a b')
    begun[1].end()
    await turn()
    assert.equal(channels(), 'a b b')
    begun[0].end()
    await turn()
    assert.equal(channels(), 'a b b a')
    await endAll()
    await all
    assert.equal(channels(), 'a b b a a')
  })

  it('leaves out what has no place in time, and is not waited for by who has it for longer', async () => {
    const [room, { begun, work, endAll }] = [new Room(), hanging()]
    await room.each(jobs(9, 'ann'), work, 1)
    assert.equal(begun.length, sendingPerUser)
    const next = room.each(jobs(9, 'ann'), work, longMs)
    assert.equal(begun.length, sendingPerUser, 'places are those of work, whoever waits for it')
    await endAll()
    await next
    assert.equal(begun.length, sendingPerUser + 9)
  })

  it('gives its place back where work fails', async () => {
    const room = new Room()
    const fail = () => room.each(jobs(9, 'ann'), () => Promise.reject(new Error('no')), longMs)
    await assert.rejects(fail, /no/)
    await room.each(jobs(9, 'ann'), async () => {}, longMs)
  })
})
