import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'
import { ManualClock, systemClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { Database } from './database.ts'
import { storeError } from './errors.ts'
import { openSqliteStore } from './index.ts'

const clock = new ManualClock()

function newDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'floodgauge-failures-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return directory
}

async function openIn(t: TestContext, directory: string) {
  const file = join(directory, 'floodgauge.db')
  const store = await openSqliteStore(file, { clock })
  t.after(() => store.close())
  return { file, store }
}

const unavailable = { name: 'AppError', code: 'STORE_UNAVAILABLE' }

test('directory and files are for their owner alone, and stay so', async (t) => {
  const parent = newDirectory(t)
  const { file, store } = await openIn(t, join(parent, 'a', 'b'))
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  assert.deepEqual([join(parent, 'a'), join(parent, 'a', 'b')].map(modeOf), ['700', '700'])
  assert.deepEqual([file, `${file}-wal`, `${file}-shm`].map(modeOf), ['600', '600', '600'])
  await store.backup(join(parent, 'copy.db'))
  assert.equal(modeOf(join(parent, 'copy.db')), '600')
  await store.close()
  chmodSync(file, 0o644)
  await openIn(t, join(parent, 'a', 'b'))
  assert.equal(modeOf(file), '600')
})

test('a file that is deleted or replaced is told at the next write, not written to', async (t) => {
  for (const replace of [false, true]) {
    const { file, store } = await openIn(t, newDirectory(t))
    const user = await store.addUser({ email: 'ann@example.com', siteQuota: 1, allowed: null })
    renameSync(file, `${file}.gone`)
    if (replace) writeFileSync(file, '')
    await assert.rejects(store.checkWritable(), unavailable)
    await assert.rejects(store.addSites(user.id, ['a.example'], 1), unavailable)
    rmSync(file, { force: true })
    renameSync(`${file}.gone`, file)
    await store.checkWritable()
  }
})

test('a store on the way of a file, or in a file that is no database, cannot be opened: the reason names the path', async (t) => {
  const directory = newDirectory(t)
  const file = join(directory, 'text')
  writeFileSync(file, 'no database at all, but long enough to be looked at '.repeat(50))
  for (const path of [file, join(file, 'floodgauge.db'), directory])
    await assert.rejects(openSqliteStore(path, { clock }), (error) => {
      assert.ok(error instanceof AppError && error.code === 'STORE_UNAVAILABLE')
      assert.ok(error.message.includes(path), error.message)
      assert.ok(error.cause instanceof Error)
      return true
    })
})

test('a full disk fails the transaction as a whole, and the store goes on when there is room again', (t) => {
  const database = new Database(join(newDirectory(t), 'floodgauge.db'))
  t.after(() => database.close())
  database.exec('CREATE TABLE numbers (number INTEGER, filling TEXT)')
  const count = database.prepare('SELECT count(*) AS rows FROM numbers')
  const insert = database.prepare(`INSERT INTO numbers VALUES (?, hex(zeroblob(2000)))`)
  database.exec('PRAGMA max_page_count = 10')
  const fill = () =>
    database.write(() => {
      for (let number = 0; number < 100; number++) insert.run(number)
    })
  assert.throws(fill, { ...unavailable, message: /disk is full/ })
  assert.deepEqual({ ...count.get() }, { rows: 0 })
  database.exec('PRAGMA max_page_count = 10000')
  fill()
  assert.deepEqual({ ...count.get() }, { rows: 100 })
})

test('a write limit of the operating system is told, and the acknowledged rows stay', {
  timeout: 480_000,
}, async (t) => {
  const { file, store } = await openIn(t, newDirectory(t))
  const user = await store.addUser({ email: 'ann@example.com', siteQuota: 100_000, allowed: null })
  const module = new URL('./index.ts', import.meta.url).href
  const script = `
    const { openSqliteStore } = await import(${JSON.stringify(module)})
    const store = await openSqliteStore(${JSON.stringify(file)}, { clock: { now: () => 0 } })
    let added = 0
    const fill = async () => {
      for (;;) {
        await store.addSites(${JSON.stringify(user.id)}, [added + '.example'], added)
        added++
      }
    }
    // It may take the last of the room.
    const check = async () => {
      for (let times = 0; times < 100; times++) await store.checkWritable()
    }
    const codeOf = (failing) => failing().then(() => 'none', (error) => error.code)
    process.stdout.write(JSON.stringify({ fill: await codeOf(fill), check: await codeOf(check), added }))`
  // In blocks of 512 bytes (of 1,024 in some shells).
  const shell = ['-c', 'ulimit -f 1400; exec "$0" --input-type=module -e "$1"', process.execPath, script]
  const child = spawn('sh', shell, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  const { added, ...codes } = JSON.parse(output)
  assert.deepEqual(codes, { fill: 'STORE_UNAVAILABLE', check: 'STORE_UNAVAILABLE' })
  assert.ok(added > 0)
  assert.equal((await store.listSites(user.id)).length, added)
})

test('several processes open a new file at once', { timeout: 480_000 }, async (t) => {
  const file = join(newDirectory(t), 'floodgauge.db')
  const module = new URL('./index.ts', import.meta.url).href
  // They wait for the same moment, so that the openings meet.
  const script = `
    const { openSqliteStore } = await import(${JSON.stringify(module)})
    const atMs = Number(process.argv[1])
    await new Promise((resolve) => setTimeout(resolve, atMs - Date.now() - 50))
    while (Date.now() < atMs) {}
    const store = await openSqliteStore(${JSON.stringify(file)}, { clock: { now: () => 0 } })
    process.stdout.write(String((await store.listUsers()).length))`
  const atMs = String(Date.now() + 1_500)
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script, atMs], { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  assert.deepEqual(await Promise.all(children.map((child) => text(child.stdout))), ['0', '0', '0', '0'])
})

test('a store that another process has locked is waited for, then told', async (t) => {
  const { file, store } = await openIn(t, newDirectory(t))
  const other = new DatabaseSync(file)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  await assert.rejects(store.checkWritable(), { ...unavailable, message: /locked/ })
  // Readers are not held up.
  assert.deepEqual(await store.listUsers(), [])
  other.exec('ROLLBACK')
  await store.checkWritable()
})

test('bugs are not dressed up as failures of the disk', (t) => {
  const database = new Database(join(newDirectory(t), 'floodgauge.db'))
  t.after(() => database.close())
  const isBug = (error: unknown) => !(error instanceof AppError)
  assert.throws(() => database.prepare('SELECT * FROM nowhere'), isBug)
  const bug = new TypeError('x')
  assert.equal(storeError(bug), bug)
  assert.throws(
    () =>
      database.write(() => {
        throw bug
      }),
    bug,
  )
})

test('a copy is whole, of one moment, made beside a writer, and replaces nothing', async (t) => {
  const directory = newDirectory(t)
  const { store } = await openIn(t, join(directory, 'data'))
  const user = await store.addUser({ email: 'ann@example.com', siteQuota: 100_000, allowed: null })
  await addEvents(
    store,
    Array.from({ length: 2_000 }, (_, number) => eventOf(user.id, number)),
  )
  const copyFile = join(directory, 'copy.db')
  let copying = true
  const backup = store.backup(copyFile).finally(() => {
    copying = false
  })
  let written = 0
  while (copying) {
    // Both in one transaction: a copy has both or none.
    await store.addSites(user.id, [`${written}-a.example`, `${written}-b.example`], written)
    written++
    await new Promise((resolve) => setImmediate(resolve))
  }
  await backup
  assert.ok(written > 0)
  await assert.rejects(store.backup(copyFile), { code: 'CONFLICT' })
  assert.equal(existsSync(`${copyFile}.part`), false)

  const copy = await openSqliteStore(copyFile, { clock: systemClock })
  t.after(() => copy.close())
  const sites = await copy.listSites(user.id)
  assert.equal(sites.length % 2, 0)
  assert.ok(sites.length <= 2 * written)
  const window = { fromMs: null, toMs: null, after: null, limit: 10_000 }
  assert.equal((await copy.eventsBetween(user.id, window)).length, 2_000)
})

test('a copy that cannot be written is told, and leaves nothing behind', async (t) => {
  const directory = newDirectory(t)
  const { store } = await openIn(t, directory)
  await assert.rejects(store.backup(join(directory, 'none', 'copy.db')), unavailable)
  assert.equal(existsSync(join(directory, 'none')), false)
})
