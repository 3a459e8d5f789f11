import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAll, exportedMs } from '../../test/helpers/decoded.ts'
import { recordOf, templateOf } from '../../test/helpers/encode/records.ts'
import { Exporter } from '../../test/helpers/exporter.ts'
import { encodeMessage, type MessageHeader } from '../encode/messages.ts'

const flow = recordOf(templateOf(256, [1, 4]), 1)
const minuteMs = 60_000

/** Restarts that are counted of these messages, a minute apart. */
function restarts(headers: readonly Partial<MessageHeader>[], version: 9 | 10 = 9): number | undefined {
  const decoded = decodeAll([])
  for (const [i, header] of headers.entries()) {
    const nowMs = exportedMs + i * 2 * minuteMs
    const message = encodeMessage({ version, nowMs, ...header }, { templates: [flow.template], records: [flow] })
    decodeAll([message], { into: decoded, receivedMs: nowMs })
  }
  return decoded.decoder.streams.list[0]?.counters.restarts
}

describe('a restart of an exporter', () => {
  it('is seen by an uptime that falls (NetFlow v9)', () => {
    const early = exportedMs - 86_400_000
    assert.equal(restarts([{ bootMs: early }, { bootMs: early }]), 0)
    assert.equal(restarts([{ bootMs: early }, { bootMs: exportedMs }, { bootMs: exportedMs }]), 1)
  })

  it('is seen by sequence numbers that begin again, and not by a loss or their wrap', () => {
    const after = (...sequences: number[]) =>
      restarts(
        sequences.map((sequence) => ({ sequence })),
        10,
      )
    assert.equal(after(5_000_000, 5_000_001, 1, 2), 1)
    assert.equal(after(5_000_000, 5_500_000, 5_500_001), 0)
    assert.equal(after(2 ** 32 - 1, 0, 1), 0)
    assert.equal(after(5_000_000, 4_999_990, 5_000_001), 0, 'a datagram out of order')
  })

  it('is one where both show it', () => {
    const early = exportedMs - 86_400_000
    const headers = [
      { bootMs: early, sequence: 5_000_000 },
      { bootMs: exportedMs, sequence: 0 },
      { bootMs: exportedMs, sequence: 1 },
    ]
    assert.equal(restarts(headers), 1)
  })

  it('is seen in NetFlow v5', () => {
    const decoded = decodeAll([])
    for (const [minute, bootMs] of [exportedMs - 86_400_000, exportedMs].entries()) {
      const exporter = new Exporter({ protocol: 'netflow5', bootMs })
      const nowMs = exportedMs + minute * 5 * minuteMs
      const flows = [{ src: '192.0.2.1', dst: '192.0.2.2', bytes: 100 }]
      decodeAll(exporter.datagrams(flows, nowMs), { into: decoded, receivedMs: nowMs })
    }
    assert.equal(decoded.decoder.streams.list[0]?.counters.restarts, 1)
  })
})
