// Hostile octets: views within a larger, poisoned buffer, mutations of good datagrams, and the time that a fuzz may take.
import fc from 'fast-check'
import { fuzzSeconds } from '../helpers/fuzz.ts'

/** What each fuzz may take. */
export function fuzzMs(): number {
  return fuzzSeconds * 1_000
}

const margin = 64

/** The octets within a buffer that is longer at both ends: a view whose offsets, or whose end, are forgotten reads poison. */
export function poisoned(bytes: Uint8Array, poison: number): DataView {
  const buffer = new Uint8Array(bytes.length + 2 * margin).fill(poison)
  buffer.set(bytes, margin)
  return new DataView(buffer.buffer, margin, bytes.length)
}

interface Mutation {
  kind: 'set' | 'set16' | 'cut' | 'repeat' | 'zero'
  at: number
  value: number
}

const interesting = fc.constantFrom(0, 1, 2, 3, 4, 5, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff)

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('set', 'set16', 'cut', 'repeat', 'zero'),
  at: fc.nat(1_500),
  value: fc.oneof(interesting, fc.nat(65_535)),
})

export const mutations = fc.array(mutation, { minLength: 1, maxLength: 8 })

export function mutated(bytes: Uint8Array, list: readonly Mutation[]): Uint8Array {
  let result = bytes.slice()
  for (const { kind, at, value } of list) {
    const place = result.length === 0 ? 0 : at % result.length
    if (kind === 'set') result[place] = value
    if (kind === 'set16' && place + 1 < result.length) new DataView(result.buffer).setUint16(place, value)
    if (kind === 'cut') result = result.slice(0, place)
    if (kind === 'zero') result.fill(0, place, place + (value % 64))
    if (kind === 'repeat' && result.length < 16_384) {
      result = Uint8Array.from([
        ...result.subarray(0, place),
        ...result.subarray(place, place + (value % 64)),
        ...result.subarray(place),
      ])
    }
  }
  return result
}
