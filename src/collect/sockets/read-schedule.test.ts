import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { paces, ReadSchedule } from './read-schedule.ts'

const leisureMs = paces[0]
const reach = { few: 0, some: 1 / 8, many: 1 / 2 }

describe('read schedule', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
  afterEach(() => mock.timers.reset())

  /** A socket whose buffer is in use by `share` at each reading; it counts its readings since the last call. */
  function createSocket() {
    let reads = 0
    const socket = {
      share: reach.few as number,
      read: () => {
        reads++
        return socket.share
      },
      readsIn: (ms: number) => {
        reads = 0
        for (let i = 0; i < ms; i++) mock.timers.tick(1)
        return reads
      },
    }
    return socket
  }

  it('reads beside the schedule when asked, at the same pace', () => {
    const schedule = new ReadSchedule()
    const socket = createSocket()
    socket.share = reach.many
    schedule.add(socket.read, 100)
    assert.equal(socket.readsIn(0), 0)
    schedule.readNow()
    schedule.readNow()
    assert.equal(socket.readsIn(leisureMs), 1, 'not faster for it')
    schedule.remove(socket.read)
  })

  it('reads all sockets at the same moments, as seldom as the most hurried of them allows', () => {
    const schedule = new ReadSchedule()
    const [calm, hurried] = [createSocket(), createSocket()]
    schedule.add(calm.read, 100)
    assert.equal(calm.readsIn(leisureMs * 10), 10)
    schedule.add(hurried.read, leisureMs / 3)
    assert.equal(hurried.readsIn(leisureMs * 10), 40)
    assert.equal(calm.readsIn(leisureMs * 10), 40)
    schedule.remove(hurried.read)
    schedule.remove(calm.read)
    assert.equal(calm.readsIn(1_000), 0)
  })

  it('reads more often while much is found, and less often when it is over', () => {
    const schedule = new ReadSchedule()
    const socket = createSocket()
    schedule.add(socket.read, 100)
    socket.share = reach.many
    socket.readsIn(leisureMs * 4)
    assert.equal(socket.readsIn(leisureMs), leisureMs)
    socket.share = reach.some
    assert.equal(socket.readsIn(leisureMs), leisureMs)
    socket.share = reach.few
    socket.readsIn(leisureMs * 4)
    assert.equal(socket.readsIn(leisureMs * 10), 10)
    schedule.remove(socket.read)
  })
})
