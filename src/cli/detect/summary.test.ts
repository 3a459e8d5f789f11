import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { Commands } from '../../../test/helpers/commands/commands.ts'
import { type DatagramToCapture, writeCapture } from '../../../test/helpers/encode/capture.ts'
import { Exporter, type Flow } from '../../../test/helpers/exporter.ts'
import { ExporterDetail } from '../../contract/exporters/exporter.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-summary-'))
const commands = new Commands(folder)
after(async () => {
  await commands.close()
  rmSync(folder, { recursive: true })
})

const startMs = 1_800_000_000_000
const flow: Flow = {
  src: '198.51.100.1',
  dst: '203.0.113.1',
  ipProto: 6,
  srcPort: 1234,
  dstPort: 80,
  tcpFlags: 27,
  bytes: 1500,
  packets: 3,
  startMs,
  endMs: startMs,
}

/** Two exporters over 100 minutes: one is well, the other's clock is an hour ahead, its flows last long, and a tenth of it is lost. */
function capture(): string {
  const good = new Exporter({ protocol: 'ipfix', samplingRate: 100, domain: 1 })
  const bad = new Exporter({ protocol: 'netflow9', domain: 2, templateEvery: 1, bootMs: startMs - 1e7 })
  const datagrams: DatagramToCapture[] = []
  for (let minute = 0; minute < 100; minute++) {
    const timeMs = startMs + minute * 60_000
    const short = { ...flow, startMs: timeMs - 2_000, endMs: timeMs - 1_000 }
    const long = { ...flow, startMs: timeMs + 1_800_000, endMs: timeMs + 3_600_000 }
    for (const payload of good.datagrams([short], timeMs)) datagrams.push({ timeMs, payload, address: '192.0.2.1' })
    const [payload] = bad.datagrams([long], timeMs + 3_600_000)
    if (minute % 10 !== 5) datagrams.push({ timeMs, payload, address: '192.0.2.2', port: 9 })
  }
  datagrams.push({ timeMs: startMs + 6_000_000, payload: new Uint8Array([0, 8, 0, 1]), address: '192.0.2.3' })
  const path = join(folder, 'exports.pcap')
  writeCapture(path, datagrams)
  return path
}

async function summary(...args: string[]): Promise<string> {
  const { status, out, err } = await commands.run(['decode', '--summary', ...args])
  assert.equal(status, 0, err)
  return out
}

describe('floodgauge decode --summary', () => {
  const path = capture()

  it('tells a network engineer what to change', async () => {
    const text = await summary(path)
    for (const line of [
      /191 datagrams of 2 exporters, .* UTC \(100 min\)/,
      /! 1 datagram not understood: NetFlow v8\n/,
      /EXPORTER 192\.0\.2\.1\n\n {2}IPFIX, observation domain 1, from port 40000/,
      /sampling {3}1:100 \(by options\)\n/,
      /findings {3}none: nothing to change/,
      /EXPORTER 192\.0\.2\.2\n\n {2}NetFlow v9, source id 2, from port 9/,
      /templates {2}256 \(10 fields, 99 min old\), 257 \(10 fields, 99 min old\)/,
      /error {6}sequence numbers show 10 % of the datagrams lost: 10 in 10 gaps/,
      /warning {4}the clock is 3600 s ahead: time zone\?/,
      /warning {4}records last up to 1800 s\n +Set the active timeout to 60 s or less/,
      /note {7}no sampling rate was told/,
    ]) {
      assert.match(text, line)
    }
    assert.ok(text.split('\n').every((line) => line.length <= 120 || line.includes(folder)))
  })

  it('is not mixed with what is about records', async () => {
    for (const args of [
      ['--json', path],
      ['--summary', '--late', path],
    ]) {
      const { status } = await commands.run(['decode', ...args])
      assert.equal(status, 2)
    }
  })

  it('tells programs the same, in the form of the interface', async () => {
    const { capture: facts, exporters } = JSON.parse(await summary('--json', path))
    assert.deepEqual([facts.datagrams, facts.fromMs, facts.toMs], [191, startMs, startMs + 6_000_000])
    assert.equal(exporters.length, 2)
    for (const exporter of exporters) assert.ok(Value.Check(ExporterDetail, exporter), JSON.stringify(exporter))
    assert.deepEqual(
      exporters.map(({ state }: { state: string }) => state),
      ['ok', 'error'],
    )
    const [stream] = exporters[1].streams
    assert.deepEqual(stream.sequence, { unit: 'datagrams', gaps: 10, lost: 10, lostShare: 0.1 })
    assert.equal(stream.activeTimeoutSeconds, 1800)
    assert.equal(stream.clockAheadSeconds, 3600)
  })
})
