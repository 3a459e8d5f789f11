import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAll, exportedMs, viewOf } from '../../../test/helpers/decoded.ts'
import { recordOf, templateOf } from '../../../test/helpers/encode/records.ts'
import { encodeMessage } from '../../encode/messages.ts'
import { Decoder } from '../decoder.ts'

type Sent = readonly [id: number, value: number]

function messageOf(sent: readonly Sent[]): Uint8Array {
  const template = templateOf(
    256,
    [8, 4],
    ...sent.map(([id]): [number, number] => [id, id === 233 || id === 40_005 ? 1 : 4]),
  )
  const records = [recordOf(template, 1, ...sent.map(([, value]) => value))]
  return encodeMessage({ version: 9, nowMs: exportedMs }, { templates: [template], records })
}

/** What is counted. */
function packetsOf(...sent: Sent[]): number[] {
  let seen: number[] = []
  const decoder = new Decoder({
    sink: ({ rows, columns }) => {
      seen = [...columns.packets.subarray(0, rows)]
    },
  })
  decoder.decode(viewOf(messageOf(sent)), { address: '192.0.2.1', port: 1, receivedMs: exportedMs })
  decoder.flush()
  return seen
}

describe('packets that the exporter does not count', () => {
  it('are as many as the octets need', () => {
    assert.deepEqual(packetsOf([1, 3_001]), [3])
    assert.deepEqual(packetsOf([85, 1]), [1])
    assert.deepEqual(packetsOf([231, 0]), [0])
    assert.deepEqual(packetsOf([231, 1_500], [232, 1_501]), [1, 2])
    assert.deepEqual(packetsOf([1, 3_001], [2, 9]), [9], 'unless it counts them')
    assert.deepEqual(packetsOf([14, 1]), [0], 'of nothing nothing follows')
  })

  it('of a connection that ended or was denied: one at least', () => {
    const created = 1
    const deleted = 2
    const denied = 3
    const updated = 5
    assert.deepEqual(packetsOf([233, created], [231, 0]), [0])
    assert.deepEqual(packetsOf([233, deleted], [231, 0]), [1])
    assert.deepEqual(packetsOf([233, deleted], [231, 4_000]), [3])
    assert.deepEqual(packetsOf([233, updated], [231, 0]), [0])
    assert.deepEqual(packetsOf([233, updated], [231, 4_000]), [3])
    assert.deepEqual(packetsOf([233, denied]), [1])
    assert.deepEqual(packetsOf([40_005, denied]), [1], 'before the element had a number of its own')
    assert.deepEqual(packetsOf([233, denied], [2, 7]), [7])
  })

  it('are not told as exported', () => {
    const { records } = decodeAll(
      [
        messageOf([
          [233, 3],
          [231, 4_000],
        ]),
      ],
      { exportedTimes: true },
    )
    assert.equal(records[0].packets, null)
  })
})
