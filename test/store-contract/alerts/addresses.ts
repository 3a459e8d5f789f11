// The contract's part on addresses of mail that have to be confirmed.
import assert from 'node:assert/strict'
import type { StoreCase } from '../../store-contract.ts'
import { channelOf, noticeOf, routingOf, settlementOf, takeAll, userOf } from './parts.ts'

const paces = { perAddressHour: 2, perAddressDay: 3, perUserDay: 5 }
const hourMs = 3_600_000

export const addressCases: StoreCase[] = [
  {
    name: 'an address is confirmed for a user, in either case, and what waits for it is due',
    async run({ open, clock }) {
      const store = await open()
      const nowMs = clock.now()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      for (const [id, kind, to] of [
        ['c1', 'mail', 'NOC@example.org'],
        ['c2', 'mail', 'soc@example.org'],
      ] as const)
        await store.addChannel(ann, { ...channelOf(id), kind, settings: { to: [to] } }, 9)
      await store.route(routingOf(0, [[noticeOf(ann, 'e1'), 'c1', 'c2']]))
      for (const each of await takeAll(store, nowMs))
        await store.settle(settlementOf(each, { state: 'due', dueMs: nowMs + hourMs }))
      assert.deepEqual(await takeAll(store, nowMs), [])
      const versionOf = async (id: string) => (await store.channelById(id))?.version
      const [before, other] = [await versionOf('c1'), await versionOf('c2')]
      const made = await store.confirmAddress(ann, 'noc@Example.org')
      assert.deepEqual([made.address, made.confirmedMs], ['noc@Example.org', nowMs])
      assert.deepEqual(
        (await takeAll(store, nowMs)).map(({ channelId }) => channelId),
        ['c1'],
      )
      // An attempt that found nobody to send to says nothing about it any more.
      assert.deepEqual([(await versionOf('c1')) === before, await versionOf('c2')], [false, other])
      clock.advance(1_000)
      assert.deepEqual(await store.confirmAddress(ann, 'noc@example.org'), made)
      assert.deepEqual([await store.addressesOf(ann), await store.addressesOf(bob)], [[made], []])
      assert.deepEqual(await store.addressById(made.id), made)
      await store.deleteUser(ann)
      assert.equal(await store.addressById(made.id), null)
    },
  },
  {
    name: 'an address is asked as often as one user may, and as all may together, which a user who is deleted does not change',
    async run({ open, clock }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      const ask = async (userId: string, address: string) => (await store.askAddress(userId, address, paces)).outcome
      const of = async (userId: string, ...addresses: string[]) => {
        const outcomes: string[] = []
        for (const address of addresses) outcomes.push(await ask(userId, address))
        return outcomes
      }
      assert.deepEqual(await of(ann, 'a@b.example', 'A@b.example', 'a@b.example'), ['asks', 'asks', 'too-often'])
      assert.deepEqual(await of(bob, 'a@b.example', 'a@b.example', 'a@b.example'), ['put-off', 'put-off', 'too-often'])
      await store.deleteUser(ann)
      const cem = await userOf(store, 'cem')
      assert.equal(await ask(cem, 'a@b.example'), 'put-off')
      clock.advance(hourMs)
      assert.deepEqual(await of(cem, 'a@b.example', 'a@b.example'), ['asks', 'put-off'])
      clock.advance(24 * hourMs)
      const many = await of(cem, ...[1, 2, 3, 4, 5, 6].map((n) => `n${n}@b.example`))
      assert.deepEqual(many, ['asks', 'asks', 'asks', 'asks', 'asks', 'too-often'])
    },
  },
  {
    name: 'an asking whose mail was not sent does not count for others, and says why',
    async run({ open, clock }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      for (let n = 0; n < 2; n++) {
        const { id, address } = await store.askAddress(ann, 'a@b.example', paces)
        await store.askingFailed(id, address, 'no connection')
      }
      const [{ problem, askedMs, confirmedMs }] = await store.addressesOf(ann)
      assert.deepEqual([problem, askedMs, confirmedMs], ['no connection', clock.now(), null])
      assert.equal((await store.askAddress(bob, 'a@b.example', paces)).outcome, 'asks')
      // What nobody confirms is forgotten.
      clock.advance(31 * 24 * hourMs)
      await store.askAddress(ann, 'c@d.example', paces)
      assert.deepEqual(
        (await store.addressesOf(ann)).map(({ address }) => address),
        ['c@d.example'],
      )
    },
  },
]
