import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Exporter, encodeMessage, type Flow } from '../../../test/helpers/exporter.ts'
import { Decoder } from '../../decode/decoder.ts'
import { StreamWatches } from './stream-watches.ts'

const startMs = 1_800_000_000_000
const flow: Flow = {
  src: '198.51.100.1',
  dst: '203.0.113.1',
  ipProto: 17,
  srcPort: 53,
  dstPort: 80,
  tcpFlags: 0,
  bytes: 1500,
  packets: 1,
  startMs,
  endMs: startMs,
}

function viewOf(payload: Uint8Array): DataView {
  return new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
}

interface Given {
  recordsPerBatch?: number
  streamsMax?: number
}

/** A decoder that is watched, and a way to let exporters send to it. */
function watched({ recordsPerBatch = Number.POSITIVE_INFINITY, streamsMax = 100 }: Given = {}) {
  const decoder = new Decoder({ sink: (batch) => watches.sample(batch), streamsMax })
  const spans = { rateMs: 60_000, recentMs: 900_000, recordsMs: 3_600_000 }
  const watches = new StreamWatches({ ...spans, streams: decoder.streams, recordsPerBatch, exportedTimes: false })
  const send = (
    exporter: Exporter,
    flows: readonly Flow[],
    { atMs = startMs, address = '192.0.2.7', aheadMs = 0 } = {},
  ) => {
    for (const payload of exporter.datagrams(flows, atMs + aheadMs)) {
      decoder.decode(viewOf(payload), {
        address,
        port: 9,
        receivedMs: atMs,
      })
    }
    decoder.flush()
    watches.look(atMs)
  }
  return { decoder, watches, send }
}

describe('the watch over streams', () => {
  it('reports who sends what', () => {
    const { watches, send } = watched()
    send(new Exporter({ protocol: 'netflow9', samplingRate: 100, domain: 7 }), [flow, flow])
    const [report, ...others] = watches.reports(startMs)
    assert.deepEqual(others, [])
    const { address, port, domain, protocol, firstMs, lastMs, templates } = report
    assert.deepEqual(
      [address, port, domain, protocol, firstMs, lastMs],
      ['192.0.2.7', 9, 7, 'netflow9', startMs, startMs],
    )
    assert.deepEqual(
      templates.map(({ id, options, fields }) => [id, options, fields]),
      [
        [256, false, 10],
        [257, false, 10],
        [258, true, 2],
      ],
    )
    assert.equal(report.counters.records, 2)
  })

  it('counts the fields of options templates, which the protocols count differently', () => {
    for (const protocol of ['netflow9', 'ipfix'] as const) {
      const { watches, send } = watched()
      send(new Exporter({ protocol, samplingRate: 100, sampling: 'sampler' }), [flow])
      assert.equal(watches.reports(startMs)[0].templates.find(({ options }) => options)?.fields, 4)
    }
  })

  it('knows the rates of the records, and the share that has none', () => {
    const { watches, send } = watched()
    send(new Exporter({ protocol: 'sflow5', samplingRate: 100 }), [flow, flow, flow])
    send(new Exporter({ protocol: 'sflow5' }), [flow])
    assert.deepEqual(watches.reports(startMs)[0].sampling.rates, [
      { rate: 100, share: 0.75 },
      { rate: 0, share: 0.25 },
    ])
  })

  it('takes the clock from the middle of many looks', () => {
    const { watches, send } = watched()
    const exporter = new Exporter({ protocol: 'netflow5' })
    for (let second = 0; second < 30; second++) {
      send(exporter, [flow], { atMs: startMs + second * 1000, aheadMs: second % 5 === 0 ? -40_000 : 3_600_000 })
    }
    assert.equal(watches.reports(startMs)[0].clockAheadMs, 3_600_000)
  })

  it('does not know the clock of sFlow', () => {
    const { watches, send } = watched()
    send(new Exporter({ protocol: 'sflow5', samplingRate: 100 }), [flow])
    assert.equal(watches.reports(startMs)[0].clockAheadMs, null)
  })

  it('measures rates over the last minute or two', () => {
    const { watches, send } = watched()
    const exporter = new Exporter({ protocol: 'netflow5' })
    for (let second = 0; second <= 300; second++) {
      const flows = new Array<Flow>(second < 100 ? 20 : 10).fill(flow)
      send(exporter, flows, { atMs: startMs + second * 1000 })
    }
    const [report] = watches.reports(startMs + 300_000)
    assert.equal(report.datagramsPerSecond, 1)
    assert.equal(report.recordsPerSecond, 10)
  })

  it('learns the timeouts from one record of several', () => {
    const { watches, send } = watched({ recordsPerBatch: 2 })
    const exporter = new Exporter({ protocol: 'ipfix' })
    for (let second = 0; second < 400; second += 2) {
      const nowMs = startMs + second * 1000
      const lasting = { ...flow, packets: 50, startMs: nowMs - 60_000, endMs: nowMs }
      const single = { ...flow, startMs: nowMs - 15_000, endMs: nowMs - 15_000 }
      send(exporter, [lasting, single, single, single, single], { atMs: nowMs })
    }
    const { sampled, activeTimeoutSeconds, inactiveTimeoutSeconds, lagSeconds } = watches.reports(startMs)[0].records
    assert.ok(sampled >= 333 && sampled <= 334, `${sampled} of 1,000 were looked at`)
    assert.deepEqual([activeTimeoutSeconds, inactiveTimeoutSeconds], [60, 15])
    assert.ok(lagSeconds !== null && lagSeconds >= 14 && lagSeconds <= 16)
  })

  it('forgets after a while what was lost, and what records were like', () => {
    const { watches, send } = watched()
    const exporter = new Exporter({ protocol: 'netflow5' })
    const minutes = (from: number, to: number, durationMs: number) => {
      for (let minute = from; minute < to; minute++) {
        const nowMs = startMs + minute * 60_000
        const lasting = { ...flow, startMs: nowMs - durationMs, endMs: nowMs }
        send(exporter, new Array<Flow>(30).fill(lasting), { atMs: nowMs })
      }
    }
    minutes(0, 10, 1_800_000)
    // These never arrive.
    exporter.datagrams(new Array<Flow>(90).fill(flow), startMs)
    minutes(10, 30, 1_800_000)
    const [before] = watches.reports(startMs + 30 * 60_000)
    assert.deepEqual([before.recent.sequenceLost, before.records.activeTimeoutSeconds], [90, null])
    assert.equal(before.records.longestSeconds, 1_800)
    minutes(30, 150, 10_000)
    const [after] = watches.reports(startMs + 150 * 60_000)
    assert.deepEqual([after.counters.sequenceLost, after.recent.sequenceLost], [90, 0])
    assert.ok(after.recent.datagrams >= 15 && after.recent.datagrams <= 31, String(after.recent.datagrams))
    assert.equal(after.records.longestSeconds, 10)
  })

  it('knows the age of a template, which a repetition does not renew and another definition does', () => {
    const { watches, send } = watched()
    const exporter = new Exporter({ protocol: 'ipfix', templateEvery: 1 })
    send(exporter, [flow])
    send(exporter, [flow], { atMs: startMs + 5_000 })
    const firstMs = () => watches.reports(startMs)[0].templates[0].firstMs
    assert.equal(firstMs(), startMs)
    send(new Exporter({ protocol: 'ipfix', samplingRate: 10, sampling: 'record' }), [flow], { atMs: startMs + 9_000 })
    assert.equal(firstMs(), startMs + 9_000)
  })

  it('names the templates that data waits for, and elements that nobody knows', () => {
    const { decoder, watches } = watched()
    const fields = [
      { id: 12, length: 4 },
      { id: 77, pen: 99_999, length: 2 },
      { id: 32_000, length: 2 },
    ]
    const known = { id: 300, fields }
    const unknown = { id: 301, fields }
    const values = [1, 2, 3]
    const records = [known, unknown, known].map((template) => ({ template, values }))
    const payload = encodeMessage({ version: 10, nowMs: startMs }, { templates: [known], records })
    decoder.decode(viewOf(payload), { address: '192.0.2.7', port: 9, receivedMs: startMs })
    watches.look(startMs)
    const [{ waiting, unknownElements }] = watches.reports(startMs)
    assert.deepEqual(waiting, [{ template: 301, sets: 1 }])
    assert.deepEqual(unknownElements, [
      { enterprise: 0, id: 32_000 },
      { enterprise: 99_999, id: 77 },
    ])
  })

  it('reports streams that were active since the last report, those that wait longest first', () => {
    const { watches, send } = watched()
    const exporters = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => ({
      address,
      exporter: new Exporter({ protocol: 'netflow5' }),
    }))
    const sendAll = (atMs: number) => {
      for (const { exporter, address } of exporters) send(exporter, [flow], { atMs, address })
    }
    const due = (nowMs: number) => watches.due(nowMs, { beforeMs: nowMs - 1_000, max: 2 }).map(({ address }) => address)
    sendAll(startMs)
    assert.deepEqual(due(startMs + 1), ['10.0.0.1', '10.0.0.2'])
    assert.deepEqual(due(startMs + 500), ['10.0.0.3'])
    assert.deepEqual(due(startMs + 2_000), [])
    sendAll(startMs + 3_000)
    assert.deepEqual(due(startMs + 3_000), ['10.0.0.1', '10.0.0.2'])
    sendAll(startMs + 4_000)
    assert.deepEqual(due(startMs + 4_000), ['10.0.0.3', '10.0.0.1'])
  })

  it('keeps most of the reports for streams that have proved themselves, and some for others', () => {
    const { watches, send } = watched()
    const routers = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map((address) => ({
      address,
      exporter: new Exporter({ protocol: 'netflow5' }),
    }))
    for (const minute of [0, 1, 2]) {
      for (const { address, exporter } of routers) send(exporter, [flow], { atMs: startMs + minute * 60_000, address })
    }
    const nowMs = startMs + 180_000
    const flood = Array.from({ length: 20 }, (_, i) => `10.9.9.${i}`)
    for (const address of flood) send(new Exporter({ protocol: 'netflow5' }), [flow], { atMs: nowMs, address })
    const due = () => watches.due(nowMs + 1, { beforeMs: nowMs, max: 4 }).map(({ address }) => address)
    assert.deepEqual(due(), ['10.0.0.1', '10.0.0.2', '10.0.0.3', flood[0]])
    assert.deepEqual(due(), ['10.0.0.4', ...flood.slice(1, 4)])
    assert.deepEqual(due(), flood.slice(4, 8))
    // Routers that were reported before come before made-up streams that never were.
    for (const { address, exporter } of routers) send(exporter, [flow], { atMs: nowMs + 2, address })
    const later = watches.due(nowMs + 1_000, { beforeMs: nowMs + 999, max: 4 }).map(({ address }) => address)
    assert.deepEqual(later, ['10.0.0.1', '10.0.0.2', '10.0.0.3', flood[8]])
  })

  it('starts again with the stream that takes the place of another', () => {
    const { watches, send } = watched({ streamsMax: 1 })
    send(new Exporter({ protocol: 'netflow5' }), new Array<Flow>(30).fill(flow), { address: '10.0.0.1' })
    send(new Exporter({ protocol: 'netflow5' }), [flow], { address: '10.0.0.2' })
    const reports = watches.reports(startMs)
    assert.deepEqual(
      reports.map(({ address, records }) => [address, records.sampled]),
      [['10.0.0.2', 1]],
    )
  })
})
