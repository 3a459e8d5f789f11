// The contract's part on sites.
import assert from 'node:assert/strict'
import { requireHostRecord } from '../../src/access/host-record.ts'
import type { Store } from '../../src/store/store.ts'
import { addEvents, eventOf } from '../helpers/events.ts'
import type { StoreCase } from '../store-contract.ts'

async function userOf(store: Store, name: string, siteQuota = 10): Promise<string> {
  return (await store.addUser({ email: `${name}@example.com`, siteQuota, allowed: null })).id
}

const hostsOf = async (store: Store, userId: string) => (await store.listSites(userId)).map(({ host }) => host)

export const siteCases: StoreCase[] = [
  {
    name: 'sites are counted by user',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [
        await store.addUser({ email: 'ann@example.com', siteQuota: 9, allowed: null }),
        await store.addUser({ email: 'bob@example.com', siteQuota: 9, allowed: null }),
      ]
      await store.addSites(ann.id, ['192.0.2.1', '192.0.2.2'], 1)
      await store.setEnabled(ann.id, ['192.0.2.1'], false)
      assert.deepEqual(await store.countSites(), new Map([[ann.id, 2]]))
      await store.addSites(bob.id, ['192.0.2.1'], 1)
      assert.equal((await store.countSites()).get(bob.id), 1)
    },
  },
  {
    name: 'a site is added once, enabled, and adding it again changes nothing',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      assert.deepEqual(await store.addSites(ann, ['a.example', 'b.example', 'a.example'], 5), [
        'added',
        'added',
        'exists',
      ])
      await store.setEnabled(ann, ['a.example'], false)
      assert.deepEqual(await store.addSites(ann, ['a.example'], 9), ['exists'])
      assert.deepEqual(await store.listSites(ann), [
        {
          userId: ann,
          host: 'a.example',
          record: requireHostRecord('a.example'),
          enabled: false,
          createdMs: 5,
          watchedMs: 5,
          groupId: null,
          groupName: '',
        },
        {
          userId: ann,
          host: 'b.example',
          record: requireHostRecord('b.example'),
          enabled: true,
          createdMs: 5,
          watchedMs: 5,
          groupId: null,
          groupName: '',
        },
      ])
    },
  },
  {
    name: 'sites are listed in the order in which they were added, then by host',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addSites(ann, ['z.example', 'm.example'], 1)
      await store.addSites(ann, ['b.example', 'a.example'], 2)
      assert.deepEqual(await hostsOf(store, ann), ['m.example', 'z.example', 'a.example', 'b.example'])
    },
  },
  {
    name: 'sites are found by their hosts, those of the user alone',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.addSites(ann, ['a.example', 'b.example'], 1)
      await store.addSites(bob, ['c.example'], 2)
      await store.setEnabled(ann, ['b.example'], false)
      const found = await store.sitesAmong(ann, ['b.example', 'c.example', 'd.example', '%'])
      assert.deepEqual(found, [
        {
          userId: ann,
          host: 'b.example',
          record: requireHostRecord('b.example'),
          enabled: false,
          createdMs: 1,
          watchedMs: 1,
          groupId: null,
          groupName: '',
        },
      ])
      assert.deepEqual(await store.sitesAmong(ann, []), [])
    },
  },
  {
    name: 'the quota holds for what is new: in a batch, after deleting, and when it is lowered',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann', 2)
      const add = (...hosts: string[]) => store.addSites(ann, hosts, 1)
      assert.deepEqual(await add('a.b', 'c.d', 'e.f', 'a.b'), ['added', 'added', 'over-quota', 'exists'])
      await store.deleteSites(ann, ['a.b'])
      assert.deepEqual(await add('e.f', 'g.h'), ['added', 'over-quota'])
      await store.updateUser(ann, { siteQuota: 0 })
      assert.deepEqual(await add('c.d', 'x.y'), ['exists', 'over-quota'])
      assert.deepEqual(await hostsOf(store, ann), ['c.d', 'e.f'])
      await assert.rejects(store.addSites('nobody', ['a.b'], 1), { code: 'NOT_FOUND' })
    },
  },
  {
    name: 'only the owner enables, disables and deletes; the answer is true for the own sites',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.addSites(ann, ['a.b', 'both.example'], 1)
      await store.addSites(bob, ['both.example'], 2)
      assert.deepEqual(await store.setEnabled(bob, ['a.b', 'both.example', 'none'], false), [false, true, false])
      assert.deepEqual(await store.deleteSites(bob, ['both.example', 'a.b', 'both.example']), [true, false, false])
      assert.deepEqual(await hostsOf(store, bob), [])
      assert.deepEqual(
        (await store.listSites(ann)).map(({ host, enabled }) => [host, enabled]),
        [
          ['a.b', true],
          ['both.example', true],
        ],
      )
      assert.deepEqual(await store.setEnabled(ann, ['a.b'], true), [true])
      assert.deepEqual([await store.setEnabled(ann, [], true), await store.deleteSites(ann, [])], [[], []])
    },
  },
  {
    name: "everyone's enabled sites are watched",
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [await userOf(store, 'ann'), await userOf(store, 'bob')]
      await store.addSites(ann, ['a.b', 'c.d'], 1)
      await store.addSites(bob, ['a.b'], 1)
      await store.setEnabled(ann, ['c.d'], false)
      const watched = (await store.enabledSites()).map(({ userId, host }) => `${userId} ${host}`)
      assert.deepEqual(watched.toSorted(), [`${ann} a.b`, `${bob} a.b`].toSorted())
    },
  },
  {
    name: 'the version of the sites rises with every change of them, by whichever process, and with nothing else',
    async run({ open }) {
      const [store, other] = [await open(), await open()]
      const ann = await userOf(store, 'ann')
      const rises = async (rise: number, change: () => Promise<unknown>) => {
        const before = await other.sitesVersion()
        await change()
        assert.equal((await other.sitesVersion()) - before, rise)
      }
      await rises(1, () => store.addSites(ann, ['a.b', 'c.d'], 1))
      await rises(0, () => store.addSites(ann, ['a.b'], 1))
      await rises(1, () => store.setEnabled(ann, ['a.b'], false))
      await rises(1, () => store.deleteSites(ann, ['a.b', 'none']))
      await rises(0, () => store.deleteSites(ann, ['a.b']))
      await rises(0, () => store.setEnabled(ann, ['none'], true))
      await rises(0, () => store.listSites(ann))
      await rises(1, () => store.updateUser(ann, { allowed: { networks: [], domains: ['a.b'] } }))
      await rises(1, () => store.updateUser(ann, { policy: 'verified' }))
      await rises(0, () => store.updateUser(ann, { siteQuota: 5 }))
    },
  },
  {
    name: 'deleting a site keeps its events',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addSites(ann, ['192.0.2.0/24'], 1)
      await addEvents(store, [eventOf(ann, 1)])
      await store.deleteSites(ann, ['192.0.2.0/24'])
      assert.notEqual(await store.eventById(ann, eventOf(ann, 1).id), null)
    },
  },
  {
    name: 'hosts are data: quotes, wildcards of SQL and NUL match only themselves',
    async run({ open }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      const hosts = ["o'neil.example", '%', '_', "'; DROP TABLE sites; --", 'a\u0000b']
      await store.addSites(ann, hosts, 1)
      assert.deepEqual(await hostsOf(store, ann), hosts.toSorted())
      assert.deepEqual(await store.deleteSites(ann, ['%']), [true])
      assert.equal((await store.listSites(ann)).length, hosts.length - 1)
      assert.deepEqual(await store.deleteSites(ann, ['a']), [false])
    },
  },
]
