import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exportedMs, viewOf } from '../../../test/helpers/decoded.ts'
import { encodeNetflow5 } from '../../../test/helpers/encode/netflow5.ts'
import { optionsOf, recordOf, templateOf } from '../../../test/helpers/encode/records.ts'
import { encodeMessage } from '../../encode/messages.ts'
import { Decoder } from '../decoder.ts'

interface Options {
  /** The exporter's clock less ours. */
  aheadMs?: number
  exportedTimes?: boolean
}

/** Start and end, relative to the time of receipt, of a NetFlow v5 record with these times relative to the export. */
function times(startMs: number, endMs: number, { aheadMs = 0, exportedTimes = false }: Options = {}) {
  const nowMs = exportedMs + aheadMs
  const flow = { src: '198.51.100.1', dst: '203.0.113.1', startMs: nowMs + startMs, endMs: nowMs + endMs }
  return decoded(encodeNetflow5([flow], { nowMs, bootMs: nowMs - 2_000_000 }), exportedTimes)
}

function decoded(datagrams: Uint8Array[], exportedTimes = false) {
  let seen: number[] = []
  const sink: ConstructorParameters<typeof Decoder>[0]['sink'] = ({ columns }) => {
    seen = [columns.startMs[0] - exportedMs, columns.endMs[0] - exportedMs]
  }
  const decoder = new Decoder({ sink, exportedTimes })
  for (const datagram of datagrams) {
    decoder.decode(viewOf(datagram), { address: '192.0.2.1', port: 1, receivedMs: exportedMs })
  }
  decoder.flush()
  return {
    seen,
    replaced: decoder.streams.list[0]?.counters.timesReplaced,
    aheadMs: decoder.streams.list[0]?.clockAheadMs,
  }
}

describe('times', () => {
  it('are as exported when they can be', () => {
    assert.deepEqual(times(-60_000, -1_000).seen, [-60_000, -1_000])
    assert.equal(times(-60_000, -1_000).replaced, 0)
  })

  it('are right for a clock that is wrong', () => {
    for (const aheadMs of [-86_400_000, -60_000, 3_600_000]) {
      assert.deepEqual(times(-60_000, -1_000, { aheadMs }), { seen: [-60_000, -1_000], replaced: 0, aheadMs })
    }
  })

  it('are left alone for a clock that is a little wrong', () => {
    assert.deepEqual(times(-60_000, -1_000, { aheadMs: 3_000 }).seen, [-57_000, 2_000])
  })

  it('that end long ago or in the future are moved to the receipt, with their duration', () => {
    assert.deepEqual(times(-1_010_000, -1_000_000).seen, [-10_000, 0])
    assert.deepEqual(times(0, 20_000), { seen: [-20_000, 0], replaced: 1, aheadMs: 0 })
  })

  it('that end before they start have no duration', () => {
    assert.deepEqual(times(-1_000, -5_000).seen, [-5_000, -5_000])
  })

  it('are printed as exported when that is asked for', () => {
    assert.deepEqual(times(0, 20_000, { exportedTimes: true, aheadMs: 9_000_000 }).seen, [9_000_000, 9_020_000])
  })

  it('of an uptime that has wrapped since the flow began', () => {
    const flow = { src: '198.51.100.1', dst: '203.0.113.1', startMs: exportedMs - 5_000, endMs: exportedMs - 1_000 }
    // Up for 2^32 ms and 3 s: the flow began before the wrap and ended after it.
    const { seen } = decoded(encodeNetflow5([flow], { nowMs: exportedMs, bootMs: exportedMs - 2 ** 32 - 3_000 }))
    assert.deepEqual(seen, [-5_000, -1_000])
  })

  it('that were not exported are those of receipt, whatever the clock', () => {
    const template = templateOf(256, [1, 4])
    const message = { templates: [template], records: [recordOf(template, 1)] }
    assert.deepEqual(decoded([encodeMessage({ version: 10, nowMs: exportedMs + 60_000 }, message)]).seen, [0, 0])
  })

  it('of an uptime in IPFIX need options data that tell when it began', () => {
    const template = templateOf(256, [22, 4], [21, 4])
    const options = optionsOf(300, 10, [160, 8, exportedMs - 100_000])
    const data = encodeMessage(
      { version: 10, nowMs: exportedMs },
      { templates: [template], records: [recordOf(template, 60_000, 90_000)] },
    )
    assert.deepEqual(decoded([data]).seen, [-30_000, 0], 'how long it lasted is known in any case')
    const told = encodeMessage(
      { version: 10, nowMs: exportedMs },
      { templates: [options.template], records: [options] },
    )
    assert.deepEqual(decoded([told, data]).seen, [-40_000, -10_000])
  })

  const one = (fields: [number, number][], ...values: number[]) => {
    const template = templateOf(256, ...fields)
    return decoded([
      encodeMessage(
        { version: 10, nowMs: exportedMs },
        { templates: [template], records: [recordOf(template, ...values)] },
      ),
    ]).seen
  }

  it('of which one is not exported', () => {
    assert.deepEqual(one([[152, 8]], exportedMs - 9_000), [-9_000, 0], 'the flow was there when it was exported')
    assert.deepEqual(one([[152, 8]], exportedMs + 300), [300, 300])
    assert.deepEqual(one([[153, 8]], exportedMs - 9_000), [-9_000, -9_000])
    assert.deepEqual(
      one(
        [
          [152, 8],
          [161, 4],
        ],
        exportedMs - 9_000,
        4_000,
      ),
      [-9_000, -5_000],
    )
    assert.deepEqual(one([[161, 4]], 4_000), [-4_000, 0])
    assert.deepEqual(one([[22, 4]], 4_000), [0, 0])
  })

  it('of uptimes that wrapped, or are no times', () => {
    assert.deepEqual(
      one(
        [
          [22, 4],
          [21, 4],
        ],
        2 ** 32 - 1_000,
        2_000,
      ),
      [-3_000, 0],
    )
    assert.deepEqual(
      one(
        [
          [22, 4],
          [21, 4],
        ],
        2_000,
        1_000,
      ),
      [0, 0],
    )
  })

  it("of a firewall's connection that goes on, whose counters are of the last minute", () => {
    const template = templateOf(256, [152, 8], [323, 8], [233, 1])
    const event = (value: number, exportedTimes = false) => {
      const record = recordOf(template, exportedMs - 7_200_000, exportedMs, value)
      const message = { templates: [template], records: [record] }
      return decoded([encodeMessage({ version: 10, nowMs: exportedMs }, message)], exportedTimes).seen
    }
    assert.deepEqual(event(5), [-60_000, 0])
    assert.deepEqual(event(2), [-7_200_000, 0])
    assert.deepEqual(event(5, true), [-7_200_000, 0])
  })

  it('of the interval of measurement', () => {
    assert.deepEqual(
      one(
        [
          [359, 8],
          [360, 8],
        ],
        exportedMs - 60_000,
        exportedMs,
      ),
      [-60_000, 0],
    )
  })
})
