import assert from 'node:assert/strict'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { addEvents, eventOf } from '../../../../test/helpers/events.ts'
import { openFreshStore } from '../../../../test/helpers/store.ts'
import { ManualClock } from '../../../clock.ts'
import { openSqliteStore } from '../index.ts'
import { backupTo } from './backup.ts'
import { addBackup, backupsIn } from './backup-folder.ts'

const clock = new ManualClock()
const nowMs = Date.UTC(2026, 0, 15, 12, 30, 5, 678)
const dayMs = 86_400_000
const newest = readdirSync(new URL('../migrations/', import.meta.url)).length

let folder: string
let path: string

async function prepare(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'floodgauge-backups-'))
  t.after(() => rmSync(root, { recursive: true }))
  folder = join(root, 'to', 'backups')
  path = join(root, 'store.db')
  const store = await openFreshStore(path, { clock })
  const { id } = await store.addUser({ email: 'ann@example.net', siteQuota: 10, allowed: null })
  await store.addSites(id, ['192.0.2.1', 'www.example.net'], 1)
  await addEvents(store, [eventOf(id, 1), eventOf(id, 2), eventOf(id, 3)])
  t.after(() => store.close())
  return { store, userId: id }
}

const add = (given: Partial<Parameters<typeof addBackup>[2]> = {}) =>
  addBackup(path, folder, { keep: 3, nowMs, ...given })
const names = () => readdirSync(folder).toSorted()

describe('a folder of backups', () => {
  beforeEach(() => clock.set(0))

  it('takes a numbered file for its owner alone, that holds what the store holds', async (t) => {
    await prepare(t)
    const { file, bytes, kept, ...content } = await add()
    assert.deepEqual(file, { name: 'floodgauge-000001-20260115T123005Z.db', number: 1, madeMs: nowMs - 678 })
    assert.deepEqual(content, { schemaVersion: newest, users: 1, sites: 2, events: 3 })
    assert.deepEqual(names(), [file.name])
    assert.deepEqual([statSync(join(folder, file.name)).mode & 0o777, statSync(folder).mode & 0o777], [0o600, 0o700])
    assert.deepEqual([bytes, kept], [statSync(join(folder, file.name)).size, 1])
    assert.deepEqual(backupsIn(folder), [file])
    const copy = await openSqliteStore(join(folder, file.name), { clock })
    assert.deepEqual(
      (await copy.listUsers()).map(({ email }) => email),
      ['ann@example.net'],
    )
    await copy.close()
  })

  it('keeps the newest by number, whatever the clock says', async (t) => {
    await prepare(t)
    for (const day of [0, 1, 500, 2, -1]) await add({ nowMs: nowMs + day * dayMs })
    assert.deepEqual(
      backupsIn(folder).map(({ number, madeMs }) => [number, (madeMs - nowMs + 678) / dayMs]),
      [
        [3, 500],
        [4, 2],
        [5, -1],
      ],
    )
  })

  it('leaves alone what is not its own, and removes what a killed process has left', async (t) => {
    await prepare(t)
    await add()
    const others = ['floodgauge.db', 'notes.db.part', 'floodgauge-1-20260115T123005Z.db', 'floodgauge-000009.db']
    for (const name of others) writeFileSync(join(folder, name), 'mine')
    const left = 'floodgauge-000002-20260115T120000Z.db.part'
    for (const suffix of ['', '-journal', '-wal']) writeFileSync(join(folder, `${left}${suffix}`), 'half')
    const { file } = await add({ keep: 1 })
    assert.deepEqual(names(), [...others, file.name].toSorted())
  })

  it('takes no copy of a store that is damaged, and keeps those before', async (t) => {
    const { store, userId } = await prepare(t)
    const { file } = await add()
    const before = readFileSync(join(folder, file.name))
    const many = Array.from({ length: 400 }, (_, i) => eventOf(userId, 10 + i))
    await addEvents(store, many)
    await store.close()
    const pages = statSync(path).size / 4_096
    const handle = openSync(path, 'r+')
    for (let page = 40; page < pages; page++) writeSync(handle, Buffer.alloc(4_096, 7), 0, 4_096, page * 4_096)
    closeSync(handle)
    await assert.rejects(add({ keep: 1 }), { code: 'STORE_UNAVAILABLE' })
    assert.deepEqual(names(), [file.name])
    assert.deepEqual(readFileSync(join(folder, file.name)), before)
  })

  it('takes no copy that would leave the disk less than 64 MiB', async (t) => {
    await prepare(t)
    mkdirSync(folder, { recursive: true })
    const needed = statSync(path).size + statSync(`${path}-wal`).size + 64 * 1024 * 1024
    const to = join(folder, 'copy.db')
    await assert.rejects(
      backupTo(path, to, () => needed - 1),
      { code: 'STORE_UNAVAILABLE', message: /too little room for a backup: \d+ MiB are free, \d+ MiB are needed/ },
    )
    assert.deepEqual(names(), [])
    await backupTo(path, to, () => needed)
    assert.deepEqual(names(), ['copy.db'])
  })

  it('is of one moment, however much is written meanwhile', async (t) => {
    const { store, userId } = await prepare(t)
    let copying = true
    const made = add().finally(() => {
      copying = false
    })
    let number = 100
    for (; copying; number++) {
      await addEvents(store, [eventOf(userId, number)])
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { events } = await made
    assert.ok(events < 3 + number - 100, `${events} of ${3 + number - 100}`)
  })
})
