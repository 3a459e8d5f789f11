// Stores of tests: a file with the newest schema, copied, so that not every test applies the migrations.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import type { MinutePoint } from '../../src/history/minute-series.ts'
import { createLogger } from '../../src/log.ts'
import { startReaderThread } from '../../src/serve/readers/reader.ts'
import { Readers } from '../../src/serve/readers/readers.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'

type Options = Parameters<typeof openSqliteStore>[1]

let template: Promise<string> | undefined

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'store.db')
  const store = await openSqliteStore(file, { clock: systemClock })
  await store.close()
  return file
}

/** Puts an empty store where no file is yet. */
export async function putFreshStore(path: string): Promise<void> {
  template ??= makeTemplate()
  const made = await template
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(made, path)
}

export async function openFreshStore(path: string, options: Options): Promise<Store> {
  await putFreshStore(path)
  return openSqliteStore(path, options)
}

/** A store whose long readings are answered by threads, as the service has it. */
export async function openWithReaders(
  file: string,
  options: Options,
  given: { threads?: number; onReaders?: (readers: Readers) => void } = {},
): Promise<Store> {
  const { threads = 1, onReaders = () => {} } = given
  const readers = new Readers({ log: createLogger('silent'), startThread: () => startReaderThread(file), threads })
  const store = await openSqliteStore(file, { ...options, readers })
  readers.start()
  onReaders(readers)
  const close = async () => {
    await readers.stop()
    await store.close()
  }
  return { ...store, close }
}

/** fromMinute <= minute < toMinute, in Unix seconds; ascending. */
export async function pointsOf(
  store: Pick<Store, 'sumSeries'>,
  address: number,
  fromMinute: number,
  toMinute: number,
): Promise<MinutePoint[]> {
  // Steps are counted back from the end, which so is where a minute begins.
  const window = { fromMinute, toMinute: Math.ceil(toMinute / 60) * 60, stepSeconds: 60 }
  const sums = await store.sumSeries('ann', [{ address, fromMinute: 0 }], window)
  return sums
    .map(({ minute, bytes, packets, flows, busiest }) => ({ address, minute, bytes, packets, flows, busiest }))
    .toSorted((a, b) => a.minute - b.minute)
}
