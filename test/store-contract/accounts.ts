// The contract's part on users and tokens.
import assert from 'node:assert/strict'
import { hashTokenSecret, newTokenSecret } from '../../src/store/token-secret.ts'
import { addEvents, eventOf } from '../helpers/events.ts'
import type { StoreCase } from '../store-contract.ts'

const limits = { siteQuota: 10, allowed: null }

export const accountCases: StoreCase[] = [
  {
    name: 'a user is found by e-mail without case, and keeps it as given',
    async run({ open, clock }) {
      const store = await open()
      const allowed = { networks: ['192.0.2.0/24'], domains: ['example.com'] }
      const user = await store.addUser({ email: 'Ann@Example.com', siteQuota: 10, allowed })
      assert.deepEqual(await store.userByEmail('aNN@example.COM'), user)
      assert.deepEqual([user.email, user.siteQuota, user.allowed], ['Ann@Example.com', 10, allowed])
      assert.equal(user.createdMs, clock.now())
      assert.equal(await store.userByEmail('bob@example.com'), null)
    },
  },
  {
    name: 'an e-mail is taken once, without case',
    async run({ open }) {
      const store = await open()
      await store.addUser({ email: 'ann@example.com', ...limits })
      await assert.rejects(store.addUser({ email: 'ANN@example.com', ...limits }), { code: 'CONFLICT' })
      assert.equal((await store.listUsers()).length, 1)
    },
  },
  {
    name: 'users are listed in the order in which they were made, and changed one by one',
    async run({ open, clock }) {
      const store = await open()
      const zoe = await store.addUser({ email: 'zoe@example.com', ...limits })
      clock.advance(1)
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const allowed = { networks: [], domains: ['example.com'] }
      await store.updateUser(zoe.id, { siteQuota: 3 })
      await store.updateUser(ann.id, { allowed })
      assert.deepEqual(await store.listUsers(), [
        { ...zoe, siteQuota: 3 },
        { ...ann, allowed },
      ])
      await store.updateUser(ann.id, { policy: 'assigned' })
      assert.deepEqual(await store.userByEmail('ann@example.com'), { ...ann, allowed, policy: 'assigned' })
      assert.equal((await store.userByEmail('zoe@example.com'))?.policy, null)
      await store.updateUser(ann.id, { allowed: null, policy: null })
      assert.equal((await store.userByEmail('ann@example.com'))?.policy, null)
      assert.equal((await store.userByEmail('ann@example.com'))?.allowed, null)
      await assert.rejects(store.updateUser('nobody', { siteQuota: 1 }), { code: 'NOT_FOUND' })
    },
  },
  {
    name: 'a token is found by the hash of its secret alone, with its owner',
    async run({ open }) {
      const store = await open()
      const user = await store.addUser({ email: 'ann@example.com', ...limits, role: 'admin' })
      const secret = newTokenSecret()
      const given = { userId: user.id, name: 'poller', scopes: ['read' as const, 'admin' as const], expiresMs: 5 }
      const token = await store.addToken(given, hashTokenSecret(secret))
      assert.deepEqual(await store.credentialByHash(hashTokenSecret(secret)), { token, user })
      assert.deepEqual({ ...token, ...given, lastUsedMs: null }, token)
      assert.equal(await store.credentialByHash(hashTokenSecret(newTokenSecret())), null)
      assert.equal(await store.credentialByHash(new Uint8Array()), null)
      await assert.rejects(store.addToken({ ...given, userId: 'nobody' }, hashTokenSecret('x')), { code: 'NOT_FOUND' })
    },
  },
  {
    name: 'tokens are listed for their owner, touched, and revoked once',
    async run({ open, clock }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      const given = { name: 'n', scopes: ['write' as const], expiresMs: null }
      const first = await store.addToken({ ...given, userId: ann.id }, hashTokenSecret('1'))
      clock.advance(1)
      const second = await store.addToken({ ...given, userId: ann.id }, hashTokenSecret('2'))
      const other = await store.addToken({ ...given, userId: bob.id }, hashTokenSecret('3'))
      await store.touchTokens([
        { id: first.id, atMs: 900 },
        { id: first.id, atMs: 500 },
        { id: 'unknown', atMs: 1 },
      ])
      assert.deepEqual(await store.listTokens(ann.id), [{ ...first, lastUsedMs: 900 }, second])
      assert.deepEqual(await store.listTokens(bob.id), [other])
      assert.equal(await store.revokeToken(first.id), true)
      assert.equal(await store.revokeToken(first.id), false)
      assert.equal(await store.credentialByHash(hashTokenSecret('1')), null)
      assert.deepEqual(await store.listTokens(ann.id), [second])
      assert.deepEqual(await store.listTokens('nobody'), [])
    },
  },
  {
    name: 'who is made or becomes no admin has no tokens for admin, and keeps the others',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits, role: 'admin' })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      assert.deepEqual([ann.role, bob.role], ['admin', 'member'])
      const given = { name: '', expiresMs: null }
      await store.addToken({ ...given, userId: ann.id, scopes: ['read', 'admin'] }, hashTokenSecret('1'))
      const kept = await store.addToken({ ...given, userId: ann.id, scopes: ['read', 'write'] }, hashTokenSecret('2'))
      const [forAdmin, forBob] = [['admin' as const], { ...given, userId: bob.id }]
      await assert.rejects(store.addToken({ ...forBob, scopes: forAdmin }, hashTokenSecret('3')), { code: 'FORBIDDEN' })
      await store.addToken({ ...forBob, scopes: ['write'] }, hashTokenSecret('3'))
      await store.updateUser(ann.id, { role: 'member' })
      assert.deepEqual(await store.userById(ann.id), { ...ann, role: 'member' })
      assert.equal(await store.userById('nobody'), null)
      assert.deepEqual(await store.listTokens(ann.id), [kept])
      assert.equal((await store.listTokens(bob.id)).length, 1)
    },
  },
  {
    name: 'the only admin stays one where it is asked for',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits, role: 'admin' })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits, role: 'viewer' })
      const keep = { keepAdmin: true }
      await assert.rejects(store.updateUser(ann.id, { role: 'member' }, keep), { code: 'CONFLICT' })
      await assert.rejects(store.deleteUser(ann.id, keep), { code: 'CONFLICT' })
      await store.updateUser(ann.id, { siteQuota: 5, role: 'admin' }, keep)
      await store.updateUser(bob.id, { role: 'admin' }, keep)
      await store.updateUser(ann.id, { role: 'viewer' }, keep)
      assert.equal(await store.deleteUser(ann.id, keep), true)
      await store.updateUser(bob.id, { role: 'member' })
      assert.equal((await store.userById(bob.id))?.role, 'member')
    },
  },
  {
    name: 'a token is made by a session or a token that is good for it in that moment, and does not outlive a token',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits, role: 'admin' })
      const given = { userId: ann.id, name: '', scopes: ['read' as const, 'admin' as const], expiresMs: null }
      const session = await store.addSession(
        { userId: ann.id, expiresMs: 9, address: '', agent: '' },
        hashTokenSecret('session'),
      )
      const bySession = { kind: 'session', id: session.id } as const
      assert.equal((await store.addToken(given, hashTokenSecret('1'), bySession)).expiresMs, null)
      const reader = await store.addToken({ ...given, scopes: ['read'], expiresMs: 50 }, hashTokenSecret('2'))
      const byReader = { kind: 'token', id: reader.id } as const
      const forbidden = { code: 'FORBIDDEN' }
      await assert.rejects(store.addToken(given, hashTokenSecret('3'), byReader), forbidden)
      const child = { ...given, scopes: ['read' as const] }
      assert.equal((await store.addToken(child, hashTokenSecret('4'), byReader)).expiresMs, 50)
      assert.equal((await store.addToken({ ...child, expiresMs: 40 }, hashTokenSecret('5'), byReader)).expiresMs, 40)
      await store.updateUser(ann.id, { role: 'viewer' })
      await assert.rejects(store.addToken(given, hashTokenSecret('6'), bySession), forbidden)
      await store.revokeToken(reader.id)
      await store.endSession(ann.id, session.id)
      for (const maker of [byReader, bySession])
        await assert.rejects(store.addToken(child, hashTokenSecret('7'), maker), forbidden)
      assert.equal((await store.listTokens(ann.id)).length, 2)
    },
  },
  {
    name: 'a token is revoked for its owner only, where one is named',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      const token = { name: '', scopes: ['read' as const], expiresMs: null, userId: ann.id }
      const { id } = await store.addToken(token, hashTokenSecret('1'))
      assert.equal(await store.revokeToken(id, bob.id), false)
      assert.equal(await store.revokeToken(id, ann.id), true)
    },
  },
  {
    name: 'a user who is deleted takes along what was theirs, and nothing of others',
    async run({ open }) {
      const store = await open()
      const [ann, bob] = [
        await store.addUser({ email: 'ann@example.com', ...limits, passwordHash: 'hash' }),
        await store.addUser({ email: 'bob@example.com', ...limits }),
      ]
      for (const [n, { id }] of [ann, bob].entries()) {
        await store.addSites(id, ['192.0.2.1'], 1)
        await store.addToken({ userId: id, name: '', scopes: ['read'], expiresMs: null }, hashTokenSecret(`t${n}`))
        await store.addSession({ userId: id, expiresMs: 9e15, address: '', agent: '' }, hashTokenSecret(`s${n}`))
      }
      await addEvents(
        store,
        Array.from({ length: 600 }, (_, n) => eventOf(ann.id, n)),
      )
      await addEvents(store, [eventOf(bob.id, 601)])
      const version = await store.sitesVersion()
      // As seen by who looks again whenever sites or users have changed, while she is being deleted.
      const deleting = store.deleteUser(ann.id)
      const seen: { version: number; users: number } = {
        version: await store.sitesVersion(),
        users: (await store.listUsers()).length,
      }
      assert.equal(await deleting, true)
      assert.deepEqual(seen, { version: version + 1, users: 2 })
      assert.ok((await store.sitesVersion()) > seen.version)
      assert.equal(await store.deleteUser(ann.id), false)
      assert.deepEqual(await store.listUsers(), [bob])
      assert.ok((await store.sitesVersion()) > version)
      assert.deepEqual(
        (await store.enabledSites()).map(({ userId }) => userId),
        [bob.id],
      )
      assert.equal(await store.credentialByHash(hashTokenSecret('t0')), null)
      assert.equal(await store.sessionByHash(hashTokenSecret('s0')), null)
      assert.notEqual(await store.sessionByHash(hashTokenSecret('s1')), null)
      const all = { fromMs: null, toMs: null, after: null, limit: 9 }
      assert.deepEqual(await store.eventsBetween(ann.id, all), [])
      assert.equal((await store.eventsBetween(bob.id, all)).length, 1)
      // An attack that was found before may still be reported.
      assert.deepEqual(await addEvents(store, [eventOf(ann.id, 700)]), [])
      await store.addUser({ email: 'ann@example.com', ...limits })
    },
  },
]
