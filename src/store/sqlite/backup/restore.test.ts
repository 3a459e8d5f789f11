import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { channelOf, noticeOf, routingOf } from '../../../../test/store-contract/alerts/parts.ts'
import { ManualClock } from '../../../clock.ts'
import { hasStore, storeFileOf } from '../../data-directory.ts'
import { lockDirectory } from '../directory-lock.ts'
import { openSqliteStore } from '../index.ts'
import { restoreFrom } from './restore.ts'

const clock = new ManualClock()
const nowMs = Date.UTC(2017, 2, 8, 10, 9, 18)

function newDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'floodgauge-restore-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return directory
}

async function addUser(path: string, email: string): Promise<void> {
  const store = await openSqliteStore(path, { clock })
  await store.addUser({ email, siteQuota: 1, allowed: null })
  await store.close()
}

async function emailsIn(path: string): Promise<string[]> {
  const store = await openSqliteStore(path, { clock })
  const users = await store.listUsers()
  await store.close()
  return users.map(({ email }) => email)
}

/** A data directory with Ann, a backup of it, and then Bob in the directory. */
async function prepare(t: TestContext) {
  const directory = newDirectory(t)
  const path = storeFileOf(join(directory, 'data'))
  const backup = join(directory, 'backup.db')
  await addUser(path, 'ann@example.com')
  const store = await openSqliteStore(path, { clock })
  await store.backup(backup)
  await store.close()
  await addUser(path, 'bob@example.com')
  return { directory, path, backup }
}

const needsRoot = process.getuid?.() !== 0 && 'root alone can write into the directories of others'

test('what root makes in the data directory of another user belongs to that user', { skip: needsRoot }, async (t) => {
  const { directory, backup } = await prepare(t)
  const owner = 65_534
  chownSync(directory, owner, owner)
  const path = storeFileOf(join(directory, 'of-another', 'data'))
  const ownersOf = (...files: string[]) => files.map((file) => statSync(file).uid)
  await addUser(path, 'ann@example.com')
  lockDirectory(dirname(path)).close()
  assert.deepEqual(ownersOf(dirname(path), path, join(dirname(path), 'service.lock')), [owner, owner, owner])
  restoreFrom(backup, path, nowMs)
  assert.deepEqual(ownersOf(path), [owner])
})

test('a backup takes the place of the store, which is set aside whole', async (t) => {
  const { directory, path, backup } = await prepare(t)
  const { oldFile } = restoreFrom(backup, path, nowMs)
  assert.deepEqual(await emailsIn(path), ['ann@example.com'])
  assert.equal(oldFile, `${path}.before-restore-2017-03-08T100918`)
  assert.deepEqual(await emailsIn(oldFile), ['ann@example.com', 'bob@example.com'])
  const again = restoreFrom(oldFile, path, nowMs)
  assert.deepEqual(await emailsIn(path), ['ann@example.com', 'bob@example.com'])
  assert.equal(again.oldFile, `${path}.before-restore-2017-03-08T100918-2`)
  assert.deepEqual(
    readdirSync(join(directory, 'data')).filter((name) => /restoring|-wal|-shm/.test(name)),
    [],
  )
})

test('messages that waited when the backup was made are not sent after it is restored', async (t) => {
  const { path, backup } = await prepare(t)
  const store = await openSqliteStore(path, { clock })
  const { id } = await store.addUser({ email: 'cid@example.com', siteQuota: 1, allowed: null })
  await store.addChannel(id, channelOf('c1'), 1)
  await store.route(routingOf(0, [[noticeOf(id, 'e1'), 'c1']]))
  rmSync(backup)
  await store.backup(backup)
  await store.close()
  restoreFrom(backup, path, nowMs)
  const restored = await openSqliteStore(path, { clock })
  assert.deepEqual((await restored.waiting()).byKind, {})
  assert.equal((await restored.deliveriesOf(id, { limit: 9 }))[0].state, 'superseded')
  await restored.close()
})

test('a backup can be put where there was no store', async (t) => {
  const { directory, backup } = await prepare(t)
  const path = storeFileOf(join(directory, 'elsewhere'))
  assert.equal(hasStore(join(directory, 'elsewhere')), false)
  assert.deepEqual(restoreFrom(backup, path, nowMs), { oldFile: null })
  assert.deepEqual(await emailsIn(path), ['ann@example.com'])
  assert.equal(hasStore(join(directory, 'elsewhere')), true)
})

test('a store that somebody has open is not replaced', async (t) => {
  const { path, backup } = await prepare(t)
  const service = await openSqliteStore(path, { clock })
  t.after(() => service.close())
  assert.throws(() => restoreFrom(backup, path, nowMs), { code: 'CONFLICT' })
  await service.addUser({ email: 'eve@example.com', siteQuota: 1, allowed: null })
  await service.close()
  assert.deepEqual(await emailsIn(path), ['ann@example.com', 'bob@example.com', 'eve@example.com'])
})

/** `.before`: what the old file is called. */
function nameOf(suffix: string): string {
  return `floodgauge.db${suffix.replace('.before', '.before-restore-2017-03-08T100918')}`
}

test('a store that is damaged, with the log of its last process, is replaced all the same', async (t) => {
  const { path, backup } = await prepare(t)
  writeFileSync(path, 'rubbish '.repeat(1_000))
  writeFileSync(`${path}-wal`, 'rubbish')
  const { oldFile } = restoreFrom(backup, path, nowMs)
  // The log of the old one, left in its place, would be taken for one of the new.
  assert.deepEqual(readdirSync(join(path, '..')).toSorted(), ['', '.before', '.before-wal'].map(nameOf))
  assert.deepEqual(await emailsIn(path), ['ann@example.com'])
  assert.equal(oldFile, join(path, '..', nameOf('.before')))
})

test('what is no backup, or damaged, or missing, changes nothing', async (t) => {
  const { directory, path, backup } = await prepare(t)
  const text = join(directory, 'text')
  writeFileSync(text, 'no database '.repeat(1_000))
  const empty = join(directory, 'empty')
  writeFileSync(empty, '')
  for (const file of [text, empty]) assert.throws(() => restoreFrom(file, path, nowMs), { code: 'BAD_REQUEST' })
  truncateSync(backup, 40_000)
  assert.throws(() => restoreFrom(backup, path, nowMs), { code: 'BAD_REQUEST' })
  assert.throws(() => restoreFrom(join(directory, 'none'), path, nowMs), { code: 'NOT_FOUND' })
  assert.throws(() => restoreFrom(directory, path, nowMs), { code: 'NOT_FOUND' })
  assert.deepEqual(await emailsIn(path), ['ann@example.com', 'bob@example.com'])
  assert.deepEqual(readdirSync(join(directory, 'data')), ['floodgauge.db'])
})

test('a data directory has one service, and is free again when that dies, however it dies', async (t) => {
  const directory = newDirectory(t)
  const module = new URL('../directory-lock.ts', import.meta.url).href
  const script = `const { lockDirectory } = await import(${JSON.stringify(module)})
    globalThis.lock = lockDirectory(${JSON.stringify(directory)})
    process.stdout.write('locked')
    setInterval(() => {}, 1000)`
  const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => service.kill('SIGKILL'))
  await once(service.stdout, 'data')
  assert.throws(() => lockDirectory(directory), { code: 'CONFLICT' })
  service.kill('SIGKILL')
  await once(service, 'close')
  const lock = lockDirectory(directory)
  assert.throws(() => lockDirectory(directory), { code: 'CONFLICT' })
  lock.close()
  lockDirectory(directory).close()
})
