import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportedMs, viewOf } from '../../../test/helpers/decoded.ts'
import { Exporter, type Flow } from '../../../test/helpers/exporter.ts'
import { batchOf, type FlowRow } from '../../../test/helpers/flow-rows.ts'
import { directions } from '../../flow/columns.ts'
import { Decoder } from '../decoder.ts'
import { Directions } from './directions.ts'

const { egress } = directions
const minuteMs = 60_000

/** Rows as a template of a router's has them: 1 and 2 are its outer interfaces, 9 the one to the customer. */
const row = (given: Partial<FlowRow>): Partial<FlowRow> => ({ ingressInterface: 1, egressInterface: 9, ...given })
const flow = (i: number) => ({ srcAddr: 0x0b00_0000 + i, srcPort: 1_024 + i, dstAddr: 0xc000_0201 })
const times = <Each>(count: number, of: (i: number) => Each) => Array.from({ length: count }, (_, i) => of(i))
/** Each flow as it came in, and then as it left. */
const twice = (count: number, given: Partial<FlowRow>) =>
  times(count, (i) => ({ ...flow(i), ...given })).flatMap((each) => [each, { ...each, direction: egress }])

/** How many of the rows are marked. */
function marked(rows: Partial<FlowRow>[], known = new Directions(), nowMs = exportedMs): number {
  const batch = batchOf(rows)
  const again = known.mark(batch, 0, batch.rows, nowMs)
  const left = [...batch.columns.direction].filter((direction) => direction === directions.again)
  assert.equal(left.length, again)
  return again
}

describe('egress records of packets that ingress records reported', () => {
  it('are marked from the first on', () => {
    assert.equal(marked(twice(50, row({}))), 50)
  })

  it('are so where a packet leaves by several interfaces', () => {
    const rows = times(50, (i) => row(flow(i)))
    const copies = [9, 10, 11].flatMap((egressInterface) =>
      rows.map((each) => ({ ...each, egressInterface, direction: egress })),
    )
    assert.equal(marked([...rows, ...copies]), 150)
  })

  it('are told by the interface where packets came in: those of one that is not metered count', () => {
    const unmetered = times(50, (i) => row({ ...flow(1_000 + i), ingressInterface: 2, direction: egress }))
    assert.equal(marked([...twice(50, row({})), ...unmetered]), 50)
  })

  it('count when the exporter sends no others', () => {
    assert.equal(marked(times(100, (i) => row({ ...flow(i), direction: egress }))), 0)
  })

  it('count where ingress records of the interface are few, as those of unlabelled packets are', () => {
    const known = new Directions()
    const few = times(30, (i) => row(flow(i)))
    const many = times(100, (i) => row({ ...flow(i), direction: egress }))
    assert.equal(marked([...many, ...few], known), 0)
    assert.equal(marked(many, known), 0)
    assert.equal(marked([row({}), ...many], new Directions()), 3, 'a stray ingress record leaves hardly any out')
  })

  it('count again when ingress records have not come for two minutes', () => {
    const known = new Directions()
    const leaving = times(50, (i) => row({ ...flow(i), direction: egress }))
    assert.equal(marked(twice(50, row({})), known), 50)
    assert.equal(marked(leaving, known, exportedMs + minuteMs), 50)
    assert.equal(marked(leaving, known, exportedMs + 2 * minuteMs), 0)
    assert.equal(marked(twice(50, row({})), known, exportedMs + 3 * minuteMs) > 0, true)
    assert.equal(marked(leaving, known, exportedMs + 9 * minuteMs), 0)
  })

  it('count where a probe has one interface for both, and means by direction who began', () => {
    const there = times(50, (i) => ({ ...flow(i), ingressInterface: 3, egressInterface: 3 }))
    assert.equal(marked([...there, ...there.map((each) => ({ ...each, direction: egress }))]), 0)
  })

  it('are known by their flows where no interface is told', () => {
    const nowhere = { ingressInterface: 0, egressInterface: 0 }
    assert.equal(marked(twice(50, nowhere)), 50 - 1, 'nothing is remembered before the first')
    const others = times(50, (i) => ({ ...nowhere, ...flow(100 + i), direction: egress }))
    const mixed = [...times(50, (i) => ({ ...nowhere, ...flow(i) })), ...others]
    assert.equal(marked(mixed), 0, 'other flows are no second record')
  })

  it('of a flood do not grow memory, nor lose what was found', () => {
    const known = new Directions()
    for (let from = 0; from < 2 ** 17; from += 4_096) {
      marked(
        times(4_096, (i) => row({ ...flow(from + i), ingressInterface: from + i + 10 })),
        known,
      )
    }
    assert.equal(marked(twice(10, row({ ingressInterface: 11 })), known), 10)
    assert.equal(marked(twice(10, row({ ingressInterface: 2 ** 31 })), known), 0, 'there is no room for this one')
  })
})

describe('a router that meters both directions', () => {
  const there: Flow = { src: '198.51.100.7', dst: '203.0.113.9', ingressInterface: 1, egressInterface: 9, packets: 10 }
  const both = times(300, (i) => ({ srcPort: i, direction: i % 2 })).map((each) => ({ ...there, ...each }))

  for (const protocol of ['netflow9', 'ipfix'] as const) {
    for (const [tellsOrigin, packets, again] of [
      [true, 1_500, 150],
      [false, 3_000, 0],
    ] as const) {
      it(`${protocol}: ${tellsOrigin ? 'counts once' : 'counts twice when it does not say so'}`, () => {
        let counted = 0
        const decoder = new Decoder({
          sink: ({ rows, columns }) => {
            for (let i = 0; i < rows; i++) if (columns.direction[i] !== directions.again) counted += columns.packets[i]
          },
        })
        for (const datagram of new Exporter({ protocol, tellsOrigin }).datagrams(both, exportedMs)) {
          decoder.decode(viewOf(datagram), { address: '192.0.2.1', port: 40_000, receivedMs: exportedMs })
        }
        decoder.flush()
        assert.equal(counted, packets)
        assert.equal(decoder.streams.list[0]?.counters.egressAgain, again)
        assert.equal(decoder.streams.list[0]?.counters.records, 300)
      })
    }
  }
})
