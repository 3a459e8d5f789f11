import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/store.ts'

const key = '8e03978e-40d5-43dd-bc93-6894a57f9324'
let api: TestApi
let admin: TestCaller
let bob: TestCaller
/** Stands between server and store. */
let between: Partial<Store>

beforeEach(async () => {
  between = {}
  api = await createTestApi({
    wrap: (store) => new Proxy(store, { get: (target, name) => Reflect.get({ ...target, ...between }, name) }),
  })
  admin = await api.addCaller('admin@example.net', { scopes: ['read', 'write', 'admin'] })
  bob = await api.addCaller('bob@example.net')
})
afterEach(() => api.close())

const post = (path: string, payload: object, { marked = key, caller = admin } = {}) =>
  api.server.inject({
    method: 'POST',
    url: `/api/v1/${path}`,
    headers: { ...caller.headers, ...(marked === '' ? {} : { 'idempotency-key': marked }) },
    payload,
  })
const groups = async (userId = admin.user.id) => (await api.store.listGroups(userId)).length

describe('a request with an Idempotency-Key', () => {
  it('makes one thing however often it comes, and is answered as the first was', async () => {
    const first = await post('groups', { name: 'Shops' })
    assert.deepEqual([first.statusCode, first.headers['idempotency-replayed']], [200, undefined])
    const again = await post('groups', { name: 'Shops' })
    assert.deepEqual([again.statusCode, again.headers['idempotency-replayed']], [200, 'true'])
    assert.deepEqual(again.json(), first.json())
    assert.equal(await groups(), 1)
    // Without the key the name is taken.
    assert.equal((await post('groups', { name: 'Shops' }, { marked: '' })).statusCode, 409)

    const users = [await post('users', { email: 'new@example.net' }), await post('users', { email: 'new@example.net' })]
    assert.deepEqual(
      users.map(({ statusCode }) => statusCode),
      [200, 200],
    )
    assert.deepEqual(users[0].json(), users[1].json())
  })

  it('is refused with 422 when it asks for something else', async () => {
    await post('groups', { name: 'Shops' })
    const other = await post('groups', { name: 'Banks' })
    assert.equal(other.statusCode, 422, other.body)
    assert.match(other.json().detail, /another request/)
    assert.equal(await groups(), 1)
    assert.equal((await post('groups', { name: 'Banks' }, { marked: randomUUID() })).statusCode, 200)
  })

  it('is of its user and its endpoint alone', async () => {
    await post('groups', { name: 'Shops' })
    const others = await post('groups', { name: 'Shops' }, { caller: bob })
    assert.deepEqual([others.statusCode, others.headers['idempotency-replayed']], [200, undefined])
    assert.equal((await post('users', { email: 'new@example.net' })).statusCode, 200)
  })

  it('is carried out again a day later, and where it was refused', async () => {
    assert.equal((await post('users', { email: 'bob@example.net' })).statusCode, 409)
    assert.equal((await post('users', { email: 'other@example.net' })).statusCode, 200)
    await post('groups', { name: 'Shops' })
    api.clock.advance(86_400_000)
    assert.equal((await post('groups', { name: 'Shops' })).statusCode, 409)
    assert.equal((await post('groups', { name: 'Banks' })).statusCode, 200)
    const missing = await post('sites/192.0.2.1/simulation', {})
    assert.equal(missing.statusCode, 404)
    assert.equal((await post('sites/192.0.2.2/simulation', {})).statusCode, 404)
  })

  it('tells no secret twice, and keeps none', async () => {
    const given = { name: 'poller', scopes: ['read'] }
    const first = await post('tokens', given)
    assert.equal(first.statusCode, 200)
    const again = await post('tokens', given)
    assert.equal(again.statusCode, 409)
    assert.match(again.json().detail, /secret that is shown once/)
    assert.ok(!again.body.includes(first.json().secret))
    assert.equal((await api.store.listTokens(admin.user.id)).length, 2)
    assert.equal((await post('tokens', { ...given, name: 'other' })).statusCode, 422)
  })

  it('is not carried out twice at a time', async () => {
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>()
    between = {
      addGroup: async (userId, name) => {
        begun()
        await mayGoOn
        return api.store.addGroup(userId, name)
      },
    }
    const first = post('groups', { name: 'Shops' })
    await isBegun
    const waiting = await post('groups', { name: 'Shops' })
    assert.equal(waiting.statusCode, 409)
    assert.match(waiting.json().detail, /under way/)
    assert.equal(waiting.headers['retry-after'], '1')
    goOn()
    assert.equal((await first).statusCode, 200)
    assert.equal((await post('groups', { name: 'Shops' })).headers['idempotency-replayed'], 'true')
    assert.equal(await groups(), 1)
  })

  it('says so where nobody knows what came of it', async () => {
    between = { finishRequest: () => Promise.reject(new AppError('STORE_UNAVAILABLE', 'the disk is full')) }
    assert.equal((await post('groups', { name: 'Shops' })).statusCode, 503)
    between = {}
    const again = await post('groups', { name: 'Shops' })
    assert.equal(again.statusCode, 409)
    assert.match(again.json().detail, /not known/)
    assert.equal(await groups(), 1)
  })

  it('needs a key that cannot be guessed, and is behind the credentials', async () => {
    for (const marked of ['short', 'x'.repeat(256), `${key} ${key}`, 'käse-käse-käse-käse']) {
      const answer = await post('groups', { name: 'Shops' }, { marked })
      assert.equal(answer.statusCode, 400, marked)
      assert.equal(answer.json().errors[0].parameter, 'Idempotency-Key')
    }
    await post('groups', { name: 'Shops' })
    const stranger = { headers: { 'idempotency-key': key }, payload: { name: 'Shops' } }
    const answer = await api.server.inject({ method: 'POST', url: '/api/v1/groups', ...stranger })
    assert.equal(answer.statusCode, 401)
  })

  it('changes nothing under /open', async () => {
    const add = (hosts: string[]) =>
      api.server.inject({
        method: 'POST',
        url: '/open/site/add',
        headers: { ...admin.headers, 'idempotency-key': key },
        payload: { hosts },
      })
    const [first, second] = [await add(['192.0.2.1']), await add(['192.0.2.2'])]
    assert.deepEqual([first.json().success, second.json().success], [['192.0.2.1'], ['192.0.2.2']])
  })
})
