// The contract's part on what is known of exporters' streams.
import assert from 'node:assert/strict'
import type { StreamChange } from '../../src/store/store.ts'
import type { StoreCase } from '../store-contract.ts'

const template = (id: number, octet: number) => ({ id, options: id >= 300, octets: Uint8Array.of(1, octet, 3) })
const change = (domain: number, more: Partial<StreamChange> = {}): StreamChange => ({
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
  withdrawn: [],
  ...more,
})
/** As it is read. */
const saved = ({ withdrawn: _, ...stream }: StreamChange) => stream

export const streamStateCases: StoreCase[] = [
  {
    name: 'templates of a stream are added, replaced and withdrawn; the last state of the stream stays',
    async run({ open }) {
      const store = await open()
      await store.saveStreamStates([
        change(0xffff_ffff, { templates: [template(300, 2), template(256, 2), template(257, 2)] }),
      ])
      const last = change(0xffff_ffff, {
        seenMs: 6_000,
        isProven: true,
        sampling: [],
        templates: [template(256, 9)],
        withdrawn: [257, 999],
      })
      await store.saveStreamStates([last])
      const other = change(1, { protocol: 'netflow9', seenMs: 5_500, templates: [template(256, 4)] })
      await store.saveStreamStates([other])
      assert.deepEqual(await (await open()).loadStreamStates(), {
        streams: [saved({ ...last, templates: [template(256, 9), template(300, 2)] }), saved(other)],
        unreadable: 0,
      })
    },
  },
  {
    name: 'streams that were not seen are forgotten, then those seen longest ago until no more rows than the bound are left',
    async run({ open }) {
      const store = await open()
      const two = [template(256, 1), template(257, 1)]
      const numbers = Array.from({ length: 600 }, (_, number) => number)
      await store.saveStreamStates(numbers.map((number) => change(number, { seenMs: number, templates: two })))
      assert.equal(await store.pruneStreamStates({ seenBeforeMs: 100, rowsMax: 1_500 }), 100)
      assert.equal((await store.loadStreamStates()).streams.length, 500)
      await store.pruneStreamStates({ seenBeforeMs: 0, rowsMax: 1_000 })
      const { streams } = await store.loadStreamStates()
      assert.ok(streams.length * 3 <= 1_000 && streams.length > 0, `${streams.length} are left`)
      assert.deepEqual(
        streams.map(({ domain }) => domain),
        numbers.slice(-streams.length).toReversed(),
      )
      assert.ok(streams.every(({ templates }) => templates.length === 2))
    },
  },
  {
    name: 'of streams that are too many, those that had not proved themselves are forgotten first',
    async run({ open }) {
      const store = await open()
      await store.saveStreamStates([change(1, { seenMs: 1, isProven: true })])
      const numbers = Array.from({ length: 2_000 }, (_, number) => number + 2)
      await store.saveStreamStates(numbers.map((number) => change(number, { seenMs: number })))
      await store.pruneStreamStates({ seenBeforeMs: 0, rowsMax: 1_000 })
      const { streams } = await store.loadStreamStates()
      assert.ok(streams.length <= 1_000)
      assert.equal(streams.at(-1)?.domain, 1)
    },
  },
]
