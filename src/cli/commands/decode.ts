// `floodgauge decode`: prints the flow records of a capture, one JSON line each, as their exporters sent them.
import { once } from 'node:events'
import type { Command } from 'commander'
import { readCapture } from '../../collect/capture-reader.ts'
import { Decoder } from '../../decode/decoder.ts'
import type { StreamTable } from '../../decode/streams.ts'
import type { Batch } from '../../flow/batch.ts'
import { exportProtocols, presentBit } from '../../flow/columns.ts'
import { formatIpv4 } from '../../net/ipv4.ts'
import { formatIpv6 } from '../../net/ipv6.ts'
import { Progress } from '../progress.ts'

export function registerDecode(program: Command): void {
  program
    .command('decode')
    .description('print the flow records of a capture as JSON lines, as exported')
    .argument('<file>', 'capture of NetFlow, IPFIX or sFlow: pcap or pcapng, also gzipped; - is standard input')
    .action(decode)
}

/** Characters that are written at once. */
const chunkLength = 1 << 16

async function decode(file: string): Promise<void> {
  let text = ''
  const decoder = new Decoder({
    exportedTimes: true,
    sink: (batch) => {
      text += linesOf(batch, decoder.streams)
    },
  })
  const capture = readCapture(file)
  const progress = new Progress(file, capture)
  for await (const { payload, address, port, timeMs } of capture) {
    decoder.decode(payload, { address, port, receivedMs: timeMs })
    decoder.flush()
    if (text.length > chunkLength) {
      const whole = text
      text = ''
      progress.show()
      if (!process.stdout.write(whole)) await once(process.stdout, 'drain')
    }
  }
  progress.end()
  process.stdout.write(text)
}

const bits = {
  srcPort: presentBit('srcPort'),
  dstPort: presentBit('dstPort'),
  ipProto: presentBit('ipProto'),
  tcpFlags: presentBit('tcpFlags'),
  bytes: presentBit('bytes'),
  packets: presentBit('packets'),
  startMs: presentBit('startMs'),
  endMs: presentBit('endMs'),
} as const

function linesOf(batch: Batch, streams: StreamTable): string {
  const { columns } = batch
  const views = { src: viewOf(columns.src6), dst: viewOf(columns.dst6) }
  let lines = ''
  for (let row = 0; row < batch.rows; row++) {
    const stream = streams.list[columns.exporter[row]]
    const value = (name: keyof typeof bits) => ((columns.present[row] & bits[name]) === 0 ? null : columns[name][row])
    const ip6 = columns.ipVersion[row] === 6
    lines += `${JSON.stringify({
      protocol: exportProtocols[columns.exportProtocol[row]],
      exporter: stream?.address ?? null,
      domain: stream?.domain ?? null,
      src: ip6 ? formatIpv6(views.src, row * 16) : formatIpv4(columns.srcAddr[row]),
      dst: ip6 ? formatIpv6(views.dst, row * 16) : formatIpv4(columns.dstAddr[row]),
      srcPort: value('srcPort'),
      dstPort: value('dstPort'),
      ipProto: value('ipProto'),
      tcpFlags: value('tcpFlags'),
      bytes: value('bytes'),
      packets: value('packets'),
      startMs: value('startMs'),
      endMs: value('endMs'),
      samplingRate: columns.samplingRate[row] || null,
    })}\n`
  }
  return lines
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
