// A capture of NetFlow v5 exports, as a test describes it: one datagram a list of records.

export interface Netflow5Record {
  src: number
  dst: number
  srcPort: number
  dstPort: number
  protocol: number
  flags: number
  packets: number
  bytes: number
  startMs: number
  endMs: number
}

export interface Netflow5Datagram {
  timeMs: number
  /** At most 30. */
  records: Netflow5Record[]
}

/** How long the exporter has been up at the first datagram, so that records may begin before it. */
const upMs = 600_000

/** A pcap file of raw IPv4 packets (link type 101). */
export function netflow5Capture(datagrams: Netflow5Datagram[]): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(65_535, 16)
  header.writeUInt32LE(101, 20)
  const bootMs = (datagrams[0]?.timeMs ?? upMs) - upMs
  let sequence = 0
  const frames = datagrams.map((datagram) => {
    const packet = inUdp(netflow5(datagram, bootMs, sequence))
    sequence += datagram.records.length
    const frame = Buffer.alloc(16)
    frame.writeUInt32LE(Math.floor(datagram.timeMs / 1000), 0)
    frame.writeUInt32LE((datagram.timeMs % 1000) * 1000, 4)
    frame.writeUInt32LE(packet.length, 8)
    frame.writeUInt32LE(packet.length, 12)
    return Buffer.concat([frame, packet])
  })
  return Buffer.concat([header, ...frames])
}

function netflow5({ timeMs, records }: Netflow5Datagram, bootMs: number, sequence: number): Buffer {
  const payload = Buffer.alloc(24 + 48 * records.length)
  payload.writeUInt16BE(5, 0)
  payload.writeUInt16BE(records.length, 2)
  payload.writeUInt32BE(timeMs - bootMs, 4)
  payload.writeUInt32BE(Math.floor(timeMs / 1000), 8)
  payload.writeUInt32BE((timeMs % 1000) * 1_000_000, 12)
  payload.writeUInt32BE(sequence, 16)
  records.forEach((record, i) => {
    const at = 24 + 48 * i
    payload.writeUInt32BE(record.src, at)
    payload.writeUInt32BE(record.dst, at + 4)
    payload.writeUInt32BE(record.packets, at + 16)
    payload.writeUInt32BE(record.bytes, at + 20)
    payload.writeUInt32BE(record.startMs - bootMs, at + 24)
    payload.writeUInt32BE(record.endMs - bootMs, at + 28)
    payload.writeUInt16BE(record.srcPort, at + 32)
    payload.writeUInt16BE(record.dstPort, at + 34)
    payload.writeUInt8(record.flags, at + 37)
    payload.writeUInt8(record.protocol, at + 38)
  })
  return payload
}

/** From 192.0.2.1 port 50000 to 192.0.2.254 port 2055, without checksums. */
function inUdp(payload: Buffer): Buffer {
  const headers = Buffer.alloc(28)
  headers.writeUInt8(0x45, 0)
  headers.writeUInt16BE(28 + payload.length, 2)
  headers.writeUInt8(64, 8)
  headers.writeUInt8(17, 9)
  headers.writeUInt32BE(0xc0000201, 12)
  headers.writeUInt32BE(0xc00002fe, 16)
  headers.writeUInt16BE(50_000, 20)
  headers.writeUInt16BE(2_055, 22)
  headers.writeUInt16BE(8 + payload.length, 24)
  return Buffer.concat([headers, payload])
}
