import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { SlotMemory } from './slot-memory.ts'

const step = fc.record({ octets: fc.nat({ max: 1 << 20 }), given: fc.nat({ max: 5 }) })

it('lends as much as is needed, and nothing to two at a time', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const memory = new SlotMemory()
      const lent: SharedArrayBuffer[] = []
      for (const { octets, given } of steps) {
        const buffer = memory.lend(octets)
        assert.ok(buffer.byteLength >= octets)
        assert.ok(!lent.includes(buffer))
        lent.push(buffer)
        memory.takeBack(lent.splice(0, given))
        assert.ok(memory.free.length <= 10)
      }
    }),
  )
})

it('lends again what it has back', () => {
  const memory = new SlotMemory()
  const first = memory.lend(100_000)
  memory.takeBack([first])
  assert.equal(memory.lend(90_000), first)
  assert.notEqual(memory.lend(90_000), first)
})

it('lets go of what only a flood needed', () => {
  const memory = new SlotMemory()
  memory.takeBack(Array.from({ length: 10 }, () => memory.lend(1 << 24)))
  assert.equal(memory.free.length, 10)
  for (let slot = 0; slot < 1_000; slot++) memory.takeBack([memory.lend(1_000)])
  assert.ok(memory.free.every(({ byteLength }) => byteLength < 1 << 18))
})
