// The contract's part on groups, and on sites as they are looked for.
import assert from 'node:assert/strict'
import type { Store } from '../../src/store/store.ts'
import { addEvents, eventOf } from '../helpers/events.ts'
import type { StoreCase } from '../store-contract.ts'

async function twoUsers(store: Store): Promise<[ann: string, bob: string]> {
  const limits = { siteQuota: 100, allowed: null }
  const ann = await store.addUser({ email: 'ann@example.com', ...limits })
  const bob = await store.addUser({ email: 'bob@example.com', ...limits })
  return [ann.id, bob.id]
}

export const groupCases: StoreCase[] = [
  {
    name: 'a group is made, listed by name, renamed and deleted by its user alone; its sites have its name',
    async run({ open, clock }) {
      const store = await open()
      const [ann, bob] = await twoUsers(store)
      const shops = await store.addGroup(ann, 'Shops')
      const mail = await store.addGroup(ann, 'mail')
      assert.deepEqual(shops, { id: shops.id, name: 'Shops', createdMs: clock.now(), siteCount: 0 })
      await store.addSites(ann, ['192.0.2.1', '192.0.2.2'], 1)
      await store.addSites(bob, ['192.0.2.1'], 1)
      let version = await store.sitesVersion()
      const rises = async () => {
        const before = version
        version = await store.sitesVersion()
        return version > before
      }
      assert.deepEqual(await store.setGroup(ann, ['192.0.2.1', '192.0.2.9'], shops.id), [true, false])
      assert.ok(await rises())
      const groupOf = async (user: string) =>
        (await store.listSites(user)).map(({ groupId, groupName }) => [groupId, groupName])
      assert.deepEqual(await groupOf(ann), [
        [shops.id, 'Shops'],
        [null, ''],
      ])
      assert.deepEqual(await store.listGroups(ann), [mail, { ...shops, siteCount: 1 }])
      assert.deepEqual(await store.listGroups(bob), [])

      assert.deepEqual(await store.renameGroup(ann, shops.id, 'Läden'), { ...shops, name: 'Läden', siteCount: 1 })
      assert.ok(await rises())
      assert.deepEqual((await groupOf(ann))[0], [shops.id, 'Läden'])
      assert.equal(await store.renameGroup(bob, shops.id, 'x'), null)
      assert.equal(await store.deleteGroup(bob, shops.id), false)
      await assert.rejects(store.setGroup(bob, ['192.0.2.1'], shops.id), { code: 'NOT_FOUND' })
      // Nobody has to read all sites again for what changes none of them.
      assert.deepEqual(await store.renameGroup(ann, mail.id, 'Mail'), { ...mail, name: 'Mail' })
      await store.renameGroup(ann, mail.id, 'mail')
      assert.equal(await rises(), false)
      assert.deepEqual(await groupOf(bob), [[null, '']])

      assert.equal(await store.deleteGroup(ann, shops.id), true)
      assert.equal(await store.deleteGroup(ann, shops.id), false)
      assert.deepEqual(await groupOf(ann), [
        [null, ''],
        [null, ''],
      ])
      await store.setGroup(ann, ['192.0.2.2'], mail.id)
      assert.deepEqual(await store.setGroup(ann, ['192.0.2.2'], null), [true])
      assert.deepEqual((await groupOf(ann))[1], [null, ''])
    },
  },
  {
    name: 'a name of a group is taken once by each user, without case; there are 1,000 groups at most',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = await twoUsers(store)
      const shops = await store.addGroup(ann, 'Shops')
      await store.addGroup(bob, 'Shops')
      await assert.rejects(store.addGroup(ann, 'sHOPS'), { code: 'CONFLICT' })
      const mail = await store.addGroup(ann, 'Mail')
      await assert.rejects(store.renameGroup(ann, mail.id, 'shops'), { code: 'CONFLICT' })
      assert.equal((await store.renameGroup(ann, shops.id, 'SHOPS'))?.name, 'SHOPS')
      for (let n = 2; n < 1_000; n++) await store.addGroup(ann, `g${n}`)
      await assert.rejects(store.addGroup(ann, 'one more'), { code: 'CONFLICT' })
    },
  },
  {
    name: 'sites that fit a text best come first, those of a group of that name last',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = await twoUsers(store)
      const hosts = ['api.example', 'eshop.example', 'my.shop.example', 'shop', 'shop.example', '*.shop.example']
      await store.addSites(ann, hosts, 1)
      await store.addSites(bob, ['shop.test'], 1)
      const { id } = await store.addGroup(ann, 'Shops')
      await store.setGroup(ann, ['api.example', 'shop.example'], id)
      const find = async (text: string, limit: number) =>
        (await store.bestSites(ann, text, limit)).map(({ host }) => host)
      const best = ['shop', 'shop.example', '*.shop.example', 'my.shop.example', 'eshop.example', 'api.example']
      assert.deepEqual(await find('shop', 9), best)
      assert.deepEqual(await find('shop', 2), best.slice(0, 2))
      assert.deepEqual(await find('%', 9), [])
    },
  },
  {
    name: 'sites are found by text, group and state, page by page in order of host',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = await twoUsers(store)
      await store.addSites(ann, ['b.example', 'a.example', 'c.test', '192.0.2.0/24'], 1)
      await store.addSites(bob, ['d.example'], 1)
      const { id } = await store.addGroup(ann, 'Exam')
      await store.setGroup(ann, ['c.test'], id)
      await store.setEnabled(ann, ['b.example'], false)
      const find = async (filter: Parameters<Store['findSites']>[1]['filter'], after = '', limit = 10) => {
        const { sites, total } = await store.findSites(ann, { filter, after, limit })
        return [total, ...sites.map(({ host }) => host)]
      }
      assert.deepEqual(await find({}), [4, '192.0.2.0/24', 'a.example', 'b.example', 'c.test'])
      assert.deepEqual(await find({}, '192.0.2.0/24', 2), [4, 'a.example', 'b.example'])
      assert.deepEqual(await find({ text: 'exam' }), [3, 'a.example', 'b.example', 'c.test'])
      assert.deepEqual(await find({ text: '%' }), [0])
      assert.deepEqual(await find({ groupId: id }), [1, 'c.test'])
      assert.deepEqual(await find({ groupId: null, enabled: true }), [2, '192.0.2.0/24', 'a.example'])
      assert.deepEqual(await find({ enabled: false }), [1, 'b.example'])
    },
  },
  {
    name: 'the events of sites are told in short, of each user alone',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = await twoUsers(store)
      const events = [
        eventOf(ann, 1, { site: 'a.example', createdMs: 1e15, endMs: 5 }),
        eventOf(ann, 2, { site: 'a.example', createdMs: 2e15 }),
        eventOf(ann, 3, { site: 'b.example', createdMs: 1e15, endMs: 5 }),
        eventOf(bob, 4, { site: 'a.example', createdMs: 3e15 }),
      ]
      await addEvents(store, events)
      const told = await store.eventsOfSites(ann, ['a.example', 'b.example', 'c.example'])
      assert.deepEqual(
        told.map(({ open: attacks, last }) => [attacks, last?.id ?? null]),
        [
          [1, events[1].id],
          [0, events[2].id],
          [0, null],
        ],
      )
    },
  },
]
