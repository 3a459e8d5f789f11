import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../clock.ts'
import { isWithin } from '../../net/hostname.ts'
import type { SavedObservation } from '../bindings/bindings.ts'
import { Imports } from './imports.ts'

const startMs = 1_800_000_000_000
const seconds = startMs / 1_000
const line = (rrname: string, rdata: string, more: object = {}) =>
  `${JSON.stringify({ rrname, rrtype: 'A', rdata, time_first: seconds - 100, time_last: seconds - 50, ...more })}\n`

function create(save: (observations: SavedObservation[]) => Promise<void> = async () => {}) {
  const included: SavedObservation[] = []
  const names = {
    isOfSite: (name: string) => isWithin(name, 'example.com'),
    include: (observations: readonly SavedObservation[]) => {
      const kept = observations.filter(({ address }) => address !== 0x7f000001)
      included.push(...kept)
      return kept
    },
  }
  const saved: SavedObservation[] = []
  const imports = new Imports({
    ...{ names, clock: new ManualClock(startMs), graceSeconds: 1_800 },
    save: async (observations) => {
      saved.push(...observations)
      await save(observations)
    },
  })
  return { imports, included, saved }
}

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

describe('an import of passive DNS', () => {
  it('takes what is of sites, keeps it, and tells what it passed over', async () => {
    const { imports, included, saved } = create()
    const text = [
      line('www.example.com', '192.0.2.1'),
      line('www.example.net', '192.0.2.2'),
      line('www.example.com', 'v=spf1', { rrtype: 'TXT' }),
      '\n',
      'no JSON\n',
      line('shop.example.com', '127.0.0.1'),
      line('late.example.com', '192.0.2.3', { time_last: seconds + 3_600 }),
      line('last.example.com', '192.0.2.4').trimEnd(),
    ].join('')
    const cuts = Array.from({ length: Math.ceil(text.length / 7) }, (_, i) => text.slice(7 * i, 7 * i + 7))
    const report = await imports.run(chunks(...cuts))
    assert.deepEqual(report, {
      ...{ lines: 8, observations: 3, otherTypes: 1, otherNames: 1, omitted: 0, broken: 1 },
      errors: [{ line: 5, reason: 'It is no JSON object' }],
    })
    assert.deepEqual(saved, included)
    assert.deepEqual(
      saved.map(({ name, confirmedMs }) => [name, (confirmedMs - startMs) / 1_000]),
      [
        ['www.example.com', -50],
        ['late.example.com', 0],
        ['last.example.com', -50],
      ],
    )
    const { errors: _, ...counts } = report
    assert.deepEqual(imports.counts, { imports: 1, ...counts })
  })

  it('tells the first ten of many broken lines; one that is too long is broken', async () => {
    const { imports } = create()
    const report = await imports.run(chunks('x\n'.repeat(3), 'y'.repeat(65_537), '\n', 'z\n'.repeat(20)))
    assert.deepEqual([report.lines, report.broken, report.errors.length], [24, 24, 10])
    assert.deepEqual(report.errors[3], { line: 4, reason: 'It is longer than 65536 octets' })
  })

  it('takes nothing of what is too long, or breaks off', async () => {
    const { imports, included } = create()
    async function* endless() {
      yield Buffer.from(line('www.example.com', '192.0.2.1'))
      for (;;) yield Buffer.alloc(1 << 20, '\n')
    }
    await assert.rejects(imports.run(endless()), { code: 'TOO_LARGE' })
    async function* breaking() {
      yield Buffer.from(line('www.example.com', '192.0.2.1'))
      throw new Error('reset')
    }
    await assert.rejects(imports.run(breaking()), /reset/)
    assert.deepEqual([included, imports.counts.imports], [[], 0])
    assert.equal((await imports.run(chunks(line('www.example.com', '192.0.2.1')))).observations, 1)
  })

  it('is one at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { imports } = create(() => promise)
    const first = imports.run(chunks(line('www.example.com', '192.0.2.1')))
    await assert.rejects(imports.run(chunks('')), { code: 'TOO_MANY_REQUESTS' })
    resolve()
    await first
    await imports.run(chunks(''))
  })
})
