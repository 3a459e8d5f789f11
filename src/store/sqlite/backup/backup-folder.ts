// A folder of numbered backups. The number says which is newer, whatever the clock was when they were made; the time is for people, and for what is due.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory, sync } from '../../data-directory.ts'
import { type BackupResult, backupTo, partSuffix, removePart } from './backup.ts'

export interface BackupFile {
  name: string
  number: number
  /** Unix milliseconds, whole seconds. */
  madeMs: number
}

export interface MadeBackup extends BackupResult {
  file: BackupFile
  /** How many there are now. */
  kept: number
}

/** `floodgauge-000012-20260115T120000Z.db` */
const form = /^floodgauge-(\d{6,12})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/

/** The oldest first; none where there is no such folder. What is not named as a backup is left alone. */
export function backupsIn(folder: string): BackupFile[] {
  return existsSync(folder) ? backupsAmong(readdirSync(folder)) : []
}

/** The same, read outside this thread: a folder on a network may not answer. */
export async function findBackups(folder: string): Promise<BackupFile[]> {
  try {
    return backupsAmong(await readdir(folder))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function backupsAmong(names: readonly string[]): BackupFile[] {
  return names
    .flatMap((name) => {
      const [, number, ...date] = form.exec(name) ?? []
      if (number === undefined) return []
      const [year, month, ...rest] = date.map(Number)
      return { name, number: Number(number), madeMs: Date.UTC(year, month - 1, ...rest) }
    })
    .sort((a, b) => a.number - b.number)
}

/** Makes the next backup of the database at `path`, and then removes the oldest ones but for `keep`. One that fails removes none. */
export async function addBackup(
  path: string,
  folder: string,
  given: { keep: number; nowMs: number },
): Promise<MadeBackup> {
  makeDirectory(folder)
  removeUnfinished(folder)
  const before = backupsIn(folder)
  const madeMs = Math.floor(given.nowMs / 1_000) * 1_000
  const number = (before.at(-1)?.number ?? 0) + 1
  const file = { name: nameOf(number, madeMs), number, madeMs }
  const result = await backupTo(path, join(folder, file.name))
  const old = before.slice(0, Math.max(0, before.length + 1 - given.keep))
  for (const { name } of old) rmSync(join(folder, name), { force: true })
  if (old.length > 0) sync(folder)
  return { ...result, file, kept: before.length + 1 - old.length }
}

function nameOf(number: number, madeMs: number): string {
  const time = new Date(madeMs).toISOString().slice(0, 19).replace(/[-:]/g, '')
  return `floodgauge-${String(number).padStart(6, '0')}-${time}Z.db`
}

/** What a process that was killed has left. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    const whole = name.slice(0, name.indexOf(partSuffix))
    if (name.includes(partSuffix) && form.test(whole)) removePart(join(folder, `${whole}${partSuffix}`))
  }
}
