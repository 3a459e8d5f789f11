// The contract's part on mails that count.
import assert from 'node:assert/strict'
import type { StoreCase } from '../../store-contract.ts'
import { userOf } from './parts.ts'

const hourMs = 3_600_000

export const mailCases: StoreCase[] = [
  {
    name: 'mails of a user count for 24 hours, whoever has the store open',
    async run({ open, clock }) {
      const [store, other] = [await open(), await open()]
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const first = await store.countMail(ann, 3)
      clock.advance(hourMs)
      const second = await other.countMail(ann, 3)
      assert.ok(first !== null && second !== null && first !== second)
      assert.notEqual(await store.countMail(ann, 3), null)
      assert.deepEqual([await store.countMail(ann, 3), await other.countMail(ann, 3)], [null, null])
      assert.notEqual(await store.countMail(bob, 3), null)
      await other.uncountMail(second)
      assert.notEqual(await store.countMail(ann, 3), null)
      assert.equal(await store.countMail(ann, 3), null)
      clock.advance(23 * hourMs - 1)
      assert.equal(await store.countMail(ann, 3), null)
      clock.advance(1)
      assert.notEqual(await store.countMail(ann, 3), null)
      assert.equal(await store.countMail(ann, 3), null)
    },
  },
  {
    name: 'mails that a wrong clock counted ahead count for 24 hours from when it is right',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      clock.advance(1_000 * hourMs)
      await store.countMail(ann, 1)
      clock.advance(-1_000 * hourMs)
      assert.equal(await store.countMail(ann, 1), null)
      clock.advance(24 * hourMs)
      assert.notEqual(await store.countMail(ann, 1), null)
    },
  },
]
