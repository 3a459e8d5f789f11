// The contract's part on what is known of exporters' streams.
import assert from 'node:assert/strict'
import type { SavedStream } from '../../src/store/store.ts'
import type { StoreCase } from '../store-contract.ts'

const template = (id: number, octet: number) => ({ id, options: id >= 300, octets: Uint8Array.of(1, octet, 3) })
const change = (domain: number, more: Partial<SavedStream> = {}): SavedStream => ({
  protocol: 'ipfix',
  address: '2001:db8::1',
  port: 40_000,
  domain,
  seenMs: 5_000,
  bootMs: 1.5,
  exportMs: 0,
  uptimeMs: 0,
  isProven: false,
  sampling: [{ scope: 'sampler', id: 3, rate: 1_000 }],
  templates: [],
  ...more,
})

export const streamStateCases: StoreCase[] = [
  {
    name: 'the templates of a stream take the place of those before, and the last state of the stream stays',
    async run({ open }) {
      const store = await open()
      const number = 0xffff_ffff
      await store.saveStreamStates([change(number, { templates: [300, 256, 257].map((id) => template(id, 2)) })])
      const templates = [template(256, 9), template(300, 2)]
      await store.saveStreamStates([change(number, { seenMs: 5_800, templates })])
      const last = change(number, { seenMs: 6_000, isProven: true, sampling: [] })
      await store.saveStreamStates([{ ...last, templates: null }])
      const other = change(1, { protocol: 'netflow9', seenMs: 5_500, templates: [template(256, 4)] })
      await store.saveStreamStates([other])
      assert.deepEqual(await (await open()).loadStreamStates(), {
        streams: [{ ...last, templates }, other],
        unreadable: 0,
      })
    },
  },
  {
    name: 'streams that were not seen are forgotten, then those seen longest ago until all take no more than the bound',
    async run({ open }) {
      const store = await open()
      const two = [template(256, 1), template(257, 1)]
      const numbers = Array.from({ length: 600 }, (_, number) => number)
      await store.saveStreamStates(numbers.map((number) => change(number, { seenMs: number, templates: two })))
      // Three rows of some 200 octets each.
      assert.equal(await store.pruneStreamStates({ seenBeforeMs: 100, octetsMax: 500_000 }), 100)
      assert.equal((await store.loadStreamStates()).streams.length, 500)
      await store.pruneStreamStates({ seenBeforeMs: 0, octetsMax: 250_000 })
      const { streams } = await store.loadStreamStates()
      assert.ok(streams.length * 600 <= 250_000 && streams.length > 0, `${streams.length} are left`)
      assert.deepEqual(
        streams.map(({ domain }) => domain),
        numbers.slice(-streams.length).toReversed(),
      )
      assert.ok(streams.every(({ templates }) => templates.length === 2))
    },
  },
  {
    name: 'a stream with many rates takes as much as they do',
    async run({ open }) {
      const store = await open()
      const sampling = Array.from({ length: 1_000 }, (_, id) => ({ scope: 'sampler' as const, id, rate: 100 }))
      await store.saveStreamStates([1, 2, 3].map((number) => change(number, { seenMs: number, sampling })))
      await store.saveStreamStates([change(4, { seenMs: 4 }), change(5, { seenMs: 5, isProven: true })])
      const left = async (octetsMax: number) => {
        await store.pruneStreamStates({ seenBeforeMs: 0, octetsMax })
        return (await store.loadStreamStates()).streams.map(({ domain }) => domain)
      }
      assert.deepEqual(await left(150_000), [5, 4, 3, 2, 1])
      assert.deepEqual(await left(100_000), [5, 4, 3, 2])
      assert.deepEqual(await left(50_000), [5, 4, 3])
    },
  },
  {
    name: 'of streams that are too many, those that had not proved themselves are forgotten first',
    async run({ open }) {
      const store = await open()
      await store.saveStreamStates([change(1, { seenMs: 1, isProven: true })])
      const numbers = Array.from({ length: 2_000 }, (_, number) => number + 2)
      await store.saveStreamStates(numbers.map((number) => change(number, { seenMs: number })))
      await store.pruneStreamStates({ seenBeforeMs: 0, octetsMax: 250_000 })
      const { streams } = await store.loadStreamStates()
      assert.ok(streams.length <= 1_250)
      assert.equal(streams.at(-1)?.domain, 1)
    },
  },
]
