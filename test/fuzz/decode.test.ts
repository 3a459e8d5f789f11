import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Decoder } from '../../src/decode/decoder.ts'
import { Rebaser } from '../../src/decode/templates/rebase.ts'
import { encodeMessage } from '../../src/encode/messages.ts'
import type { Batch } from '../../src/flow/batch.ts'
import { exportProtocols } from '../../src/flow/columns.ts'
import { type FlowRecord, recordAt } from '../../src/flow/record.ts'
import { exportedMs } from '../helpers/decoded.ts'
import { fullFlow } from '../helpers/encode/flow.ts'
import { encodePacket } from '../helpers/encode/packet.ts'
import { optionsOf, recordOf, templateOf } from '../helpers/encode/records.ts'
import { encodeSflow5 } from '../helpers/encode/sflow5.ts'
import { geneve, gre, gtpU, ipInIp, vxlan } from '../helpers/encode/tunnels.ts'
import { Exporter, type Flow } from '../helpers/exporter.ts'
import { fuzz } from '../helpers/fuzz.ts'
import { fuzzMs, mutated, mutations, poisoned } from './bytes.ts'

const flows: Flow[] = Array.from({ length: 9 }, (_, i) => ({
  src: i % 3 === 2 ? '2001:db8::1' : '198.51.100.1',
  dst: i % 3 === 2 ? '2001:db8::2' : '203.0.113.1',
  ipProto: [6, 17, 1][i % 3],
  bytes: 100 * i,
  packets: 1,
}))

const inside = encodePacket(fullFlow(flows[0], exportedMs))
const tunnels = [
  ipInIp(inside.subarray(14)),
  gre(inside, 'ethernet', { key: true, sequence: true }),
  vxlan(inside),
  geneve(inside, 'ethernet', 2),
  gtpU(inside.subarray(14), [1, 2]),
]

/** Good datagrams of every protocol, with all that the decoders know of. */
function seeds(): Uint8Array[] {
  const plain = exportProtocols.flatMap((protocol) =>
    (['option', 'sampler', 'record'] as const).flatMap((sampling) => {
      const sent = flows.filter(({ src }) => protocol !== 'netflow5' || !src.includes(':'))
      return new Exporter({ protocol, sampling, samplingRate: 100, templateEvery: 1 }).datagrams(sent, exportedMs)
    }),
  )
  const variable = templateOf(400, [82, 65_535], [1, 65_535], [315, 65_535], [152, 8])
  const section = {
    id: 401,
    fields: [
      { id: 315, length: 65_535 },
      { id: 312, length: 2 },
    ],
  }
  const twoWays = templateOf(
    403,
    [8, 4],
    [85, 8],
    [152, 8],
    { id: 85, length: 4, pen: 29_305 },
    { id: 2, length: 65_535, pen: 29_305 },
  )
  const connection = templateOf(404, [8, 4], [231, 4], [232, 4], [22, 4], [21, 4], [176, 1], [4, 1])
  // A sink that nobody reads.
  const nowhere = {
    id: 405,
    fields: [82, 8, 1, 2, 4, 6, 7, 11, 152].map((id) => ({ id, length: id === 82 ? 65_535 : id === 152 ? 8 : 1 })),
  }
  const options = optionsOf(402, 10, [302, 8, 5], [305, 4, 1], [306, 4, 99], [160, 8, exportedMs])
  const frame = new Uint8Array(60).fill(0x45)
  const templates = [variable, section, twoWays, connection, nowhere, options.template]
  const records = [
    options,
    recordOf(variable, frame.subarray(0, 5), 7, frame, exportedMs),
    { template: section, values: [frame, 1500] },
    recordOf(twoWays, 1, 5_000, exportedMs, 700, 3),
    recordOf(twoWays, 1, 9_000, exportedMs, 900, 5),
    recordOf(connection, 1, 100, 9_000, 1_000, 2_000, 3, 1),
  ]
  const header = { version: 10, nowMs: exportedMs } as const
  return [
    ...plain,
    encodeMessage(header, { templates, records, withdrawals: [400, 2] }),
    encodeMessage(header, { templates, records }),
    encodeMessage(header, { templates, records: [{ template: nowhere, values: [frame, 1, 2, 3, 4, 5, 6, 7, 8] }] }),
    ...encodeSflow5(flows, { nowMs: exportedMs, expanded: true, record: 'sampled' }),
    ...encodeSflow5(flows, {
      nowMs: exportedMs,
      shape: { vlanTags: [0x88a8, 0x8100], mplsLabels: 2, extensions: [0, 44, 51] },
    }),
    ...tunnels.flatMap(({ ipProto, payload }) =>
      encodeSflow5([{ ...flows[0], ipProto }], { nowMs: exportedMs, shape: { payload } }),
    ),
  ]
}

const limits = {
  streamsMax: 8,
  templatesPerStreamMax: 8,
  templatesMax: 32,
  samplersPerStreamMax: 8,
  samplersMax: 32,
  batchRows: 16,
}

class Subject {
  records: FlowRecord[] = []
  readonly decoder = new Decoder({
    ...limits,
    tunnels: 'inner',
    sink: (batch) => {
      assert.ok(batch.rows <= batch.capacity)
      for (let row = 0; row < batch.rows; row++) this.records.push(recordAt(batch, row))
    },
  })

  decode(view: DataView, port: number): FlowRecord[] {
    this.records = []
    this.decoder.decode(view, { address: '192.0.2.1', port, receivedMs: exportedMs })
    this.decoder.flush()
    const { counters, streams } = this.decoder
    assert.equal(counters.failures, 0, 'a decoder threw')
    assert.ok(streams.size <= limits.streamsMax)
    assert.ok(streams.templates <= limits.templatesMax)
    return this.records
  }
}

/** Both subjects see the same octets amid different poison: whoever reads beyond the end, or what a row held before, tells them apart. */
class Twins {
  readonly #one = new Subject()
  readonly #other = new Subject()

  decode(bytes: Uint8Array, port: number): void {
    const records = this.#one.decode(poisoned(bytes, 0x00), port)
    assert.deepEqual(this.#other.decode(poisoned(bytes, 0xff), port), records)
    // The shortest record that gives a row is a destination address.
    assert.ok(records.length <= bytes.length / 4 + 1)
  }
}

/** All columns but that of the exporter's place, whether they were sent or not. */
function valuesOf({ columns, capacity }: Batch, row: number): number[][] {
  return Object.entries(columns)
    .filter(([name]) => name !== 'exporter')
    .map(([, column]) => {
      const width = column.length / capacity
      return Array.from(column.subarray(row * width, (row + 1) * width))
    })
}

describe('hostile datagrams', () => {
  const good = seeds()

  it('mutated: nothing thrown, nothing read beyond the end, every bound kept', () => {
    const twins = new Twins()
    const property = fc.property(fc.nat(good.length - 1), mutations, fc.nat(20), (seed, list, port) => {
      twins.decode(mutated(good[seed], list), port)
      twins.decode(good[seed], port)
    })
    fuzz(property, fuzzMs())
  })

  it('leave nothing in the rows of those that follow', () => {
    const property = fc.property(
      fc.nat(good.length - 1),
      fc.array(fc.tuple(fc.nat(good.length - 1), mutations), { minLength: 1, maxLength: 3 }),
      (follows, hostile) => {
        const rowsAfter = (before: readonly Uint8Array[]) => {
          const rows: unknown[] = []
          const decoder = new Decoder({
            ...limits,
            sink: (batch) => {
              for (let row = 0; row < batch.rows; row++) rows.push(valuesOf(batch, row))
            },
          })
          const decode = (bytes: Uint8Array, port: number) =>
            decoder.decode(poisoned(bytes, 0), { address: '192.0.2.1', port, receivedMs: exportedMs })
          for (const bytes of before) decode(bytes, 2)
          decoder.flush()
          rows.length = 0
          decode(good[follows], 1)
          decoder.flush()
          return rows
        }
        const before = hostile.map(([seed, list]) => mutated(good[seed], list))
        assert.deepEqual(rowsAfter(before), rowsAfter([]))
      },
    )
    fuzz(property, fuzzMs() / 2)
  })

  it('random, behind the version word of each protocol', () => {
    const twins = new Twins()
    const version = fc.constantFrom([0, 5], [0, 9], [0, 10], [0, 0, 0, 5, 0, 0, 0, 1])
    const property = fc.property(version, fc.uint8Array({ maxLength: 600 }), fc.nat(20), (head, rest, port) => {
      twins.decode(Uint8Array.from([...head, ...rest]), port)
    })
    fuzz(property, fuzzMs())
  })

  it('cut at every length', () => {
    for (const datagram of good) {
      const twins = new Twins()
      twins.decode(datagram, 1)
      for (let length = 0; length < datagram.length; length++) twins.decode(datagram.subarray(0, length), 1)
    }
  })

  it('rebased: nothing thrown, nothing written beyond the end', () => {
    const rebaser = new Rebaser()
    const property = fc.property(fc.nat(good.length - 1), mutations, (seed, list) => {
      for (const bytes of [good[seed], mutated(good[seed], list)]) {
        const view = poisoned(bytes, 0xaa)
        rebaser.rebase(view, 'a', exportedMs)
        const all = new Uint8Array(view.buffer)
        assert.ok(all.subarray(0, view.byteOffset).every((octet) => octet === 0xaa))
        assert.ok(all.subarray(view.byteOffset + view.byteLength).every((octet) => octet === 0xaa))
      }
    })
    fuzz(property, fuzzMs() / 2)
  })
})
