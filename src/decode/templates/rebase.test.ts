import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAll, exportedMs, viewOf } from '../../../test/helpers/decoded.ts'
import { recordOf, templateOf } from '../../../test/helpers/encode/records.ts'
import { Exporter, type Flow } from '../../../test/helpers/exporter.ts'
import { encodeMessage } from '../../encode/messages.ts'
import { exportProtocols } from '../../flow/columns.ts'
import { Rebaser } from './rebase.ts'

const flow: Flow = { src: '198.51.100.1', dst: '203.0.113.1', startMs: exportedMs - 5_000, endMs: exportedMs - 1_000 }
const yearMs = 31_536_000_000

describe('rebasing', () => {
  for (const protocol of exportProtocols) {
    it(`moves ${protocol}`, () => {
      const exporter = new Exporter({ protocol })
      const datagrams = [0, 2_000].flatMap((laterMs) =>
        exporter.datagrams(
          [{ ...flow, startMs: exportedMs - 5_000 + laterMs, endMs: exportedMs - 1_000 + laterMs }],
          exportedMs + laterMs,
        ),
      )
      const rebaser = new Rebaser()
      for (const datagram of datagrams) rebaser.rebase(viewOf(datagram), 'a', exportedMs + yearMs)
      const { records, decoder } = decodeAll(datagrams, { exportedTimes: true, receivedMs: exportedMs + yearMs })
      const expected =
        protocol === 'sflow5'
          ? [
              [null, null],
              [null, null],
            ]
          : [
              [-5_000, -1_000],
              [-3_000, 1_000],
            ].map((pair) => pair.map((ms) => ms + exportedMs + yearMs))
      assert.deepEqual(
        records.map(({ startMs, endMs }) => [startMs, endMs]),
        expected,
      )
      assert.equal(decoder.streams.list[0]?.clockAheadMs, protocol === 'sflow5' ? 0 : 2_000)
    })
  }

  it('moves every kind of absolute time, in records of variable length too, and leaves zero and the rest', () => {
    const template = templateOf(256, [150, 4], [82, 65_535], [157, 8], [154, 8], [152, 8], [21, 4], [160, 8])
    const seconds = exportedMs / 1000
    const ntp = (BigInt(seconds) + 2_208_988_800n) << 32n
    const values = [seconds, new Uint8Array(3), ntp, BigInt(exportedMs) * 1000n, 0, 77, exportedMs]
    const records = [recordOf(template, ...values), recordOf(template, ...values)]
    const moved = encodeMessage({ version: 10, nowMs: exportedMs }, { templates: [template], records })
    new Rebaser().rebase(viewOf(moved), 'a', exportedMs + yearMs)
    const shifted = [
      (exportedMs + yearMs) / 1000,
      new Uint8Array(3),
      ntp + (BigInt(yearMs / 1000) << 32n),
      BigInt(exportedMs + yearMs) * 1000n,
      0,
      77,
      exportedMs + yearMs,
    ]
    const later = [recordOf(template, ...shifted), recordOf(template, ...shifted)]
    const want = encodeMessage({ version: 10, nowMs: exportedMs + yearMs }, { templates: [template], records: later })
    assert.deepEqual(moved, want)
  })

  it('sets the clock of each exporter by itself', () => {
    const rebaser = new Rebaser()
    for (const [exporter, aheadMs] of [
      ['a', 0],
      ['b', 3_600_000],
    ] as const) {
      const [datagram] = new Exporter({ protocol: 'netflow9' }).datagrams([flow], exportedMs + aheadMs)
      rebaser.rebase(viewOf(datagram), exporter, exportedMs + yearMs)
      assert.equal(viewOf(datagram).getUint32(8), (exportedMs + yearMs) / 1000)
    }
  })
})
