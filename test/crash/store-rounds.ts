// Kills the writers of a store at random moments, again and again, and checks after each time that nothing acknowledged is lost.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { patiently } from './patiently.ts'
import { Expected } from './store-expected.ts'

export interface CrashOutcome {
  rounds: number
  acknowledged: number
  /** Events that were seen in a list before a kill. */
  listed: number
}

const writerFile = fileURLToPath(new URL('./store-writer.ts', import.meta.url))
/** From the start of the process (some die before the store is open, some while they migrate it), or of its work. */
const shortestLifeMs = 60
const longestLifeMs = 600
/** Rounds on one file; the next ones begin with an empty directory, so that the first opening is interrupted too. */
const roundsPerFile = 5

export async function crashStore(rounds: number): Promise<CrashOutcome> {
  const outcome: CrashOutcome = { rounds: 0, acknowledged: 0, listed: 0 }
  while (outcome.rounds < rounds) {
    const directory = mkdtempSync(join(tmpdir(), 'floodgauge-crash-'))
    try {
      await crashFile(
        join(directory, 'data', 'floodgauge.db'),
        Math.min(roundsPerFile, rounds - outcome.rounds),
        outcome,
      )
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  return outcome
}

async function crashFile(path: string, rounds: number, outcome: CrashOutcome): Promise<void> {
  const writers = ['ann@example.com', 'bob@example.com'].map((email) => new Expected(email))
  for (let round = 0; round < rounds; round++) {
    // Every other time they are at work first, however slow the machine is.
    const listed = await killWriters(path, writers, outcome.rounds % 2 === 0)
    checkFile(path)
    const store = await openSqliteStore(path, { clock: systemClock })
    for (const [i, writer] of writers.entries()) await writer.check(store, listed[i])
    await store.checkWritable()
    await store.close()
    outcome.rounds++
    outcome.listed += listed.reduce((sum, ids) => sum + ids.size, 0)
  }
  for (const writer of writers) outcome.acknowledged += writer.acknowledged
}

/** Lets the writers run, reads beside them what is listable, kills them, and takes note of what they said. */
async function killWriters(path: string, writers: Expected[], atWork: boolean): Promise<Set<string>[]> {
  const lifeMs = shortestLifeMs + Math.random() * (longestLifeMs - shortestLifeMs)
  const processes = writers.map(({ email, nextNumber }, i) =>
    // The numbers of the two never meet.
    start(path, email, Math.max(nextNumber, i * 1_000_000 + 1)),
  )
  const watching = new AbortController()
  const reading = readListed(path, writers, watching.signal)
  if (atWork) await Promise.all(processes.map(({ began }) => began))
  await delay(lifeMs)
  for (const { child } of processes) child.kill('SIGKILL')
  watching.abort()
  const outputs = await Promise.all(processes.map(({ output }) => output))
  for (const [i, writer] of writers.entries()) writer.take(outputs[i])
  return reading
}

interface Writer {
  child: ChildProcess
  /** It has said the first line. */
  began: Promise<unknown>
  output: Promise<string>
}

function start(path: string, email: string, firstNumber: number): Writer {
  const child = spawn(process.execPath, [writerFile, path, email, String(firstNumber)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    complained += part
  })
  const ended = once(child, 'close')
  const output = ended.then(([, signal]) => {
    assert.equal(signal, 'SIGKILL', `the writer ended by itself: ${complained}`)
    return said
  })
  return { child, began: Promise.race([once(child.stdout, 'data'), ended]), output }
}

/** The ids that each user's list has shown, as another process sees it. */
async function readListed(path: string, writers: Expected[], stop: AbortSignal): Promise<Set<string>[]> {
  const listed = writers.map(() => new Set<string>())
  while (!existsSync(path) && !stop.aborted) await delay(5)
  if (stop.aborted) return listed
  const store = await patiently(() => openSqliteStore(path, { clock: systemClock }))
  const window = { fromMs: null, toMs: null, after: null, limit: 1_000_000 }
  while (!stop.aborted) {
    for (const [i, { email }] of writers.entries()) {
      const user = await patiently(() => store.userByEmail(email))
      if (user === null) continue
      for (const { id } of await patiently(() => store.eventsBetween(user.id, window))) listed[i].add(id)
    }
    await delay(20)
  }
  await store.close()
  return listed
}

/** The file is whole, as SQLite itself sees it. */
export function checkFile(path: string): void {
  if (!existsSync(path)) return
  const database = new DatabaseSync(path)
  assert.deepEqual(
    database
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => row.integrity_check),
    ['ok'],
  )
  assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), [])
  database.close()
}
