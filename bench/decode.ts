// What a flow record costs from the datagram to the batch, by protocol, and against the obvious way to decode NetFlow v9: an object a flow, its
// fields by name. Run: node bench/decode.ts
import { Decoder } from '../src/decode/decoder.ts'
import { encodeMessage } from '../src/encode/messages.ts'
import { exportProtocols } from '../src/flow/columns.ts'
import { Exporter, type Flow } from '../test/helpers/exporter.ts'

const nowMs = 1_800_000_000_000
const seconds = 2
const from = { address: '192.0.2.1', port: 40_000, receivedMs: nowMs }

const flows: Flow[] = Array.from({ length: 2_016 }, (_, i) => ({
  src: `198.51.100.${i & 255}`,
  dst: `203.0.113.${(i * 7) & 255}`,
  srcPort: (i * 31) & 0xffff,
  dstPort: 443,
  ipProto: 6,
  tcpFlags: 27,
  bytes: 1_400 + i,
  packets: 1,
  startMs: nowMs - 20_000 - i,
  endMs: nowMs - i,
}))

function viewsOf(datagrams: Uint8Array[]): DataView[] {
  return datagrams.map((bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

interface Rate {
  flowsPerSecond: number
  datagramsPerSecond: number
}

/** CPU time of this process, in seconds: other work on the machine counts for little. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** The best of several runs: what disturbs a run only makes it slower. */
function measure(views: DataView[], flowsInAll: number, decode: (view: DataView) => void): Rate {
  let best = 0
  for (let run = 0; run < 5; run++) {
    const start = cpuSeconds()
    let rounds = 0
    while (cpuSeconds() - start < seconds / 5) {
      for (const view of views) decode(view)
      rounds++
    }
    best = Math.max(best, rounds / (cpuSeconds() - start))
  }
  return { flowsPerSecond: best * flowsInAll, datagramsPerSecond: best * views.length }
}

function show(name: string, { flowsPerSecond, datagramsPerSecond }: Rate): void {
  const perDatagramUs = 1e6 / datagramsPerSecond
  const million = (flowsPerSecond / 1e6).toFixed(2)
  process.stdout.write(
    `${name.padEnd(44)} ${million.padStart(7)} M flows/s  ${perDatagramUs.toFixed(2).padStart(6)} us a datagram\n`,
  )
}

function columnar(): (view: DataView) => void {
  const decoder = new Decoder({ sink: () => {} })
  return (view) => decoder.decode(view, from)
}

/** As one would write it first: the template is interpreted for every record, and every record is an object. */
function naive(): (view: DataView) => void {
  const templates = new Map<number, { id: number; length: number }[]>()
  return (view) => {
    const buffer = Buffer.from(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength)
    const found: Record<string, number>[] = []
    for (let at = 20; at + 4 <= buffer.length; ) {
      const id = buffer.readUInt16BE(at)
      const end = at + buffer.readUInt16BE(at + 2)
      if (id === 0) {
        const fields = []
        for (let field = at + 8; field < at + 8 + buffer.readUInt16BE(at + 6) * 4; field += 4) {
          fields.push({ id: buffer.readUInt16BE(field), length: buffer.readUInt16BE(field + 2) })
        }
        templates.set(buffer.readUInt16BE(at + 4), fields)
      }
      const fields = templates.get(id)
      const stride = fields?.reduce((sum, { length }) => sum + length, 0) ?? 0
      for (let record = at + 4; fields !== undefined && record + stride <= end; ) {
        const flow: Record<string, number> = {}
        for (const { id: field, length } of fields) {
          flow[`field${field}`] =
            length <= 6 ? buffer.readUIntBE(record, length) : Number(buffer.readBigUInt64BE(record))
          record += length
        }
        found.push(flow)
      }
      at = end
    }
    if (found.length < 0) throw new Error('unreachable: keeps the records alive')
  }
}

/** The same flows in a template whose last field varies in length. */
function variableDatagrams(): Uint8Array[] {
  const template = {
    id: 300,
    fields: [8, 12, 7, 11, 4, 6, 1, 2, 152, 153, 82].map((id) => ({ id, length: lengthOf(id) })),
  }
  const text = new TextEncoder().encode('eth0')
  const one = (i: number) => [i, 0xcb007100 + (i & 255), i & 0xffff, 443, 6, 27, 1400, 1, nowMs - 20_000, nowMs, text]
  const records = Array.from({ length: 24 }, (_, i) => ({ template, values: one(i) }))
  const datagram = encodeMessage({ version: 10, nowMs }, { templates: [template], records })
  return new Array<Uint8Array>(84).fill(datagram)
}

function lengthOf(id: number): number {
  if (id === 82) return 65_535
  return { 8: 4, 12: 4, 7: 2, 11: 2, 4: 1, 6: 1 }[id] ?? 8
}

for (const protocol of exportProtocols) {
  const exporter = new Exporter({ protocol, samplingRate: 100, recordsMax: protocol === 'sflow5' ? 7 : 28 })
  show(protocol, measure(viewsOf(exporter.datagrams(flows, nowMs)), flows.length, columnar()))
}
show('ipfix, variable length', measure(viewsOf(variableDatagrams()), flows.length, columnar()))

const datagrams = viewsOf(new Exporter({ protocol: 'netflow9', recordsMax: 28 }).datagrams(flows, nowMs))
const columns = measure(datagrams, flows.length, columnar())
const objects = measure(datagrams, flows.length, naive())
show('netflow9, an object a flow', objects)
process.stdout.write(`field by field: ${(columns.flowsPerSecond / objects.flowsPerSecond).toFixed(1)} times as fast\n`)
