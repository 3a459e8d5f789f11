import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { ManualClock } from '../../clock.ts'
import { createLogger } from '../../log.ts'
import { storeFileOf } from '../../store/data-directory.ts'
import { type BackupFile, backupsIn, findBackups } from '../../store/sqlite/backup/backup-folder.ts'
import { Backups } from './backups.ts'
import { backupMaker } from './run-backup.ts'

const hourMs = 3_600_000
const startMs = Date.UTC(2026, 0, 15, 12)

let folder: string
let clock: ManualClock
let fails: boolean
let made: number[]
let find: () => Promise<BackupFile[]>
let backups: Backups

const nameOf = (number: number, ms: number) => {
  const time = new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')
  return `floodgauge-${String(number).padStart(6, '0')}-${time}Z.db`
}

function put(number: number, madeMs: number) {
  const name = nameOf(number, madeMs)
  writeFileSync(join(folder, name), '')
  return { name, number, madeMs }
}

function create(given = { folder }): Backups {
  return new Backups({
    settings: { everyHours: 24, keep: 3, ...given },
    find: () => find(),
    make: async (nowMs) => {
      if (fails) throw new Error('the disk is full')
      made.push(nowMs)
      const file = put(100 + made.length, nowMs)
      return { file, kept: 1, bytes: 1_000, schemaVersion: 1, users: 1, sites: 2, events: 3 }
    },
    clock,
    log: createLogger('silent'),
  })
}

/** Lets time go by, with the looks at the folder that it brings. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    clock.advance(60_000)
    mock.timers.tick(60_000)
    await immediate()
  }
}

beforeEach(() => {
  mock.timers.enable({ apis: ['setInterval'] })
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-backups-'))
  clock = new ManualClock(startMs)
  fails = false
  made = []
  find = async () => backupsIn(folder)
  backups = create()
})

afterEach(async () => {
  await backups.stop()
  mock.timers.reset()
  rmSync(folder, { recursive: true, force: true })
})

describe('scheduled backups', () => {
  it('are made when the newest is old enough, also over restarts', async () => {
    put(1, startMs - 30 * hourMs)
    put(2, startMs - 23 * hourMs)
    backups.start()
    await immediate()
    assert.deepEqual(backups.check(), { ok: true, detail: 'the last was made 23 h ago' })
    await pass(59)
    assert.deepEqual(made, [])
    await pass(1)
    assert.equal(made.length, 1)
    await pass(24 * 60)
    assert.equal(made.length, 2)
    assert.deepEqual(backups.counts, { made: 2, failed: 0 })
  })

  it('are made a minute after the start where there is none, and not at all without a folder', async () => {
    backups.start()
    await pass(1)
    assert.equal(made.length, 1)
    const off = create({ folder: '' })
    off.start()
    await pass(1_500)
    assert.equal(made.length, 2)
    assert.deepEqual(off.check(), { ok: true, detail: 'none are scheduled (store.backup.folder)' })
  })

  it('that fail are counted, told, and tried again in a quarter of an hour', async () => {
    fails = true
    backups.start()
    await pass(15)
    assert.deepEqual(backups.counts, { made: 0, failed: 1 })
    assert.deepEqual(backups.check(), {
      ok: true,
      isWarning: true,
      detail: 'the last attempt failed, see the log; there is none yet',
    })
    await pass(1)
    assert.equal(backups.counts.failed, 2)
    fails = false
    await pass(15)
    assert.deepEqual(backups.counts, { made: 1, failed: 2 })
    assert.equal(backups.check().isWarning, undefined)
  })

  it('begin, though the folder cannot be read, which is told, and go on when it can', async () => {
    find = () => findBackups(join(folder, 'file'))
    writeFileSync(join(folder, 'file'), '')
    backups.start()
    await assert.rejects(find(), { code: 'ENOTDIR' })
    await immediate()
    assert.match(backups.check().detail, /^the last attempt failed/)
    assert.deepEqual(backups.counts, { made: 0, failed: 1 })
    find = async () => [put(1, startMs)]
    await pass(16)
    assert.deepEqual(backups.check(), { ok: true, detail: 'the last was made 0 h ago' })
  })

  it('wait for a folder that does not answer, which is told, and hold up neither the start nor the stop', async () => {
    let asked = 0
    find = () => {
      asked++
      return new Promise(() => {})
    }
    backups.start()
    await pass(3)
    assert.equal(asked, 1)
    assert.deepEqual(backups.check(), { ok: true, isWarning: true, detail: 'the folder does not answer' })
    await backups.stop()
    assert.deepEqual(backups.counts, { made: 0, failed: 0 })
  })

  it('that are overdue are told', async () => {
    put(1, startMs - 48 * hourMs)
    backups.start()
    await immediate()
    assert.deepEqual(backups.check(), { ok: true, isWarning: true, detail: 'overdue; the last was made 48 h ago' })
  })

  it('are made once more by a clock that was set back, and no oftener than hourly by one that leaps about', async () => {
    put(1, startMs + 500 * 24 * hourMs)
    backups.start()
    await pass(1)
    assert.equal(made.length, 1)
    await pass(120)
    assert.equal(made.length, 1)
    for (let times = 0; times < 120; times++) {
      clock.set(times % 2 === 0 ? startMs - 100 * 24 * hourMs : startMs + 100 * 24 * hourMs)
      await pass(1)
    }
    assert.ok(made.length <= 4, `${made.length} in two hours`)
  })
})

describe('the thread of a backup', () => {
  it('makes one that is verified, and tells the reason where it cannot', async () => {
    const dir = join(folder, 'data')
    mkdirSync(dir)
    const store = await openFreshStore(storeFileOf(dir), { clock })
    await store.addUser({ email: 'ann@example.net', siteQuota: 1, allowed: null })
    const to = (name: string) => ({ dir, backup: { folder: join(folder, name), everyHours: 1, keep: 1 } })
    const make = (name: string, signal = new AbortController().signal) =>
      backupMaker({ retentionDays: { events: 400, series: 1, bindings: 1, audit: 1 }, siteQuota: 1, ...to(name) })(
        startMs,
        signal,
      )
    const { file, users, kept } = await make('backups')
    assert.deepEqual([file.number, users, kept], [1, 1, 1])
    writeFileSync(join(folder, 'file'), '')
    await assert.rejects(make('file'), { code: 'STORE_UNAVAILABLE' })
    await assert.rejects(make('stopped', AbortSignal.abort()), /the service was stopped/)
    await store.close()
  })
})
