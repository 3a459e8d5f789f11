// The self-test over real sockets; the test is the pipeline, and moves the time of timers.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { reportOf } from '../../../test/helpers/reports.ts'
import { systemClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { createLogger } from '../../log.ts'
import type { SimulationTag } from '../../pipeline/simulate/traffic.ts'
import { Probes, probeAddress } from './probe.ts'
import { SelfTest } from './self-test.ts'

const log = createLogger('silent')
let sockets: Socket[]
let begun: SimulationTag[]
let ended: string[]
let delays: number[]
/** Whether an attack that arrives at a port is found. */
let isFound: (port: number) => boolean
let busy: boolean
let disk: string | null
let probes: Probes
let selfTest: SelfTest

async function listen(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.on('message', (_, from) => {
    const tag = begun.findLast((each) => each.port === from.port)
    const reports = [reportOf({ address: probeAddress })]
    if (tag !== undefined && isFound(port)) probes.take({ simulation: tag.simulation, reports })
  })
  return socket
}

function create(collectors = 1): SelfTest {
  return new SelfTest({
    probes,
    pipeline: {
      listeners: sockets.map((socket) => ({ host: '127.0.0.1', port: socket.address().port })),
      collectors,
      beginSimulation: async (tag) => {
        if (busy) throw new AppError('DETECTION_BUSY', 'no answer within 5000 ms')
        begun.push(tag)
      },
      endSimulation: (simulation) => ended.push(simulation),
    },
    store: {
      checkWritable: async () => {
        if (disk !== null) throw new AppError('STORE_UNAVAILABLE', disk)
      },
    },
    clock: systemClock,
    log,
    onDelay: (seconds) => delays.push(seconds),
  })
}

beforeEach(async () => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  begun = []
  ended = []
  delays = []
  isFound = () => true
  busy = false
  disk = null
  probes = new Probes()
  sockets = []
  for (let i = 0; i < 2; i++) sockets.push(await listen())
  selfTest = create()
})

afterEach(async () => {
  await selfTest.stop()
  for (const socket of sockets) socket.close()
  mock.timers.reset()
})

/** Lets what was sent arrive, and what follows from it happen. */
async function settle(done: () => boolean): Promise<void> {
  for (let turns = 0; turns < 20_000 && !done(); turns++) await immediate()
}

/** Lets a test come to its end; `fails`: it waits in vain. */
async function finish(before: number, fails = false): Promise<void> {
  const isOver = () => selfTest.tasks[0].counts.runs > before && selfTest.counts.found + selfTest.counts.failed >= total
  const total = selfTest.counts.found + selfTest.counts.failed + sockets.length
  if (fails) {
    await settle(() => begun.length > ended.length)
    await immediate()
    for (let i = 0; i < 40; i++) {
      mock.timers.tick(250)
      await immediate()
    }
  }
  await settle(isOver)
  for (let turns = 0; turns < 20; turns++) await immediate()
}

/** Makes the next test, after one period or six. */
async function next(fails = false): Promise<void> {
  const { runs } = selfTest.tasks[0].counts
  const tests = begun.length
  for (let periods = 0; periods < 7 && begun.length === tests; periods++) {
    mock.timers.tick(10_000)
    await settle(() => begun.length > tests || selfTest.tasks[0].counts.runs > runs + periods)
    for (let turns = 0; turns < 200; turns++) await immediate()
  }
  await finish(runs, fails)
}

describe('the self-test', () => {
  it('attacks every port, with a victim of its own, and says how long it took', async () => {
    assert.deepEqual(selfTest.check(), { ok: false, detail: 'a simulated attack is under way' })
    selfTest.start()
    await finish(0)
    assert.deepEqual(
      begun.map(({ probe }) => probe),
      [probeAddress, probeAddress],
    )
    assert.deepEqual(ended.toSorted(), begun.map(({ simulation }) => simulation).toSorted())
    assert.equal(delays.length, 2)
    const { ok, detail } = selfTest.check()
    assert.equal(ok, true)
    assert.match(detail, /^a simulated attack was found after 0\.\d s, \d s ago$/)
  })

  it('is made again after a minute', async () => {
    selfTest.start()
    await finish(0)
    for (let periods = 1; periods <= 5; periods++) {
      mock.timers.tick(10_000)
      for (let turns = 0; turns < 20; turns++) await immediate()
    }
    assert.equal(begun.length, 2)
    mock.timers.tick(10_000)
    await finish(6)
    assert.equal(begun.length, 4)
    assert.deepEqual(selfTest.counts, { found: 4, failed: 0 })
  })

  it('fails for a port that nobody reads, twice, and is well again with the next attack that is found', async () => {
    selfTest.start()
    await finish(0)
    const dead = sockets[1].address().port
    isFound = (port) => port !== dead
    await next(true)
    assert.equal(selfTest.check().ok, true, 'a machine may be busy once')
    await next(true)
    const { ok, detail } = selfTest.check()
    assert.deepEqual(
      [ok, detail],
      [false, `a simulated attack at 127.0.0.1:${dead} was not found, 2 times: it was not found within 10 s`],
    )
    isFound = () => true
    await next()
    assert.equal(selfTest.check().ok, true)
  })

  it('fails at once where none was ever found', async () => {
    isFound = () => false
    selfTest.start()
    await finish(0, true)
    assert.match(selfTest.check().detail, /^none was found yet at 127/)
    assert.equal(selfTest.last, null)
  })

  it('says that a collector does not answer, and that nothing can be written', async () => {
    busy = true
    selfTest.start()
    await finish(0)
    assert.match(selfTest.check().detail, /a collector does not answer$/)
    busy = false
    disk = 'the disk is full'
    await next()
    assert.match(selfTest.check().detail, /the disk is full$/)
    assert.deepEqual(selfTest.counts, { found: 0, failed: 4 })
  })

  it('believes a port that several collectors share after more attacks were found', async () => {
    selfTest = create(2)
    selfTest.start()
    await finish(0)
    isFound = () => false
    for (let i = 0; i < 2; i++) await next(true)
    isFound = () => true
    for (let i = 0; i < 7; i++) await next()
    assert.equal(selfTest.check().ok, false)
    await next()
    assert.equal(selfTest.check().ok, true)
  })

  it('leaves the reports of other simulations alone, and ends with the service', async () => {
    isFound = () => false
    selfTest.start()
    await settle(() => begun.length === 2)
    assert.equal(probes.take({ simulation: 'another', reports: [] }), false)
    await selfTest.stop()
    assert.deepEqual([ended.length, selfTest.counts.failed], [2, 0])
  })
})
