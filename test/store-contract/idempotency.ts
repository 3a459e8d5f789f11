// The contract's part on requests that were marked with a key.
import assert from 'node:assert/strict'
import { idempotencyLimits } from '../../src/store/idempotency.ts'
import type { StoreCase } from '../store-contract.ts'

const limits = { siteQuota: 10, allowed: null }
const hash = (text: string) => new Uint8Array(Buffer.from(text))

export const idempotencyCases: StoreCase[] = [
  {
    name: 'a marked request is begun once, and its answer known for a day, by user, route and key',
    async run({ open, clock }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      const request = { userId: ann.id, route: 'addGroup', keyHash: hash('1') }
      const begin = (given: Partial<typeof request> = {}) => store.beginRequest({ ...request, ...given }, hash('body'))
      assert.equal(await begin(), null)
      const known = await begin()
      assert.deepEqual([Buffer.from(known?.bodyHash ?? []).toString(), known?.answer], ['body', null])
      await store.finishRequest(request, '{"a":1}')
      assert.equal((await begin())?.answer, '{"a":1}')
      for (const other of [{ userId: bob.id }, { route: 'addUser' }, { keyHash: hash('2') }])
        assert.equal(await begin(other), null)

      clock.advance(idempotencyLimits.keepMs - 1)
      assert.notEqual(await begin(), null)
      clock.advance(1)
      assert.equal(await begin(), null)
      await store.abandonRequest(request)
      assert.equal(await begin(), null)
      await store.deleteUser(ann.id)
      await store.finishRequest(request, '{}')
    },
  },
  {
    name: 'of too many marked requests of a user the oldest are forgotten, and none of others',
    async run({ open, clock }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      const begin = (n: number, userId = ann.id) =>
        store.beginRequest({ userId, route: 'addGroup', keyHash: hash(String(n)) }, hash('x'))
      await begin(0, bob.id)
      for (let n = 0; n < idempotencyLimits.perUserMax; n++) {
        await begin(n)
        clock.advance(1)
      }
      assert.notEqual(await begin(0), null)
      assert.equal(await begin(idempotencyLimits.perUserMax), null)
      assert.notEqual(await begin(1), null)
      assert.equal(await begin(0), null)
      assert.notEqual(await begin(0, bob.id), null)
    },
  },
]
