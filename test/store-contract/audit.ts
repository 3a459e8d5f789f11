// The contract's part on the audit log.
import assert from 'node:assert/strict'
import { Deed } from '../../src/audit/deed.ts'
import type { AuditEntry } from '../../src/audit/entry.ts'
import { hashTokenSecret } from '../../src/store/token-secret.ts'
import type { StoreCase } from '../store-contract.ts'

const service = { kind: 'service' as const, userId: null, name: '', credential: '', address: '' }
const stranger = { ...service, kind: 'stranger' as const, address: '192.0.2.1' }
const entry = (changed: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ kind: 'service.start', actor: service, object: '', outcome: 'done', count: 1, detail: {} },
  ...changed,
})
const limits = { siteQuota: 10, allowed: null }

export const auditCases: StoreCase[] = [
  {
    name: 'a change has its row, which is written with it; work that changes nothing has one at its end, work that fails none',
    async run({ open }) {
      const store = await open()
      const kinds = async () => (await store.auditAfter(0, 100)).map(({ kind }) => kind)
      const deed = new Deed({ kind: 'addUser', actor: service })
      await store.answerFor(deed, async () => {
        deed.tell({ object: 'ann', detail: { role: 'member' } })
        const ann = await store.addUser({ email: 'ann@example.com', ...limits })
        assert.deepEqual(await kinds(), ['addUser'])
        await store.updateUser(ann.id, { siteQuota: 5 })
      })
      assert.deepEqual(await kinds(), ['addUser'])
      const fails = new Deed({ kind: 'addUser', actor: service })
      await assert.rejects(store.answerFor(fails, () => store.addUser({ email: 'ann@example.com', ...limits })))
      await store.answerFor(new Deed({ kind: 'stopNothing', actor: service }), async () => {})
      await store.addUser({ email: 'bob@example.com', ...limits })
      assert.deepEqual(await kinds(), ['addUser', 'stopNothing'])
      const [row] = await store.auditAfter(0, 1)
      assert.deepEqual([row.object, row.detailText, row.outcome], ['ann', '{"role":"member"}', 'done'])
    },
  },
  {
    name: 'two deeds at once have a row each, whichever writes first',
    async run({ open }) {
      const store = await open()
      const make = (name: string) =>
        store.answerFor(new Deed({ kind: name, actor: service }), async () => {
          await null
          await store.addUser({ email: `${name}@example.com`, ...limits })
          await store.addUser({ email: `${name}-too@example.com`, ...limits })
        })
      await Promise.all(['a', 'b', 'c'].map(make))
      assert.deepEqual((await store.auditAfter(0, 100)).map(({ kind }) => kind).toSorted(), ['a', 'b', 'c'])
    },
  },
  {
    name: 'whoever signs in is named by the row of it',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      await store.answerFor(new Deed({ kind: 'signIn', actor: stranger }), async () => {
        await store.addSession({ userId: ann.id, expiresMs: 9e15, address: '', agent: '' }, hashTokenSecret('1'))
      })
      const [{ actor }] = await store.auditAfter(0, 1)
      assert.deepEqual(actor, { ...stranger, userId: ann.id, name: 'ann@example.com' })
    },
  },
  {
    name: 'the audit log is read by pages, the newest first, and by who, what, when and the outcome',
    async run({ open, clock }) {
      const store = await open()
      const start = clock.now()
      for (let n = 0; n < 25; n++) {
        const userId = n % 2 === 0 ? 'u1' : 'u2'
        const actor = { ...service, kind: 'session' as const, userId, name: `${userId}@Example.com` }
        await store.noteAudit([entry({ actor, kind: `k${n % 5}`, outcome: n % 5 === 0 ? 'FORBIDDEN' : 'done' })])
        clock.advance(1_000)
      }
      const read = async (filter: Parameters<typeof store.auditPage>[0], limit = 10) => {
        const sequences: number[] = []
        for (let below: number | null = null; ; ) {
          const page = await store.auditPage(filter, { below, limit })
          sequences.push(...page.rows.map(({ sequence }) => sequence))
          if (page.next === null) return sequences
          assert.equal(page.rows.length, limit)
          below = page.next
        }
      }
      const all = Array.from({ length: 25 }, (_, n) => 25 - n)
      assert.deepEqual(await read({}), all)
      assert.deepEqual(await read({}, 25), all)
      assert.deepEqual(
        await read({ userId: 'u1' }),
        all.filter((n) => n % 2 === 1),
      )
      assert.deepEqual(
        await read({ name: 'U2@ex' }),
        all.filter((n) => n % 2 === 0),
      )
      assert.deepEqual(await read({ kind: 'k1', userId: 'u1' }), [17, 7])
      assert.deepEqual(await read({ outcome: 'refused' }), [21, 16, 11, 6, 1])
      assert.equal((await read({ outcome: 'done' })).length, 20)
      assert.deepEqual(await read({ startMs: start + 3_000, endMs: start + 5_000 }), [5, 4])
      assert.deepEqual(await read({ kind: 'nothing' }), [])
    },
  },
  {
    name: 'the oldest rows are cut off, and the chain says so; nothing else is ever deleted',
    async run({ open, clock }) {
      const store = await open()
      for (let n = 0; n < 5; n++) {
        await store.noteAudit([entry({ object: String(n) })])
        clock.advance(1_000)
      }
      const before = await store.auditAfter(0, 100)
      assert.equal(await store.cutAudit(before[0].atMs), 0)
      assert.equal(await store.cutAudit(before[3].atMs), 3)
      const rows = await store.auditAfter(0, 100)
      assert.deepEqual(
        rows.map(({ sequence, kind }) => [sequence, kind]),
        [
          [4, 'service.start'],
          [5, 'service.start'],
          [6, 'audit.cut'],
        ],
      )
      const { anchor, head } = await store.auditEnds()
      assert.deepEqual(anchor, { sequence: 3, hash: before[2].hash })
      assert.deepEqual(head, { sequence: 6, hash: rows[2].hash })
      assert.equal(await store.cutAudit(before[3].atMs), 0)
      await store.noteAuditSent(5)
      assert.equal((await store.auditEnds()).sent, 5)
    },
  },
]
