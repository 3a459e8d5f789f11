// Compares slots of other versions of the program, which have another table of vectors, with a plain reading of their packets.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fuzzRuns } from '../../test/helpers/fuzz.ts'
import { TCP, UDP } from '../net/protocols.ts'
import { ClassKeys } from '../vectors/class-keys.ts'
import { classOf, compileVectors } from '../vectors/compile.ts'
import { type Match, type Vector, vectors } from '../vectors/vectors.ts'
import { createCounterColumns, createRecordColumns, type SealedSlot, slotLayout } from './sealed-slot.ts'
import { SlotReader } from './slot-reader.ts'

const vectorOf = (match: Match): Vector => ({ ...vectors[0], match, label: JSON.stringify(match) })

/** Classes that the tables of all versions have: the rest of each protocol. */
const rest = [UDP, TCP, 1].map((protocol) => ({ protocol }))
/** Classes that one version has and another may not have. */
const special: Match[] = [
  { protocol: UDP, srcPort: 53 },
  { protocol: UDP, srcPort: 123, notPeers: true },
  { protocol: UDP, srcPort: 7_777 },
  { protocol: TCP, flagsSet: 2, flagsClear: 16 },
  { protocol: TCP, flagsSet: 18, flagsClear: 4 },
  { protocol: TCP, flagsSet: 16, flagsClear: 2 },
  { protocol: TCP, flagsSet: 8, flagsClear: 0 },
  { protocol: UDP, fragment: true },
]
const table = fc.tuple(fc.subarray(special), fc.shuffledSubarray(rest, { minLength: 3 })).chain(([some, all]) =>
  // Rows for the rest of a protocol may stand anywhere: special ones go first by their kind.
  fc.shuffledSubarray([...some, ...all], { minLength: some.length + all.length }).map((rows) => rows.map(vectorOf)),
)

interface Row {
  address: number
  /** A place in the sender's table, modulo its length. */
  at: number
  second: number
  packets: number
  source: number
}
const row = fc.record({
  address: fc.constantFrom(0, 1, 0x8000_0000, 0xffff_ffff),
  at: fc.nat(1_000),
  second: fc.integer({ min: 1_800_000_000, max: 1_800_000_003 }),
  packets: fc.integer({ min: -1_000, max: 1_000 }),
  source: fc.nat(0xffff_ffff),
})

/** The slot that a folder of the sender's version seals: one row for each address, class and second, in this order. */
function slotOf(sender: readonly Vector[], rows: readonly Row[]): SealedSlot {
  const unique = new Map(
    rows.map((each) => {
      const trafficClass = 1 + (each.at % sender.length)
      return [`${each.address} ${trafficClass} ${each.second}`, { ...each, trafficClass }]
    }),
  )
  const sorted = [...unique.values()].sort(
    (a, b) => a.address - b.address || a.trafficClass - b.trafficClass || a.second - b.second,
  )
  const counters = createCounterColumns(sorted.length)
  for (const { address, trafficClass, second, packets, source } of sorted) {
    const at = counters.rows++
    counters.address[at] = address
    counters.trafficClass[at] = trafficClass
    counters.second[at] = second
    counters.packets[at] = counters.observed[at] = packets
    counters.bytes[at] = packets * 100
    counters.flows[at] = 1
    counters.sources[at] = source
    counters.ports[at] = ~source
  }
  const { list: classKeys } = new ClassKeys(sender)
  return { layout: slotLayout, classKeys, sealedMs: 1, counters, records: createRecordColumns(0), exporters: [''] }
}

/** Every kind of packet that these tables tell apart, without fragments. */
const packets = [UDP, TCP, 1].flatMap((protocol) =>
  [53, 123, 7_777, 9_999].flatMap((srcPort) =>
    [srcPort, 443].flatMap((dstPort) =>
      Array.from({ length: 256 }, (_, flags) => ({ protocol, srcPort, dstPort, flags })),
    ),
  ),
)

function isOf(match: Match, { protocol, srcPort, flags }: (typeof packets)[number]): boolean {
  const { flagsSet = 0, flagsClear = 0 } = match
  if (match.fragment || protocol !== match.protocol) return false
  if (match.srcPort !== undefined && match.srcPort !== srcPort) return false
  return (flags & flagsSet) === flagsSet && (flags & flagsClear) === 0
}

/** The receiver's class for a class of the sender: the one of the same match, else the only one that has such packets; null: neither. */
function expectedClass(receiver: readonly Vector[], { match, label }: Vector): number | null {
  const same = receiver.findIndex((vector) => vector.label === label)
  if (same !== -1) return same + 1
  const classes = compileVectors(receiver)
  const found = new Set(
    packets
      .filter((packet) => isOf(match, packet))
      .map(({ protocol, srcPort, dstPort, flags }) => classOf(classes, protocol, srcPort, dstPort, flags, 0)),
  )
  return found.size === 1 ? [...found][0] : null
}

/** Address, class, second, packets, bytes, flows, sources, ports of each row; null where a class of the sender has no place. */
function expectedRows(sender: readonly Vector[], receiver: readonly Vector[], { counters }: SealedSlot) {
  const sums = new Map<string, number[]>()
  for (let at = 0; at < counters.rows; at++) {
    const trafficClass = expectedClass(receiver, sender[counters.trafficClass[at] - 1])
    if (trafficClass === null) return null
    const key = [counters.address[at], trafficClass, counters.second[at]]
    const sum = sums.get(key.join()) ?? [...key, 0, 0, 0, 0, 0]
    sum[3] += counters.packets[at]
    sum[4] += counters.bytes[at]
    sum[5] += counters.flows[at]
    sum[6] = (sum[6] | counters.sources[at]) >>> 0
    sum[7] = (sum[7] | counters.ports[at]) >>> 0
    sums.set(key.join(), sum)
  }
  return [...sums.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
}

function rowsOf({ counters }: SealedSlot): number[][] {
  const { address, trafficClass, second, packets, bytes, flows, observed, sources, ports } = counters
  assert.deepEqual(observed, packets)
  const columns = [address, trafficClass, second, packets, bytes, flows, sources, ports]
  return Array.from({ length: counters.rows }, (_, at) => columns.map((column) => column[at]))
}

describe('a slot of another version', () => {
  it('is read by the names of its classes, and refused if one of them has no single place', () => {
    let [read, refused] = [0, 0]
    fc.assert(
      fc.property(table, table, fc.array(row, { maxLength: 40 }), (sender, receiver, rows) => {
        const slot = slotOf(sender, rows)
        const before = rowsOf(slot)
        const reader = new SlotReader(receiver)
        const expected = expectedRows(sender, receiver, slot)
        const got = reader.read(slot)
        assert.deepEqual(got === null ? null : rowsOf(got), expected)
        assert.deepEqual(rowsOf(slot), before, 'the slot itself stays as it was')
        assert.deepEqual([reader.counted.unknownClass, reader.counted.layout], [expected === null ? 1 : 0, 0])
        if (got !== null) assert.deepEqual(got.classKeys, new ClassKeys(receiver).list)
        if (expected === null) refused++
        else read++
      }),
      { numRuns: fuzzRuns * 20 },
    )
    assert.ok(read > 0 && refused > 0, `${read} read, ${refused} refused`)
  })

  it('has the same rows whatever the order of its table', () => {
    fc.assert(
      fc.property(table, fc.array(row, { maxLength: 40 }), (sender, rows) => {
        const slot = slotOf(sender, rows)
        const there = new SlotReader(sender.toReversed()).read(slot)
        const back = there && new SlotReader(sender).read(there)
        assert.deepEqual(back && rowsOf(back), rowsOf(slot))
      }),
      { numRuns: fuzzRuns * 5 },
    )
  })

  const rows: Row[] = [{ address: 1, at: 0, second: 1_800_000_000, packets: 5, source: 1 }]
  const ours = [...special, ...rest].map(vectorOf)
  const without = (match: Match) => ours.filter(({ label }) => label !== JSON.stringify(match))

  it('has answers of an unknown service among the rest of UDP', () => {
    const slot = slotOf([vectorOf(special[2])], rows)
    const receiver = without(special[2])
    const read = new SlotReader(receiver).read(slot)
    assert.deepEqual(read && [...read.counters.trafficClass], [
      1 + receiver.findIndex(({ match }) => match.protocol === UDP && Object.keys(match).length === 1),
    ])
  })

  it('is refused for a class of TCP flags that this version tells apart', () => {
    const reader = new SlotReader(without(special[3]))
    assert.equal(reader.read(slotOf([vectorOf({ protocol: TCP, flagsSet: 0, flagsClear: 2 })], rows)), null)
    assert.deepEqual(reader.counted, { translated: 0, layout: 0, classes: 0, unknownClass: 1 })
  })

  it('is read if a class is unknown that it has no rows of', () => {
    const sender = [ours[0], vectorOf({ protocol: TCP, flagsSet: 0, flagsClear: 2 })]
    const reader = new SlotReader(ours)
    assert.notEqual(reader.read(slotOf(sender, rows)), null)
    assert.equal(reader.counted.translated, 1)
  })

  it('is refused for another layout, even with the same classes', () => {
    const reader = new SlotReader(ours)
    assert.equal(reader.read({ ...slotOf(ours, rows), layout: slotLayout + 1 }), null)
    assert.deepEqual(reader.counted, { translated: 0, layout: 1, classes: 0, unknownClass: 0 })
  })

  it('is refused if its list of classes is malformed or has no place for a row', () => {
    const slot = slotOf([ours[0], ours[1]], rows)
    const [total, first] = slot.classKeys
    const lists = [[total, first, first], [total], [], new Array(1_025).fill(0).map((_, i) => i)]
    const reader = new SlotReader(ours)
    for (const list of lists) assert.equal(reader.read({ ...slot, classKeys: Uint32Array.from(list) }), null)
    const unclassified = { ...slot.counters, trafficClass: Uint16Array.of(0) }
    assert.equal(reader.read({ ...slot, counters: unclassified }), null)
    assert.deepEqual(reader.counted, { translated: 0, layout: 0, classes: lists.length, unknownClass: 1 })
  })
})

it('a slot of this version is taken as it is', () => {
  const reader = new SlotReader(special.map(vectorOf))
  const slot = slotOf(special.map(vectorOf), [])
  assert.equal(reader.read(slot), slot)
  assert.deepEqual(reader.counted, { translated: 0, layout: 0, classes: 0, unknownClass: 0 })
})

it('the version of the layout stands for these columns: who changes them changes it too', () => {
  const columns = (given: object) =>
    Object.entries(given).flatMap(([name, value]) =>
      ArrayBuffer.isView(value) ? `${name} ${value.constructor.name}` : [],
    )
  assert.equal(slotLayout, 1)
  assert.deepEqual(columns(createCounterColumns(1)), [
    'address Uint32Array',
    'trafficClass Uint16Array',
    'second Uint32Array',
    'packets Float64Array',
    'bytes Float64Array',
    'flows Float64Array',
    'observed Float64Array',
    'sources Uint32Array',
    'ports Uint32Array',
  ])
  assert.deepEqual(columns(createRecordColumns(1)), [
    'address Uint32Array',
    'srcAddr Uint32Array',
    'srcPort Uint16Array',
    'dstPort Uint16Array',
    'ipProto Uint8Array',
    'tcpFlags Uint8Array',
    'packets Float64Array',
    'bytes Float64Array',
    'samplingRate Float32Array',
    'second Uint32Array',
    'lasted Uint16Array',
    'exporter Uint16Array',
    'ingressInterface Uint32Array',
    'egressInterface Uint32Array',
    'sourceAs Uint32Array',
  ])
})
