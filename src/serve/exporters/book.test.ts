import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { reportedMs, streamReport } from '../../../test/helpers/exporters.ts'
import { openFreshStore } from '../../../test/helpers/store.ts'
import { ManualClock } from '../../clock.ts'
import type { Happening } from '../../collect/health/notice.ts'
import { noReception } from '../../collect/health/reception.ts'
import { AppError } from '../../errors.ts'
import { createLogger } from '../../log.ts'
import type { Store } from '../../store/store.ts'
import { ExporterBook } from './book.ts'

const log = createLogger('silent')
const dayMs = 86_400_000

async function newBook(t: TestContext, { octetsMax = 1 << 20 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-exporters-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clock = new ManualClock(reportedMs)
  const store = await openFreshStore(join(folder, 'store.db'), { clock })
  t.after(() => store.close())
  const noted: (readonly [kind: string, address: string, text: string])[] = []
  const notices = { note: ({ kind, text }: Happening, address: string) => void noted.push([kind, address, text]) }
  const open = async (over: Pick<Store, 'saveStreamReports' | 'loadStreamReports' | 'deleteStreamReports'> = store) => {
    const book = new ExporterBook({ store: over, clock, log, notices, octetsMax })
    await book.start()
    t.after(() => book.stop())
    return book
  }
  return { clock, store, open, noted, book: await open() }
}

const addresses = (book: ExporterBook) => book.list().map(({ address }) => address)

describe('the book of exporters', () => {
  it('has the latest of what collectors tell, and adds up what concerns no exporter', async (t) => {
    const { book } = await newBook(t)
    const sender = { address: '203.0.113.9', datagrams: 2, lastMs: 5, workedBefore: false }
    book.take('a', [streamReport({ counters: { datagrams: 1 } })], { ...noReception, socketDrops: 1 })
    book.take('b', [streamReport({ domain: 10 })], { ...noReception, refused: 2, refusedSenders: [sender] })
    book.take('a', [streamReport({ counters: { datagrams: 2 } })], {
      ...noReception,
      socketDrops: 3,
      refusedSenders: [sender],
    })
    assert.deepEqual(
      book.find('192.0.2.7')?.streams.map(({ domain, counters }) => [domain, counters.datagrams]),
      [
        [9, 2],
        [10, 6_000],
      ],
    )
    assert.equal(book.find('192.0.2.8'), null)
    assert.deepEqual(book.reception(), {
      socketDrops: 3,
      notExports: 0,
      refused: 2,
      refusedSenders: [{ ...sender, datagrams: 4 }],
    })
  })

  it('shows after a restart who fell silent, and since when each is known', async (t) => {
    const { book, clock, open } = await newBook(t)
    const early = streamReport({ firstMs: reportedMs - dayMs })
    book.take('a', [early, streamReport({ address: '192.0.2.8' })], noReception)
    await book.stop()
    clock.advance(3_600_000)
    const again = await open()
    const late = { firstMs: clock.now(), lastMs: clock.now(), countedFromMs: clock.now() }
    const templates = [{ id: 256, options: false, fields: 10, firstMs: clock.now() }]
    again.take('a', [streamReport({ ...late, templates, counters: { datagrams: 7 } })], noReception)
    const [heard, silent] = again.list()
    assert.deepEqual([heard.address, heard.firstMs, heard.state], ['192.0.2.7', early.firstMs, 'ok'])
    assert.deepEqual([heard.streams[0].countedFromMs, heard.streams[0].counters.datagrams], [clock.now(), 7])
    assert.equal(heard.streams[0].templates[0].firstMs, early.templates[0].firstMs)
    assert.deepEqual([silent.address, silent.state, silent.datagramsPerSecond], ['192.0.2.8', 'error', 0])
    assert.match(silent.findings[0].text, /nothing was heard for 60 min/)
  })

  it('knows an exporter that restarts with another port, and two that share an address', async (t) => {
    const { book, store } = await newBook(t)
    const before = streamReport({ port: 1, firstMs: reportedMs - 300_000, lastMs: reportedMs + 2_000 })
    book.take('a', [before], noReception)
    await book.save()
    book.take(
      'a',
      [2, 3].map((port) =>
        streamReport({ port, firstMs: reportedMs + 1_000 * (port + 1), lastMs: reportedMs + 200_000 }),
      ),
      noReception,
    )
    assert.deepEqual(
      book.find('192.0.2.7')?.streams.map(({ port, firstMs }) => [port, firstMs]),
      [
        [2, reportedMs - 300_000],
        [3, reportedMs + 4_000],
      ],
    )
    await book.save()
    assert.deepEqual(
      (await store.loadStreamReports()).map(({ port }) => port),
      [2, 3],
    )
  })

  it('is bounded, and keeps who has worked for minutes, however many others come', async (t) => {
    // Room for some thirty reports.
    const { book, store } = await newBook(t, { octetsMax: 34_000 })
    book.take('a', [streamReport({ address: '192.0.2.1', lastMs: reportedMs - 1_000 }), streamReport()], noReception)
    for (let i = 0; i < 200; i++) {
      const at = { firstMs: reportedMs + i, lastMs: reportedMs + i }
      book.take('a', [streamReport({ address: `10.0.0.${i}`, ...at })], noReception)
    }
    const kept = addresses(book)
    assert.ok(kept.length <= 34 && kept.length > 20, String(kept.length))
    assert.ok(kept.includes('192.0.2.1') && kept.includes('192.0.2.7') && kept.includes('10.0.0.199'))
    assert.equal(book.evicted, 202 - kept.length)
    await book.save()
    assert.deepEqual(
      (await store.loadStreamReports()).map(({ address }) => address),
      ['192.0.2.1', '192.0.2.7'],
      'of many newcomers none is saved',
    )
    for (let domain = 0; domain < 100; domain++)
      book.take('a', [streamReport({ address: '10.0.1.1', domain })], noReception)
    assert.ok(addresses(book).includes('192.0.2.1') && addresses(book).includes('192.0.2.7'))
    await book.save()
    const saved = await store.loadStreamReports()
    assert.equal(
      saved.length,
      book
        .list()
        .flatMap(({ streams }) => streams)
        .filter(({ address }) => address !== '10.0.0.199' && !address.startsWith('10.0.0.')).length,
    )
  })

  it('is saved with newcomers while they are few', async (t) => {
    const { book, store } = await newBook(t)
    book.take('a', [streamReport({ firstMs: reportedMs, lastMs: reportedMs })], noReception)
    await book.save()
    assert.equal((await store.loadStreamReports()).length, 1)
  })

  it('forgets who was silent for a month, in the store as well', async (t) => {
    const { book, clock, store } = await newBook(t)
    book.take('a', [streamReport({ address: '192.0.2.1' }), streamReport({ lastMs: reportedMs + 1_000 })], noReception)
    await book.save()
    clock.advance(30 * dayMs + 1_000)
    await book.save()
    assert.deepEqual(addresses(book), ['192.0.2.7'])
    assert.deepEqual(
      (await store.loadStreamReports()).map(({ address }) => address),
      ['192.0.2.7'],
    )
  })

  it('forgets after a day the streams that an exporter has no more, while it goes on', async (t) => {
    const { book, clock } = await newBook(t)
    book.take('a', [streamReport({ domain: 1 }), streamReport({ address: '192.0.2.8' })], noReception)
    clock.advance(dayMs + 1)
    book.take('a', [streamReport({ domain: 2, firstMs: clock.now(), lastMs: clock.now() })], noReception)
    await book.save()
    assert.deepEqual(
      book.list().map(({ address, streams }) => [address, streams.map(({ domain }) => domain)]),
      [
        ['192.0.2.8', [9]],
        ['192.0.2.7', [2]],
      ],
    )
  })

  it('loses nothing while the store is down', async (t) => {
    const { store, open } = await newBook(t)
    let isDown = true
    const failing: Parameters<typeof open>[0] = {
      loadStreamReports: () =>
        isDown ? Promise.reject(new AppError('STORE_UNAVAILABLE', 'down')) : store.loadStreamReports(),
      saveStreamReports: (reports) =>
        isDown ? Promise.reject(new AppError('STORE_UNAVAILABLE', 'down')) : store.saveStreamReports(reports),
      deleteStreamReports: (names) => store.deleteStreamReports(names),
    }
    const book = await open(failing)
    book.take('a', [streamReport({ counters: { datagrams: 1 } }), streamReport({ domain: 10 })], noReception)
    await book.save()
    book.take('a', [streamReport({ counters: { datagrams: 2 } })], noReception)
    isDown = false
    await book.save()
    assert.deepEqual(
      (await store.loadStreamReports()).map(({ domain, counters }) => [domain, counters.datagrams]),
      [
        [9, 2],
        [10, 6_000],
      ],
    )
  })

  it('notes a sender that nobody knew, once the exporters are known', async (t) => {
    const { book, noted, clock } = await newBook(t)
    const since = (firstMs: number) => ({ firstMs, lastMs: clock.now(), countedFromMs: firstMs })
    const old = streamReport(since(reportedMs - 600_000))
    book.take('a', [old, streamReport({ address: '192.0.2.8' })], noReception)
    assert.equal(noted.length, 0, 'these are its first')
    clock.advance(3_600_000)
    await book.save()
    book.take('a', [streamReport({ address: '192.0.2.8', domain: 10 })], noReception)
    book.take(
      'a',
      [streamReport({ address: '192.0.2.9', ...since(clock.now()), counters: { records: 0 } })],
      noReception,
    )
    assert.equal(noted.length, 0, 'one that is known has another domain, and what brings no flows counts for nothing')
    for (let i = 0; i < 3; i++)
      book.take('a', [streamReport({ address: '192.0.2.9', ...since(clock.now()) })], noReception)
    assert.deepEqual(
      noted.map(([kind, address]) => [kind, address]),
      [['new-sender', '192.0.2.9']],
    )
  })

  it('notes restarts, by what a stream counts and by another port, and large changes of rates', async (t) => {
    const { book, noted, open } = await newBook(t)
    const report = (restarts: number, more: Parameters<typeof streamReport>[0] = {}) =>
      streamReport({ counters: { restarts }, ...more })
    for (const restarts of [0, 1, 1, 2]) book.take('a', [report(restarts)], noReception)
    assert.deepEqual(
      noted.map(([kind]) => kind),
      ['restart', 'restart'],
    )
    await book.stop()
    const again = await open()
    again.take('a', [report(0, { countedFromMs: reportedMs + 5_000 })], noReception)
    again.take('a', [report(1, { countedFromMs: reportedMs + 5_000 })], noReception)
    assert.equal(noted.length, 3, 'a service that starts again counts from 0')
    again.take('a', [report(0, { port: 7, firstMs: reportedMs + 9_000, lastMs: reportedMs + 9_000 })], noReception)
    assert.deepEqual(noted.at(-1)?.slice(0, 3), [
      'restart',
      '192.0.2.7',
      'domain 9 comes from port 7, where it had come from 2055',
    ])
    const jump = {
      scope: 'exporter' as const,
      id: 0,
      from: 1_000,
      to: 1,
      toldMs: 5,
      decidedMs: 5,
      outcome: 'waits' as const,
    }
    for (let i = 0; i < 2; i++) again.take('a', [report(0, { port: 7, sampling: { jumps: [jump] } })], noReception)
    assert.equal(noted.length, 5)
    assert.deepEqual(
      noted.at(-1)?.[2],
      'the sampling rate 1:1000 was told as 1:1: the old one counts until the new one is told again',
    )
    again.take(
      'a',
      [report(0, { port: 7, sampling: { jumps: [{ ...jump, decidedMs: 9, outcome: 'contradicted' }] } })],
      noReception,
    )
    assert.match(noted.at(-1)?.[2] ?? '', /contradicted/)
  })

  it('says of an exporter that had worked that it is refused, until it is heard again', async (t) => {
    const { book, noted, clock } = await newBook(t)
    book.take('a', [streamReport()], noReception)
    clock.advance(10_000)
    const refused = (lastMs: number, workedBefore = true) => ({
      ...noReception,
      refusedSenders: [{ address: '192.0.2.7', datagrams: 1, lastMs, workedBefore }],
    })
    book.take('a', [], refused(clock.now(), false))
    assert.deepEqual([noted, book.list()[0].state], [[], 'ok'])
    for (let i = 0; i < 5; i++) book.take('a', [], refused(clock.now() + i))
    assert.deepEqual(
      noted.map(([kind, address]) => [kind, address]),
      [['refused', '192.0.2.7']],
    )
    for (const exporter of [book.list()[0], book.find('192.0.2.7')]) {
      assert.deepEqual([exporter?.state, exporter?.findings[0].rule], ['error', 'refused'])
    }
    book.take('a', [streamReport({ lastMs: clock.now() + 60_000 })], noReception)
    assert.equal(book.list()[0].state, 'ok')
  })
})
