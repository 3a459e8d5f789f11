// Backups whose process is killed in the middle, or whose disk is full: what has the name of a backup is one.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/clock.ts'
import { addBackup, backupsIn } from '../../src/store/sqlite/backup/backup-folder.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { addEvents, eventOf } from '../helpers/events.ts'
import { checkFile } from './store-rounds.ts'

/** `CRASH_ROUNDS=100` for a thorough run. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 4)
const writer = fileURLToPath(new URL('./backup-writer.ts', import.meta.url))
const eventsMin = 2_000

let root: string
let path: string
let folder: string

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'floodgauge-backup-'))
  path = join(root, 'store.db')
  folder = join(root, 'backups')
  const store = await openSqliteStore(path, { clock: systemClock })
  const { id } = await store.addUser({ email: 'ann@example.net', siteQuota: 1, allowed: null })
  const numbers = Array.from({ length: eventsMin }, (_, number) => number)
  await addEvents(
    store,
    numbers.map((number) => eventOf(id, number)),
  )
  await store.close()
})
after(() => rmSync(root, { recursive: true, force: true }))

/** Every file that has the name of a backup is whole, and has everything. */
async function checkAll(): Promise<number> {
  const files = backupsIn(folder)
  for (const { name } of files) {
    checkFile(join(folder, name))
    const copy = await openSqliteStore(join(folder, name), { clock: systemClock })
    const [user] = await copy.listUsers()
    const window = { fromMs: null, toMs: null, after: null, limit: 10_000 }
    assert.equal((await copy.eventsBetween(user.id, window)).length, eventsMin)
    await copy.close()
  }
  return files.length
}

it('a backup that is killed leaves no half file under its name, and the next one clears up', {
  timeout: 60_000 + rounds * 60_000,
}, async (t) => {
  let killedInside = 0
  let made = 0
  let round = 0
  // More, until one was in the middle.
  for (; round < rounds || (killedInside === 0 && round < 3 * rounds); round++) {
    const child = spawn(process.execPath, [writer, path, folder, '3'], { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      said += part
    })
    const closed = once(child, 'close')
    await Promise.race([once(child.stdout, 'data'), closed])
    await delay(Math.random() * 150)
    child.kill('SIGKILL')
    assert.equal((await closed)[1], 'SIGKILL')
    made += said.split('\n').length - 1
    if (readdirSync(folder).some((name) => name.includes('.part'))) killedInside++
    const files = await checkAll()
    // Between the making of one and the removal of the oldest there is one more.
    assert.ok(files >= 1 && files <= 4, `${files} files`)
  }
  await addBackup(path, folder, { keep: 3, nowMs: systemClock.now() })
  assert.deepEqual(
    readdirSync(folder).filter((name) => !/^floodgauge-\d{6}-\w+\.db$/.test(name)),
    [],
  )
  t.diagnostic(`${made} backups, ${killedInside} of ${round} kills in the middle of one`)
  assert.ok(killedInside > 0)
})

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

it('a disk that is full leaves the backups that are there', {
  skip: !hasPrlimit && 'there is no prlimit (util-linux)',
}, async () => {
  if (!existsSync(folder)) await addBackup(path, folder, { keep: 3, nowMs: systemClock.now() })
  const before = readdirSync(folder).toSorted()
  const ended = spawnSync('prlimit', ['--fsize=100000', process.execPath, writer, path, folder, '1'], {
    encoding: 'utf8',
    timeout: 480_000,
  })
  assert.equal(ended.status, 1, ended.stderr)
  assert.match(ended.stderr, /STORE_UNAVAILABLE/)
  assert.deepEqual(readdirSync(folder).toSorted(), before)
  await checkAll()
})
