// The store with a million events of one user, spread over a year, and ten thousand sites: how long a window, a page, a list and the
// everyday writes take, and that reading the whole window by pages (in a process of its own) needs no more memory than a page.
// Run: node bench/store.ts [EVENTS]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '../src/clock.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import type { EventDetail, EventKey, EventSummary, Store } from '../src/store/store.ts'
import { addEvents, eventOf, updateOf } from '../test/helpers/events.ts'

const events = Number(process.argv[2] ?? 1_000_000)
const sites = 10_000
const yearMs = 365 * 86_400_000
const endMs = Date.UTC(2018, 0, 1)
const startMs = endMs - yearMs
const spacingMs = yearMs / events
const dateOf = (number: number) => startMs + Math.floor((number * spacingMs) / 1000) * 1000

function print(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(56)} ${value}\n`)
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/** Median and worst of several runs, in milliseconds. */
async function time(name: string, run: () => Promise<unknown>, runs = 15): Promise<void> {
  const durations: number[] = []
  for (let i = 0; i < runs; i++) {
    const started = performance.now()
    await run()
    durations.push(performance.now() - started)
  }
  durations.sort((a, b) => a - b)
  print(name, `median ${durations[runs >> 1].toFixed(2)} ms, worst ${durations[runs - 1].toFixed(2)} ms`)
}

async function fill(store: Store, userId: string): Promise<void> {
  const started = performance.now()
  const batch = 10_000
  for (let at = 0; at < events; at += batch) {
    const rows: EventDetail[] = []
    for (let number = at; number < Math.min(at + batch, events); number++)
      rows.push(eventOf(userId, number, { createdMs: dateOf(number), endMs: dateOf(number) + 60_000 }))
    await addEvents(store, rows)
  }
  const seconds = (performance.now() - started) / 1000
  print(`${events} events written, ${batch} a transaction`, `${Math.round(events / seconds)} events/s`)
}

/** Reads the whole window by pages; prints the most memory of the process, and the most that was in use after a collection, along the way. */
async function streamAll(store: Store, userId: string): Promise<void> {
  globalThis.gc?.()
  const before = process.memoryUsage()
  let [rss, inUse] = [before.rss, before.heapUsed]
  let read = 0
  let worstMs = 0
  const started = performance.now()
  for (let after: EventKey | null = null; ; ) {
    const pageStarted = performance.now()
    const page: EventSummary[] = await store.eventsBetween(userId, {
      fromMs: startMs,
      toMs: endMs,
      after,
      limit: 1_000,
    })
    worstMs = Math.max(worstMs, performance.now() - pageStarted)
    read += page.length
    rss = Math.max(rss, process.memoryUsage.rss())
    if (read % (events / 10) < 1_000) {
      globalThis.gc?.()
      inUse = Math.max(inUse, process.memoryUsage().heapUsed)
    }
    if (page.length < 1_000) break
    after = page[page.length - 1]
  }
  const seconds = (performance.now() - started) / 1000
  if (read !== events) throw new Error(`${read} events read of ${events}`)
  print(
    'whole window by pages of 1000',
    `${seconds.toFixed(2)} s, ${Math.round(read / seconds)} events/s, worst page ${worstMs.toFixed(1)} ms`,
  )
  print('resident memory before, highest', `${megabytes(before.rss)}, ${megabytes(rss)}`)
  print('heap in use before, highest', `${megabytes(before.heapUsed)}, ${megabytes(inUse)}`)
}

async function measureSites(store: Store): Promise<void> {
  const { id } = await store.addUser({ email: 'sites@example.com', siteQuota: sites, allowed: null })
  const hosts = Array.from({ length: sites }, (_, number) => `host-${number}.example.com`)
  for (let at = 0; at < sites; at += 1_000) {
    const batch = hosts.slice(at, at + 1_000)
    if (at === 0) await time('1000 sites added at once', () => store.addSites(id, batch, at), 1)
    else await store.addSites(id, batch, at)
  }
  await time(`${sites} sites listed`, () => store.listSites(id))
  await time(`${sites} sites for the watch list`, () => store.enabledSites())
  await time('version of the sites', () => store.sitesVersion())
  const { id: few } = await store.addUser({ email: 'few@example.com', siteQuota: sites, allowed: null })
  await store.addSites(few, hosts.slice(0, 100), 1)
  await time('100 sites listed', () => store.listSites(few), 201)
  await time('one site added (durable)', () => store.addSites(few, [`${performance.now()}.example`], 2), 101)
  await time('two sites disabled (durable)', () => store.setEnabled(few, hosts.slice(0, 2), false), 101)
}

async function measureSeries(store: Store): Promise<void> {
  const targets = 10_000
  let minute = 0
  const points = () => {
    minute += 60
    return Array.from({ length: targets }, (_, address) => ({ address, minute, bytes: 1e6, packets: 1e3, flows: 10 }))
  }
  await time(`a minute of ${targets} targets written`, () => store.appendSeries(points()), 20)
  await time('a target read', () =>
    store.sumSeries('bench', [{ address: 5_000, fromMinute: 0 }], { fromMinute: 0, toMinute: minute, stepSeconds: 60 }),
  )
}

/** The longest that anything else had to wait while the store forgot. */
async function measurePrune(store: Store): Promise<void> {
  let worstMs = 0
  let last = performance.now()
  let running = true
  const watch = async () => {
    while (running) {
      await new Promise((resolve) => setImmediate(resolve))
      worstMs = Math.max(worstMs, performance.now() - last)
      last = performance.now()
    }
  }
  const watching = watch()
  const started = performance.now()
  const rows = await store.prune({ eventsMs: startMs + yearMs / 10, seriesMs: 10 * 60_000, bindingsMs: 0 })
  running = false
  await watching
  const seconds = (performance.now() - started) / 1000
  print(`${rows} rows pruned`, `${seconds.toFixed(2)} s; others waited ${worstMs.toFixed(1)} ms at most`)
}

async function main(path: string): Promise<void> {
  const clock = new ManualClock(0)
  const store = await openSqliteStore(path, { clock })
  const { id } = await store.addUser({ email: 'events@example.com', siteQuota: 10, allowed: null })
  await fill(store, id)
  print('size', megabytes(await store.sizeBytes()))
  spawnSync(process.execPath, ['--expose-gc', import.meta.filename, String(events), path, id], { stdio: 'inherit' })
  const window = (fromMs: number, toMs: number, limit: number) =>
    store.eventsBetween(id, { fromMs, toMs, after: null, limit })
  const middle = startMs + yearMs / 2
  const inDay = (await window(middle, middle + 86_400_000, events)).length
  await time(`24-hour window (${inDay} events)`, () => window(middle, middle + 86_400_000, events))
  await time('10-minute window', () => window(middle, middle + 600_000, events))
  await time('page of 1000 in the middle of the year', () => window(middle, endMs, 1_000))
  await time('detail of an event', () => store.eventById(id, eventOf(id, events >> 1).id))
  clock.set(endMs)
  let next = events
  await time('one event appended (durable)', () => addEvents(store, [eventOf(id, next++)]), 101)
  await time('one event updated', () => store.record({ updates: [updateOf(eventOf(id, next - 1))] }), 101)
  await measureSites(store)
  await measureSeries(store)
  await time('backup', () => store.backup(`${path}.copy`), 1)
  await measurePrune(store)
  await store.close()
}

async function stream(path: string, userId: string): Promise<void> {
  const store = await openSqliteStore(path, { clock: new ManualClock(endMs) })
  await streamAll(store, userId)
  await store.close()
}

const [, , , streamPath, streamUser] = process.argv
if (streamPath !== undefined) await stream(streamPath, streamUser)
else {
  const directory = mkdtempSync(join(tmpdir(), 'floodgauge-bench-'))
  try {
    await main(join(directory, 'floodgauge.db'))
  } finally {
    rmSync(directory, { recursive: true })
  }
}
