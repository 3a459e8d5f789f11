// The contract's part on keeping users apart: whatever two of them do, neither ever sees a row of the other.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Store } from '../../src/store/store.ts'
import { addEvents, eventOf } from '../helpers/events.ts'
import { fuzzRuns } from '../helpers/fuzz.ts'
import type { StoreCase } from '../store-contract.ts'

/** What a user must see: made from the own operations alone. */
interface Model {
  sites: Map<string, boolean>
  events: Map<string, string>
}

interface Operation {
  who: 0 | 1
  verb: 'add' | 'enable' | 'disable' | 'delete' | 'event' | 'read'
  hosts: string[]
}

const quota = 4
const operation: fc.Arbitrary<Operation> = fc.record({
  who: fc.constantFrom(0, 1),
  verb: fc.constantFrom('add', 'enable', 'disable', 'delete', 'event', 'read'),
  hosts: fc.array(fc.constantFrom('a.example', 'b.example', '*.example', '192.0.2.1', '192.0.2.0/24', 'c.example'), {
    minLength: 1,
    maxLength: 4,
  }),
})

function addToModel(model: Model, host: string) {
  if (model.sites.has(host)) return 'exists'
  if (model.sites.size >= quota) return 'over-quota'
  model.sites.set(host, true)
  return 'added'
}

function setInModel(model: Model, host: string, enabled: boolean): boolean {
  if (!model.sites.has(host)) return false
  model.sites.set(host, enabled)
  return true
}

/** Does the operation on both, and compares the answers. */
async function perform(
  store: Store,
  userId: string,
  { model, operation: { verb, hosts }, number }: Step,
): Promise<void> {
  if (verb === 'add') {
    const outcomes = hosts.map((host) => addToModel(model, host))
    assert.deepEqual(await store.addSites(userId, hosts, number), outcomes)
  } else if (verb === 'enable' || verb === 'disable') {
    const answers = hosts.map((host) => setInModel(model, host, verb === 'enable'))
    assert.deepEqual(await store.setEnabled(userId, hosts, verb === 'enable'), answers)
  } else if (verb === 'delete') {
    const answers = hosts.map((host) => model.sites.delete(host))
    assert.deepEqual(await store.deleteSites(userId, hosts), answers)
  } else if (verb === 'event') {
    const [event] = await addEvents(store, [eventOf(userId, number, { site: hosts[0] })])
    model.events.set(event.id, hosts[0])
  }
}

interface Step {
  model: Model
  operation: Operation
  number: number
}

async function sees(store: Store, userId: string, { own, other }: { own: Model; other: Model }): Promise<void> {
  const sites = await store.listSites(userId)
  assert.deepEqual(new Map(sites.map(({ host, enabled }) => [host, enabled])), own.sites)
  assert.equal(
    sites.every((site) => site.userId === userId),
    true,
  )
  const events = await store.eventsBetween(userId, { fromMs: null, toMs: null, after: null, limit: 1_000 })
  assert.deepEqual(new Map(events.map(({ id, site }) => [id, site])), own.events)
  for (const id of other.events.keys()) assert.equal(await store.eventById(userId, id), null)
  for (const id of own.events.keys()) assert.equal((await store.eventById(userId, id))?.userId, userId)
}

export const isolationCases: StoreCase[] = [
  {
    name: 'two users, random operations: each sees the own rows, all of them, and none of the other',
    async run({ open }) {
      const store = await open()
      let number = 0
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25 }), async (operations) => {
          const ids = await Promise.all(
            [0, 1].map(async (who) => {
              const email = `user-${number++}-${who}@example.com`
              return (await store.addUser({ email, siteQuota: quota, allowed: null })).id
            }),
          )
          const models: Model[] = ids.map(() => ({ sites: new Map(), events: new Map() }))
          for (const each of operations) {
            const step = { model: models[each.who], operation: each, number: number++ }
            await perform(store, ids[each.who], step)
          }
          await sees(store, ids[0], { own: models[0], other: models[1] })
          await sees(store, ids[1], { own: models[1], other: models[0] })
        }),
        { numRuns: fuzzRuns * 16 },
      )
    },
  },
]
