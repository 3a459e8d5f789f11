// What only a real connection shows: requests that are no HTTP, slow clients, back-pressure, closing.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createTestApi,
  eventOf,
  type TestApi,
  type TestApiOptions,
  type TestCaller,
} from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import type { Store } from '../../store/store.ts'

/** Enough to fill what the kernel keeps of a connection several times. */
const eventsCount = 12_000
const longSite = 'x'.repeat(3_000)

let api: TestApi
let caller: TestCaller
let port = 0
let reads = 0

const counted = (store: Store): Store => ({
  ...store,
  entriesBetween: (userId, window) => {
    reads++
    return store.entriesBetween(userId, window)
  },
})

async function start(settings: TestApiOptions['settings']) {
  api = await createTestApi({ wrap: counted, settings: { ratePerMinute: 0, ...settings } })
  caller = await api.addCaller('ann@example.net')
  port = Number(new URL(await api.server.listen({ host: '127.0.0.1', port: 0 })).port)
}

const stop = () => api.close()

const auth = () =>
  Object.entries(caller.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

async function open(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** Everything that the server says until it closes the connection. */
async function exchange(text: string): Promise<string> {
  const socket = await open(text)
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'close')
  return answer
}

const problemOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
const get = (path: string, rest = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${auth()}${rest}\r\n`

describe('requests that are no HTTP', () => {
  before(() => start({}))
  after(stop)

  const cases: [name: string, text: string, status: number][] = [
    ['noise', 'hello\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 400],
    ['an unknown method', 'FETCH /open/site HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 400],
    ['two lengths', 'POST /open/site/add HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['no Host', 'GET /open/site HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', 400],
    ['a head that is too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a target that is too long', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ]
  for (const [name, text, status] of cases) {
    it(`${name} gets a problem`, async () => {
      const answer = await exchange(text)
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
      assert.match(answer, /content-type: application\/problem\+json/i)
      assert.equal(problemOf(answer).status, status)
      assert.doesNotMatch(answer, /\.ts|\bat /)
    })
  }

  it('after a good one do not spoil its answer', async () => {
    const answer = await exchange(`GET /open/event/ddos HTTP/1.1\r\nHost: x\r\n${auth()}\r\nnonsense\r\n\r\n`)
    assert.doesNotMatch(answer, /problem\+json/)
  })
})

describe('ordinary requests', () => {
  before(() => start({}))
  after(stop)

  it('HTTP/1.0 without Host is answered', async () => {
    assert.match(await exchange(`GET /open/site HTTP/1.0\r\n${auth()}\r\n`), /^HTTP\/1\.1 200 OK/)
  })

  it('an expectation that is not known is passed over', async () => {
    assert.match(await exchange(get('/open/site', 'Expect: the-best\r\n')), /^HTTP\/1\.1 200 OK/)
  })

  it('a wrong method is told also where the whole address is asked for', async () => {
    const answer = await exchange('PUT http://x/open/site HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 405 .*allow: GET, HEAD, OPTIONS\r\n/s)
  })

  it('HEAD has no body, and the connection goes on', async () => {
    const answer = await exchange(
      `HEAD /open/site HTTP/1.1\r\nHost: x\r\n${auth()}\r\nHEAD /open/event/ddos HTTP/1.1\r\nHost: x\r\n${auth()}\r\n${get('/healthz')}`,
    )
    assert.deepEqual(
      answer.split('\r\n\r\n').map((part) => /^(?:HTTP\/1.1 \d+|\{.*\})/.exec(part)?.[0]),
      ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200', '{"status":"ok"}'],
    )
  })

  it('a body of more than 1 MiB, announced or not, is 413', async () => {
    const head = `POST /open/site/add HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${auth()}`
    assert.match(await exchange(`${head}Content-Length: 1048577\r\n\r\n`), /^HTTP\/1\.1 413 /)
    const chunk = 'a'.repeat(0x110000)
    const chunked = await exchange(`${head}Transfer-Encoding: chunked\r\n\r\n110000\r\n${chunk}\r\n0\r\n\r\n`)
    assert.match(chunked, /^HTTP\/1\.1 413 /)
  })
})

describe('slow clients', () => {
  before(() => start({ headerTimeoutSeconds: 1, requestTimeoutSeconds: 1 }))
  after(stop)

  it('that do not finish the head get 408', async () => {
    const answer = await exchange('GET / HTTP/1.1\r\nHost: x\r\n')
    assert.match(answer, /^HTTP\/1.1 408 /)
    assert.equal(problemOf(answer).status, 408)
  })

  it('that do not finish the body get 408', async () => {
    const answer = await exchange(
      `POST /open/site/add HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n${auth()}\r\n{"hosts":`,
    )
    assert.match(answer, /^HTTP\/1.1 408 /)
  })
})

describe('a long answer', () => {
  before(async () => {
    await start({ idleTimeoutSeconds: 1 })
    const events = Array.from({ length: eventsCount }, (_, n) => eventOf(caller.user.id, n, { site: longSite }))
    await addEvents(api.store, events)
  })
  after(stop)

  it('that is not taken is not read from the store, and is broken off in time', async () => {
    reads = 0
    const socket = await open(get('/open/event/ddos'))
    socket.on('error', () => {})
    await once(socket, 'readable')
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    assert.ok(reads < eventsCount / 1_000, `${reads} reads`)
    socket.resume()
    await once(socket, 'close')
    assert.ok(reads < eventsCount / 1_000, `${reads} reads`)
  })

  it('ends when the client goes away', async () => {
    reads = 0
    const socket = await open(get('/open/event/ddos'))
    socket.on('error', () => {})
    await once(socket, 'readable')
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.ok(reads < eventsCount / 1_000, `${reads} reads`)
  })

  it('does not hold up others', async () => {
    const order: string[] = []
    const long = exchange(get('/open/event/ddos')).then((text) => order.push(`long ${text.length > 1e6}`))
    await exchange(get('/healthz')).then(() => order.push('short'))
    await long
    assert.deepEqual(order, ['short', 'long true'])
  })
})

describe('too many connections', () => {
  it('leave some to this machine, of which the one that was idle for longest gives way', async (t) => {
    const small = await createTestApi({ settings: { connectionsMax: 8, metrics: 'anyone' } })
    const at = Number(new URL(await small.server.listen({ host: '127.0.0.1', port: 0 })).port)
    const sockets: Socket[] = []
    t.after(async () => {
      for (const socket of sockets) socket.destroy()
      await small.close()
    })
    for (let n = 0; n < 30; n++) {
      const socket = connect(at, '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'data')
    }
    while (sockets.filter(({ destroyed }) => destroyed).length < 6) await delay(5)
    assert.deepEqual(
      sockets.map(({ destroyed }) => destroyed),
      Array.from({ length: 30 }, (_, n) => n >= 8 && n < 14),
    )
    const metrics = await small.server.inject({ url: '/metrics' })
    assert.match(metrics.body, /connections_refused_total\{reason="gave_way"\} 6/)
    assert.equal(small.tables.connections().holder, '127.0.0.1/32')
  })
})
