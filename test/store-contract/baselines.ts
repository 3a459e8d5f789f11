// The contract's part on what is normal for the targets of each network.
import assert from 'node:assert/strict'
import type { SavedBaselines } from '../../src/store/store.ts'
import type { StoreCase } from '../store-contract.ts'

const baselines = (network: number, heardMs: number, octet = 1): SavedBaselines => ({
  network,
  heardMs,
  savedMs: heardMs + 5,
  octets: Uint8Array.of(octet, 0, 255),
})
const everything = { heardSinceMs: 0 }

export const baselineCases: StoreCase[] = [
  {
    name: 'the latest baselines of a network stay, and are read by when it was last seen, latest first',
    async run({ open }) {
      const store = await open()
      await store.saveBaselines([baselines(0xffff_ff00, 1_000), baselines(256, 2_000)])
      await store.saveBaselines([baselines(0xffff_ff00, 3_000, 9)])
      await store.saveBaselines([])
      const reader = await open()
      const [last, first] = [baselines(0xffff_ff00, 3_000, 9), baselines(256, 2_000)]
      assert.deepEqual(await reader.loadBaselines(everything), { baselines: [last, first], unreadable: 0 })
      assert.deepEqual(await reader.loadBaselines({ heardSinceMs: 3_000 }), { baselines: [last], unreadable: 0 })
    },
  },
  {
    name: 'networks that were not seen are forgotten, then those seen longest ago until there are no more than the bound',
    async run({ open }) {
      const store = await open()
      const numbers = Array.from({ length: 900 }, (_, number) => number)
      await store.saveBaselines(numbers.map((number) => baselines(number * 256, number)))
      assert.equal(await store.pruneBaselines({ heardBeforeMs: 300, networksMax: 1_000 }), 300)
      assert.equal(await store.pruneBaselines({ heardBeforeMs: 0, networksMax: 50 }), 550)
      const left = (await store.loadBaselines(everything)).baselines
      assert.deepEqual(
        left.map(({ heardMs }) => heardMs),
        numbers.slice(-50).toReversed(),
      )
    },
  },
]
