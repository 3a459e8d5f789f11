// The contract's part on users and tokens.
import assert from 'node:assert/strict'
import { hashTokenSecret, newTokenSecret } from '../../src/store/token-secret.ts'
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
      const user = await store.addUser({ email: 'ann@example.com', ...limits })
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
        { tokenId: first.id, atMs: 900 },
        { tokenId: first.id, atMs: 500 },
        { tokenId: 'unknown', atMs: 1 },
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
]
