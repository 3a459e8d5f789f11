import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chooseCopy, type Taking } from './copy.ts'

/** Records at a stride within a larger buffer of 0xff: a kernel that strays reads wrong values. */
function copied(taking: Taking, width: number, fields: readonly Uint8Array[], stride: number): number[] {
  const bytes = new Uint8Array(7 + fields.length * stride + 16).fill(0xff)
  fields.forEach((field, i) => {
    bytes.set(field, 7 + i * stride)
  })
  const kernel = chooseCopy(taking, width)
  assert.ok(kernel !== null)
  const to = taking.kind === 'u32' ? new Uint32Array(fields.length + 2) : new Float64Array(fields.length + 2)
  const records = Uint32Array.from(fields, (_, i) => 4 + i * stride)
  kernel.copy(new DataView(bytes.buffer), 3 + kernel.skip, records, fields.length, to, 1)
  assert.deepEqual([to[0], to.at(-1)], [0, 0], 'the rows beside those that were asked for')
  return [...to.subarray(1, fields.length + 1)]
}

const numberOf = (field: Uint8Array) => field.reduce((sum, octet) => sum * 256n + BigInt(octet), 0n)
const fieldsOf = (width: number) =>
  fc.array(fc.uint8Array({ minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 })

describe('kernels', () => {
  for (let width = 1; width <= 8; width++) {
    it(`unsigned integers of ${width} octets`, () => {
      fc.assert(
        fc.property(fieldsOf(width), fc.nat(20), (fields, gap) => {
          const exact = fields.map((field) => Number(numberOf(field)))
          assert.deepEqual(copied({ kind: 'f64' }, width, fields, width + gap), exact)
          const low = fields.map((field) => Number(BigInt.asUintN(32, numberOf(field))))
          assert.deepEqual(copied({ kind: 'u32' }, width, fields, width + gap), low)
          const lowest = fields.map((field) => field[width - 1])
          assert.deepEqual(copied({ kind: 'u32', octets: 1 }, width, fields, width + gap), lowest)
        }),
        { numRuns: 30 },
      )
    })
  }

  it('floating point numbers', () => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setFloat64(0, 0.015625)
    assert.deepEqual(copied({ kind: 'f64', encoding: 'float' }, 8, [bytes], 8), [0.015625])
    new DataView(bytes.buffer).setFloat32(0, 0.5)
    assert.deepEqual(copied({ kind: 'f64', encoding: 'float' }, 4, [bytes.subarray(0, 4)], 4), [0.5])
  })

  it('IPv6 addresses', () => {
    const addresses = [1, 2].map((first) => Uint8Array.from({ length: 16 }, (_, i) => first * 16 + i))
    const bytes = new Uint8Array(40)
    bytes.set(addresses[0], 2)
    bytes.set(addresses[1], 22)
    const to = new Uint8Array(16 * 3)
    chooseCopy({ kind: 'ip6' }, 16)?.copy(new DataView(bytes.buffer), 2, Uint32Array.of(0, 20), 2, to, 1)
    assert.deepEqual([...to.subarray(16)], [...addresses[0], ...addresses[1]])
    assert.ok(to.subarray(0, 16).every((octet) => octet === 0))
  })

  it('refuse widths that can not be', () => {
    assert.equal(chooseCopy({ kind: 'ip6' }, 4), null)
    assert.equal(chooseCopy({ kind: 'u32', encoding: 'ipv4' }, 16), null)
    assert.equal(chooseCopy({ kind: 'f64', encoding: 'ntpMicro' }, 4), null)
    assert.equal(chooseCopy({ kind: 'f64' }, 0), null)
    assert.equal(chooseCopy({ kind: 'f64' }, 9), null)
    assert.equal(chooseCopy({ kind: 'u32', octets: 1 }, 16), null)
  })
})

describe('times', () => {
  const unixMs = 1_800_000_000_250
  const eight = (value: bigint) => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigUint64(0, value)
    return bytes
  }
  /** 2036 ends the first era of NTP time; a quarter of a second is 2^30 of its fractions. */
  const ntp = eight(((1_800_000_000n + 2_208_988_800n) << 32n) | (1n << 30n))

  it('NTP timestamps, as RFC 7011 has it', () => {
    assert.deepEqual(copied({ kind: 'f64', encoding: 'ntpMicro' }, 8, [ntp], 8), [unixMs])
    assert.deepEqual(copied({ kind: 'f64', encoding: 'ntpNano' }, 8, [ntp], 8), [unixMs])
  })

  it('counts since 1970, as some exporters have it', () => {
    assert.deepEqual(copied({ kind: 'f64', encoding: 'ntpMicro' }, 8, [eight(BigInt(unixMs) * 1000n)], 8), [unixMs])
    const [nano] = copied({ kind: 'f64', encoding: 'ntpNano' }, 8, [eight(BigInt(unixMs) * 1_000_000n)], 8)
    assert.ok(Math.abs(nano - unixMs) < 0.001)
  })

  it('seconds and microseconds', () => {
    const four = Uint8Array.of(0, 0, 0x13, 0x88)
    assert.deepEqual(copied({ kind: 'f64', encoding: 'seconds' }, 4, [four], 4), [5_000_000])
    assert.deepEqual(copied({ kind: 'f64', encoding: 'micros' }, 4, [four], 4), [5])
  })
})
