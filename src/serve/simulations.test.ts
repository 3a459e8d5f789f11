// Simulated attacks over real sockets; the test is the pipeline.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { eventOf } from '../../test/helpers/events.ts'
import { reportOf } from '../../test/helpers/reports.ts'
import { until } from '../../test/helpers/until.ts'
import { systemClock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { partId } from '../events/known-part.ts'
import { createLogger } from '../log.ts'
import type { SimulationTag } from '../pipeline/simulate/traffic.ts'
import { SimulationBook } from './simulation-book.ts'
import { SimulationRunner } from './simulations.ts'

let collector: Socket
let book: SimulationBook
let runner: SimulationRunner
let received: { address: string; port: number; domain: number }[]
let begun: SimulationTag[]
let ended: string[]
let answer: () => Promise<void>

beforeEach(async () => {
  received = []
  begun = []
  ended = []
  answer = async () => {}
  collector = createSocket('udp4')
  collector.on('message', (message, { address, port }) => {
    received.push({ address, port, domain: message.readUInt32BE(12) })
  })
  collector.bind(0, '0.0.0.0')
  await once(collector, 'listening')
  book = new SimulationBook()
  runner = new SimulationRunner({
    book,
    clock: systemClock,
    log: createLogger('silent'),
    pipeline: {
      listeners: [{ host: '0.0.0.0', port: collector.address().port }],
      beginSimulation: async (tag) => {
        assert.deepEqual(received, [], 'nothing is sent before it is known')
        begun.push(tag)
        await answer()
      },
      endSimulation: (simulation) => ended.push(simulation),
    },
  })
})

afterEach(() => {
  runner.stop()
  collector.close()
})

const start = (site = 'a', user = 'ann', isTold = false) =>
  runner.start({
    user: { id: user, email: `${user}@example.net` },
    site,
    address: 0xc000_020a,
    vector: 'ntp',
    packetsPerSecond: 100_000,
    seconds: 60,
    isTold,
  })

const codeOf = (error: unknown) => error instanceof AppError && error.code
const refused = (code: string) => (error: unknown) => codeOf(error) === code

describe('a simulated attack', () => {
  it('is sent from the socket that the collectors expect, until it is stopped, and then is over', async () => {
    await start()
    await until('it is sent', async () => received.length > 5)
    const [tag] = begun
    for (const each of received) assert.deepEqual(each, { address: tag.address, port: tag.port, domain: tag.domain })
    assert.equal(runner.of('ann', 'a')?.isRunning, true)
    assert.deepEqual([runner.of('bob', 'a'), runner.of('ann', 'b'), runner.stopAt('bob', 'a')], [null, null, null])
    const stopped = runner.stopAt('ann', 'a')
    assert.ok((stopped?.endsMs ?? Number.POSITIVE_INFINITY) <= Date.now())
    await until('it is over', async () => runner.of('ann', 'a')?.isRunning === false)
    assert.equal(ended[0], tag.simulation)
    // What was sent before the end may wait in the socket for a while.
    let before = -1
    for (let i = 0; i < 20 && before !== received.length; i++) {
      before = received.length
      await new Promise((resolve) => setTimeout(resolve, 600))
    }
    assert.equal(received.length, before)
  })

  it('is known with its owner and the first event that came of it', async () => {
    await start()
    const { simulation } = begun[0]
    const reports = ['a', 'b'].map((incident) => reportOf({ incident }))
    assert.equal(book.ownerOf({ simulation, reports }), 'ann')
    assert.equal(book.ownerOf({ simulation: 'another', reports }), null)
    const events = reports.map((report, n) =>
      eventOf('ann', n, { incident: partId(report.incident, 5_000), createdMs: n }),
    )
    book.noteEvents([eventOf('ann', 3), ...events])
    assert.deepEqual(runner.of('ann', 'a')?.event, { id: events[0].id, createdMs: 0 })
    assert.deepEqual(book.counts, { begun: 1, found: 1, refused: 0 })
  })

  it('is told about where its user asked for it, and nobody else’s', async () => {
    await start('a', 'ann', true)
    await start('b')
    const [told, quiet] = begun.map(({ simulation }, n) => {
      book.ownerOf({ simulation, reports: [reportOf({ incident: `i${n}` })] })
      return book.tells(partId(`i${n}`, 5_000))
    })
    assert.deepEqual([told, quiet, book.tells('i0'), book.tells('another')], [true, false, true, false])
  })

  it('is one at a time on a site, two of a user, eight in all', async () => {
    await start()
    await assert.rejects(start(), refused('CONFLICT'))
    await start('b')
    await assert.rejects(start('c'), refused('TOO_MANY_REQUESTS'))
    for (const user of ['bob', 'cid', 'dan']) for (const site of ['a', 'b']) await start(site, user)
    assert.equal(book.running().length, 8)
    await assert.rejects(start('a', 'eve'), refused('TOO_MANY_REQUESTS'))
    assert.equal(book.counts.refused, 2)
    runner.stop()
    assert.equal(book.running().length, 0)
    await start()
  })

  it('does not begin when the collectors do not answer', async () => {
    answer = () => Promise.reject(new AppError('DETECTION_BUSY', 'no answer'))
    await assert.rejects(start(), refused('DETECTION_BUSY'))
    assert.deepEqual([book.running().length, book.counts.begun, ended], [0, 0, [begun[0].simulation]])
    answer = async () => {}
    await start()
  })

  it('that is ended while it begins sends nothing', async () => {
    const answered = Promise.withResolvers<void>()
    answer = () => answered.promise
    const refusal = assert.rejects(start(), refused('CONFLICT'))
    await until('the collectors are asked', async () => begun.length === 1)
    runner.stop()
    answered.resolve()
    await refusal
    assert.deepEqual([book.running().length, ended], [0, [begun[0].simulation]])
    await new Promise((resolve) => setTimeout(resolve, 600))
    assert.deepEqual(received, [])
  })
})
