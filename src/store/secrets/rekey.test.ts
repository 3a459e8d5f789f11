// Another key for what is sealed, broken off at each step: all opens afterwards, with the one key that is left.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ManualClock } from '../../clock.ts'
import { createLogger } from '../../log.ts'
import { openSecrets, SecretBox } from '../secret-box.ts'
import { openSqliteStore } from '../sqlite/index.ts'
import { rekey } from './rekey.ts'

const log = createLogger('silent')

async function openLab(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'floodgauge-rekey-'))
  const store = await openSqliteStore(join(directory, 'store.db'), { clock: new ManualClock(0) })
  t.after(async () => {
    await store.close()
    rmSync(directory, { recursive: true })
  })
  const secrets = new SecretBox(directory)
  const { id } = await store.addUser({ email: 'ann@example.net', siteQuota: 1, allowed: null })
  await store.setSecondFactor(id, secrets.seal(Buffer.from('factor'), id))
  for (const channel of ['c1', 'c2']) {
    const sealed = secrets.seal(Buffer.from(channel), channel)
    await store.addChannel(id, { id: channel, kind: 'webhook', name: channel, settings: {}, sealed }, 9)
  }
  const opened = async (box = new SecretBox(directory)) => {
    const factor = await store.secondFactorOf(id)
    const all = (await store.channelsOf(id)).map((each) => [each.sealed, each.id] as const)
    return [[factor?.sealedSecret ?? assert.fail(), id] as const, ...all].map(([sealed, owner]) =>
      String(Buffer.from(box.open(sealed, owner) ?? [])),
    )
  }
  const keys = () => readdirSync(directory).filter((name) => name.startsWith('secrets.key'))
  const open = () => openSecrets({ store, directory, log })
  return { store, secrets, directory, opened, keys, open, key: () => readFileSync(secrets.file, 'utf8') }
}

const all = ['factor', 'c1', 'c2']

test('everything is sealed again with a new key, and the one before opens nothing', async (t) => {
  const { store, secrets, directory, opened, keys, key } = await openLab(t)
  const before = key()
  assert.deepEqual(await rekey(store, secrets), { resealed: 3, left: 0 })
  assert.notEqual(key(), before)
  assert.deepEqual([await opened(), keys()], [all, ['secrets.key']])
  const [sealed] = await store.sealedChannels()
  writeFileSync(join(directory, 'secrets.key'), before)
  assert.equal(new SecretBox(directory).open(sealed, 'c1'), null)
})

test('broken off before anything is sealed again, the next key is given up', async (t) => {
  const { secrets, opened, keys, key, open } = await openLab(t)
  const before = key()
  secrets.makeNext()
  assert.deepEqual(await opened(), all)
  await open()
  assert.deepEqual([await opened(), keys(), key()], [all, ['secrets.key'], before])
})

test('broken off in the transaction, nothing is sealed again', async (t) => {
  const { store, secrets, opened, keys, key, open } = await openLab(t)
  const before = key()
  secrets.makeNext()
  let sealed = 0
  const breaksOff = store.resealAll((each, owner) => {
    if (++sealed === 3) throw new Error('killed')
    return secrets.resealed(each, owner)
  })
  await assert.rejects(breaksOff, /killed/)
  await open()
  assert.deepEqual([await opened(), keys(), key()], [all, ['secrets.key'], before])
})

test('broken off after that, the next key takes the place of the other, at a start or by the next change', async (t) => {
  const { store, secrets, opened, keys, key, open } = await openLab(t)
  const before = key()
  secrets.makeNext()
  await store.resealAll((each, owner) => secrets.resealed(each, owner))
  assert.deepEqual([await opened(), keys()], [all, ['secrets.key', 'secrets.key.next']])
  await open()
  assert.deepEqual([await opened(), keys()], [all, ['secrets.key']])
  assert.notEqual(key(), before)
  secrets.makeNext()
  await store.resealAll((each, owner) => secrets.resealed(each, owner))
  assert.deepEqual(await rekey(store, secrets), { resealed: 3, left: 0 })
  assert.deepEqual([await opened(), keys()], [all, ['secrets.key']])
})

test('what cannot be opened stays as it is, and is counted', async (t) => {
  const { store, secrets, opened, directory } = await openLab(t)
  const elsewhere = mkdtempSync(join(tmpdir(), 'floodgauge-rekey-'))
  t.after(() => rmSync(elsewhere, { recursive: true }))
  const [user] = await store.listUsers()
  const sealed = new SecretBox(elsewhere).seal(Buffer.from('lost'), 'c2')
  await store.changeChannel(user.id, 'c2', { sealed })
  assert.deepEqual(await rekey(store, secrets), { resealed: 2, left: 1 })
  assert.deepEqual(await opened(new SecretBox(directory)), ['factor', 'c1', ''])
  assert.ok(Buffer.from(sealed).equals((await store.channelById('c2'))?.sealed ?? Buffer.alloc(0)))
})
