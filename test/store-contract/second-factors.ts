// The contract's part on second factors, and on who users are at a provider of single sign-on.
import assert from 'node:assert/strict'
import { hashTokenSecret } from '../../src/store/token-secret.ts'
import type { StoreCase } from '../store-contract.ts'

const limits = { siteQuota: 10, allowed: null }
const sealed = (n: number) => new Uint8Array([n, 2, 3])
const hashes = (...codes: string[]) => codes.map(hashTokenSecret)

export const secondFactorCases: StoreCase[] = [
  {
    name: 'a second factor counts when it is confirmed, and its secret is changed only before that',
    async run({ open, clock }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits, passwordHash: 'hash' })
      assert.equal(ann.hasSecondFactor, false)
      assert.equal(await store.secondFactorOf(ann.id), null)
      assert.equal(await store.confirmSecondFactor(ann.id, { step: 5, codeHashes: [] }), false)
      await store.setSecondFactor(ann.id, sealed(1))
      await store.setSecondFactor(ann.id, sealed(2))
      const waiting = { sealedSecret: sealed(2), usedStep: 0, confirmedMs: null, recoveryCodesLeft: 0 }
      assert.deepEqual(await store.secondFactorOf(ann.id), waiting)
      assert.equal((await store.userById(ann.id))?.hasSecondFactor, false)
      assert.equal(await store.takeStep(ann.id, 9), false)
      await assert.rejects(store.setRecoveryCodes(ann.id, hashes('a')), { code: 'NOT_FOUND' })

      const codeHashes = hashes('a', 'b', 'c')
      assert.equal(await store.confirmSecondFactor(ann.id, { step: 5, codeHashes }), true)
      assert.equal(await store.confirmSecondFactor(ann.id, { step: 6, codeHashes: [] }), false)
      const known = { sealedSecret: sealed(2), usedStep: 5, confirmedMs: clock.now(), recoveryCodesLeft: 3 }
      assert.deepEqual(await store.secondFactorOf(ann.id), known)
      for (const user of [
        await store.userById(ann.id),
        (await store.listUsers())[0],
        (await store.passwordOf('ann@example.com'))?.user,
      ])
        assert.equal(user?.hasSecondFactor, true)
      await assert.rejects(store.setSecondFactor(ann.id, sealed(3)), { code: 'CONFLICT' })
      await assert.rejects(store.setSecondFactor('nobody', sealed(3)), { code: 'NOT_FOUND' })
      assert.deepEqual(await store.secondFactorOf(ann.id), known)
    },
  },
  {
    name: 'a step is taken once, in order, by one of several stores; a recovery code once, by its user',
    async run({ open }) {
      const [store, other] = [await open(), await open()]
      const users = [
        await store.addUser({ email: 'ann@example.com', ...limits }),
        await store.addUser({ email: 'bob@example.com', ...limits }),
      ]
      for (const { id } of users) {
        await store.setSecondFactor(id, sealed(1))
        await store.confirmSecondFactor(id, { step: 5, codeHashes: hashes('same', id) })
      }
      const [ann, bob] = users.map(({ id }) => id)
      const steps = []
      for (const step of [5, 4, 6, 6, 8, 7, 9]) steps.push(await (step % 2 === 0 ? store : other).takeStep(ann, step))
      assert.deepEqual(steps, [false, false, true, false, true, false, true])
      assert.equal(await store.takeStep(bob, 6), true)

      const [same] = hashes('same')
      assert.equal(await store.takeRecoveryCode(ann, hashTokenSecret(bob)), false)
      assert.deepEqual(
        [await store.takeRecoveryCode(ann, same), await other.takeRecoveryCode(ann, same)],
        [true, false],
      )
      assert.equal(await store.takeRecoveryCode(bob, same), true)
      await store.setRecoveryCodes(ann, hashes('1', '2', '3', '4'))
      assert.equal(await store.takeRecoveryCode(ann, hashTokenSecret(ann)), false)
      assert.equal((await store.secondFactorOf(ann))?.recoveryCodesLeft, 4)
    },
  },
  {
    name: 'a second factor goes with its recovery codes, and with its user',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits, passwordHash: 'hash' })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      for (const [n, { id }] of [ann, bob].entries()) {
        await store.setSecondFactor(id, sealed(n))
        await store.confirmSecondFactor(id, { step: 5, codeHashes: hashes('a') })
      }
      assert.equal((await store.sealedSecrets()).length, 2)
      assert.equal(await store.deleteSecondFactor(ann.id), true)
      assert.equal(await store.deleteSecondFactor(ann.id), false)
      assert.equal(await store.secondFactorOf(ann.id), null)
      assert.equal(await store.takeRecoveryCode(ann.id, hashTokenSecret('a')), false)
      assert.deepEqual(await store.userById(ann.id), ann)
      assert.deepEqual(await store.sealedSecrets(), [sealed(1)])
      await store.setSecondFactor(ann.id, sealed(7))
      await store.deleteUser(bob.id)
      assert.deepEqual(await store.sealedSecrets(), [sealed(7)])
    },
  },
  {
    name: 'everything that is sealed is sealed again, all of it or nothing',
    async run({ open }) {
      const store = await open()
      const { id } = await store.addUser({ email: 'ann@example.com', ...limits, passwordHash: 'hash' })
      await store.setSecondFactor(id, sealed(1))
      for (const channel of ['c1', 'c2'])
        await store.addChannel(id, { id: channel, kind: 'webhook', name: channel, settings: {}, sealed: sealed(2) }, 9)
      const owners: string[] = []
      const again = (each: Uint8Array, owner: string) => {
        owners.push(owner)
        return owner === 'c2' ? null : Uint8Array.of(...each, 9)
      }
      assert.deepEqual(await store.resealAll(again), { resealed: 2, left: 1 })
      assert.deepEqual(owners.toSorted(), ['c1', 'c2', id].toSorted())
      const found = async () => [...(await store.sealedSecrets()), ...(await store.sealedChannels())]
      const now = [Uint8Array.of(...sealed(1), 9), Uint8Array.of(...sealed(2), 9), sealed(2)]
      assert.deepEqual(await found(), now)
      const fails = (_: Uint8Array, owner: string) => (owner === 'c2' ? assert.fail('broken off') : sealed(5))
      await assert.rejects(store.resealAll(fails), /broken off/)
      assert.deepEqual(await found(), now)
    },
  },
]

const issuer = 'https://login.example.net'

export const identityCases: StoreCase[] = [
  {
    name: 'an identity is bound to one user, and a user to one identity of an issuer',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      const [first, second] = [
        { issuer, subject: '1' },
        { issuer, subject: '2' },
      ]
      assert.equal(await store.userOfIdentity(first), null)
      await store.bindIdentity(ann.id, first)
      assert.deepEqual(await store.userOfIdentity(first), { ...ann, hasIdentity: true })
      await assert.rejects(store.bindIdentity(bob.id, first), { code: 'CONFLICT' })
      await assert.rejects(store.bindIdentity(ann.id, second), { code: 'CONFLICT' })
      await assert.rejects(store.bindIdentity('nobody', second), { code: 'NOT_FOUND' })
      await store.bindIdentity(ann.id, { issuer: 'https://other.example.net', subject: '2' })
      assert.equal(await store.userOfIdentity(second), null)
      assert.deepEqual(await store.userById(bob.id), bob)
    },
  },
  {
    name: 'an identity goes with its user, or alone with the sessions that it began',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const identity = { issuer, subject: '1' }
      const session = { userId: ann.id, expiresMs: 9e15, address: '', agent: '' }
      await store.bindIdentity(ann.id, identity)
      await store.addSession({ ...session, way: 'provider' }, hashTokenSecret('1'))
      const kept = await store.addSession({ ...session, way: 'link' }, hashTokenSecret('2'))
      assert.equal(await store.refuseIdentities(ann.id), true)
      assert.deepEqual(await store.listSessions(ann.id), [kept])
      assert.notEqual(await store.userOfIdentity(identity), null)
      await store.addSession({ ...session, way: 'provider' }, hashTokenSecret('3'))
      assert.equal(await store.deleteIdentities(ann.id), true)
      assert.equal(await store.deleteIdentities(ann.id), false)
      assert.deepEqual(await store.listSessions(ann.id), [kept])
      assert.deepEqual(await store.userById(ann.id), ann)
      assert.equal(await store.refuseIdentities(ann.id), false, 'there is none to refuse')
      await store.bindIdentity(ann.id, identity)
      await store.deleteUser(ann.id)
      assert.equal(await store.userOfIdentity(identity), null)
    },
  },
  {
    name: 'tokens of a user whom the provider refuses are good for nothing, until it does not, or has no say',
    async run({ open }) {
      const store = await open()
      const ann = await store.addUser({ email: 'ann@example.com', ...limits })
      const bob = await store.addUser({ email: 'bob@example.com', ...limits })
      for (const [n, { id }] of [ann, bob].entries()) {
        await store.bindIdentity(id, { issuer, subject: id })
        await store.addToken({ userId: id, name: '', scopes: ['read'], expiresMs: null }, hashTokenSecret(`${n}`))
      }
      const isGood = async (secret: string) => (await store.credentialByHash(hashTokenSecret(secret))) !== null
      assert.equal(await store.acceptIdentities(ann.id), false, 'nobody was refused')
      assert.equal(await store.refuseIdentities(ann.id), true)
      assert.equal(await store.refuseIdentities(ann.id), false)
      assert.deepEqual([await isGood('0'), await isGood('1')], [false, true])
      const suspended = async (userId: string) => (await store.listTokens(userId)).map(({ suspendedMs }) => suspendedMs)
      const [sinceMs] = await suspended(ann.id)
      assert.ok(sinceMs !== null)
      assert.deepEqual(await suspended(bob.id), [null])
      const late = { userId: ann.id, name: 'late', scopes: ['read' as const], expiresMs: null }
      assert.equal((await store.addToken(late, hashTokenSecret('2'))).suspendedMs, sinceMs)
      assert.deepEqual([await suspended(ann.id), await isGood('2')], [[sinceMs, sinceMs], false])
      assert.equal(await store.acceptIdentities(ann.id), true)
      assert.deepEqual(await suspended(ann.id), [null, null])
      assert.equal(await isGood('0'), true)
      await store.refuseIdentities(ann.id)
      await store.deleteIdentities(ann.id)
      assert.equal(await isGood('0'), true)
    },
  },
]
