import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { ThreadRequests } from './thread-requests.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

test('each request has its response, in whatever order they come', async () => {
  const requests = new ThreadRequests<string>()
  const ids: number[] = []
  const responses = ['a', 'b'].map(() => requests.request((id) => ids.push(id)))
  requests.respond(ids[1], 'second')
  requests.respond(ids[0], 'first')
  requests.respond(ids[0], 'again')
  assert.deepEqual(await Promise.all(responses), ['first', 'second'])
})

test('a request without a response is given up after five seconds, and the response dropped', async () => {
  const requests = new ThreadRequests<string>()
  let sent = 0
  const response = requests.request((id) => {
    sent = id
  })
  mock.timers.tick(4_999)
  assert.equal(await Promise.race([response.catch(() => 'given up'), Promise.resolve('open')]), 'open')
  mock.timers.tick(1)
  await assert.rejects(response, { code: 'DETECTION_BUSY' })
  requests.respond(sent, 'late')
})
