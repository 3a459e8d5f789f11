import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { type HeapEntry, LeastWorth } from './least-worth.ts'

it('the first is of least worth, whatever was added, changed and taken out', () => {
  const change = fc.tuple(fc.nat(19), fc.constantFrom('add', 'delete', 'change'), fc.integer({ min: -9, max: 9 }))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
      const heap = new LeastWorth()
      const entries = Array.from({ length: 20 }, (): HeapEntry => ({ worth: 0, place: -1 }))
      const inside = new Set<HeapEntry>()
      for (const [i, verb, worth] of changes) {
        const entry = entries[i]
        if (verb === 'delete') assert.equal(heap.delete(entry), inside.delete(entry))
        else {
          entry.worth = worth
          if (inside.has(entry)) heap.settle(entry)
          else if (verb === 'add') heap.add(entry)
          if (verb === 'add') inside.add(entry)
        }
        assert.deepEqual([heap.size, heap.has(entry)], [inside.size, inside.has(entry)])
        assert.equal(
          heap.first?.worth,
          inside.size === 0 ? undefined : Math.min(...[...inside].map((each) => each.worth)),
        )
      }
    }),
  )
})
