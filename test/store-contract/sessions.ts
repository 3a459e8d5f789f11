// The contract's part on passwords and sessions.
import assert from 'node:assert/strict'
import { hashTokenSecret } from '../../src/store/token-secret.ts'
import type { StoreCase } from '../store-contract.ts'

const limits = { siteQuota: 10, allowed: null }
const hourMs = 3_600_000

export const sessionCases: StoreCase[] = [
  {
    name: 'a password is kept as it is given, found by e-mail, and taken away',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'Ann@example.com', ...limits, passwordHash: 'first' })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      assert.deepEqual(await store.passwordOf('ann@EXAMPLE.com'), { user: ann, passwordHash: 'first' })
      assert.deepEqual(await store.passwordOf('bob@example.com'), { user: bob, passwordHash: null })
      assert.equal(await store.passwordOf('nobody@example.com'), null)
      await store.setPassword(ann.id, 'second')
      assert.equal((await store.passwordOf('ann@example.com'))?.passwordHash, 'second')
      await store.setPassword(ann.id, null)
      assert.equal((await store.passwordOf('ann@example.com'))?.passwordHash, null)
      await assert.rejects(store.setPassword('nobody', 'x'), { code: 'NOT_FOUND' })
    },
  },
  {
    name: 'a session is found by the hash of its secret, touched, listed for its user, and ended once by that user',
    async run({ open, clock }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      const given = { userId: ann.id, expiresMs: clock.now() + hourMs, address: '192.0.2.9', agent: 'browser' }
      const first = await store.addSession(given, hashTokenSecret('1'))
      assert.deepEqual(first, { ...given, way: 'password', id: first.id, createdMs: clock.now(), seenMs: clock.now() })
      clock.advance(1)
      const second = await store.addSession({ ...given, way: 'link' }, hashTokenSecret('2'))
      assert.deepEqual(await store.sessionByHash(hashTokenSecret('1')), { session: first, user: ann })
      assert.equal(await store.sessionByHash(hashTokenSecret('3')), null)
      assert.deepEqual(await store.listSessions(ann.id), [second, first])
      await store.touchSessions([
        { id: first.id, atMs: clock.now() + 9 },
        { id: first.id, atMs: 5 },
        { id: 'unknown', atMs: 1 },
      ])
      assert.deepEqual(await store.listSessions(ann.id), [{ ...first, seenMs: clock.now() + 9 }, second])
      assert.deepEqual(await store.listSessions(bob.id), [])
      assert.equal(await store.endSession(bob.id, first.id), false)
      assert.equal(await store.endSession(ann.id, first.id), true)
      assert.equal(await store.endSession(ann.id, first.id), false)
      assert.equal(await store.sessionByHash(hashTokenSecret('1')), null)
    },
  },
  {
    name: 'a sign-in link is good once, until it expires, and gives way to a newer one and to a password',
    async run({ open, clock }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      const link = (code: string) => ({ codeHash: hashTokenSecret(code), expiresMs: clock.now() + hourMs })
      const known = async (code: string) => (await store.userOfSignInLink(hashTokenSecret(code)))?.id ?? null
      await store.setSignInLink(ann.id, link('1'))
      await store.setSignInLink(bob.id, link('2'))
      await store.setSignInLink(ann.id, link('3'))
      assert.deepEqual([await known('1'), await known('2'), await known('3')], [null, bob.id, ann.id])
      await store.addSession({ userId: ann.id, expiresMs: 9e15, address: '', agent: '' }, hashTokenSecret('s'))

      assert.deepEqual(await store.redeemSignInLink(hashTokenSecret('3'), null), ann)
      assert.equal((await store.listSessions(ann.id)).length, 1)
      assert.equal(await store.redeemSignInLink(hashTokenSecret('3'), null), null)
      await store.setSignInLink(ann.id, link('4'))
      assert.deepEqual(await store.redeemSignInLink(hashTokenSecret('4'), 'hash'), { ...ann, hasPassword: true })
      assert.deepEqual(await store.passwordOf('ann@example.com'), {
        user: { ...ann, hasPassword: true },
        passwordHash: 'hash',
      })
      assert.deepEqual(await store.listSessions(ann.id), [])

      clock.advance(hourMs)
      assert.equal(await known('2'), null)
      assert.equal(await store.redeemSignInLink(hashTokenSecret('2'), 'hash'), null)
      assert.equal((await store.userById(bob.id))?.hasPassword, false)
      await store.setSignInLink(bob.id, link('5'))
      await store.setPassword(bob.id, 'other')
      assert.equal(await known('5'), null)
      await store.setSignInLink(bob.id, link('6'))
      await store.deleteUser(bob.id)
      assert.equal(await known('6'), null)
      await assert.rejects(store.setSignInLink('nobody', link('7')), { code: 'NOT_FOUND' })
    },
  },
  {
    name: 'sessions end with the password, and only those of its user',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      for (const [n, { id }] of [ann, ann, bob].entries())
        await store.addSession({ userId: id, expiresMs: 9e15, address: '', agent: '' }, hashTokenSecret(String(n)))
      await store.setPassword(ann.id, 'hash')
      assert.deepEqual(await store.listSessions(ann.id), [])
      assert.equal((await store.listSessions(bob.id)).length, 1)
    },
  },
  {
    name: 'a user has 50 sessions at most, of which those used last stay, and none that have expired',
    async run({ open, clock }) {
      const store = await open()
      const { id: userId } = await store.addUser({ email: 'ann@example.com', ...limits })
      const given = { userId, expiresMs: clock.now() + hourMs, address: '', agent: '' }
      for (let n = 0; n < 60; n++) {
        clock.advance(1)
        await store.addSession(given, hashTokenSecret(String(n)))
      }
      assert.equal((await store.listSessions(userId)).length, 50)
      assert.equal(await store.sessionByHash(hashTokenSecret('9')), null)
      assert.notEqual(await store.sessionByHash(hashTokenSecret('10')), null)
      clock.advance(hourMs)
      await store.addSession({ ...given, expiresMs: clock.now() + 1 }, hashTokenSecret('later'))
      assert.equal((await store.listSessions(userId)).length, 1)
    },
  },
]
