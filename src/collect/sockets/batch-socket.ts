// Reads a UDP socket of Linux many datagrams at a time, into memory that is reused: a tenth of the calls, and no garbage. The kernel's buffer holds what
// comes between two readings.
import { lookup } from 'node:dns/promises'
import { formatOctets, parseOctets } from '../../net/octets.ts'
import { type Libc, linux } from './libc.ts'
import type { DatagramSocket, Sender, SocketOptions } from './udp-listener.ts'

/** Datagrams of one call at most. */
const batch = 64
/** Octets of a datagram at most. */
const datagramOctetsMax = 65_536
/** Distance of one datagram's place to the next, in octets: a power of two would put all on the same few lines of the processor's caches. */
const placeOctets = datagramOctetsMax + 1_600
/** Bytes of the kernel's buffer for a datagram of 1,400 octets. */
const bufferOctetsPerDatagram = 2_304
/** Datagrams a millisecond that the buffer must always have room for: the socket is read that often however little has come, if there is such a pace. */
const datagramsPerMs = 100
/** Calls in a row before other work of this thread. */
const callsMax = 64
/** The same in milliseconds: datagrams that are dear to decode hold up nothing else for long, however many wait. */
const busyMsMax = 50
/** Senders whose addresses are remembered as text. */
const sendersMax = 4_096

// struct mmsghdr: pointer to the name (8), its length (4), padding (4), pointer to the buffers (8), their number (8), control (8 + 8), flags (4),
// padding (4), octets received (4), padding (4).
const messageOctets = 64
const nameAt = 0
const nameLengthAt = 8
const vectorAt = 16
const vectorsAt = 24
const receivedAt = 56
// struct iovec: pointer (8), length (8).
const vectorOctets = 16
// struct sockaddr_in: family (2), port (2, network order), address (4). sockaddr_in6: family, port, flow (4), address (16), scope (4).
const nameOctets = 28
const ipv4NameOctets = 16

export class BatchSocket implements DatagramSocket {
  readonly #libc: Libc
  readonly #options: SocketOptions
  readonly #data = new Uint8Array(batch * placeOctets)
  readonly #names = new DataView(new ArrayBuffer(batch * nameOctets))
  readonly #vectors = new DataView(new ArrayBuffer(batch * vectorOctets))
  readonly #messages = new DataView(new ArrayBuffer(batch * messageOctets))
  readonly #messageOctets = new Uint8Array(this.#messages.buffer)
  /** Views of each place's last datagram, for reuse: most are as long as the one before. */
  readonly #views: DataView[] = []
  /** Senders by address and port. */
  readonly #senders = new Map<number | string, Sender>()
  #lastKey: number | string = -1
  #lastSender: Sender = { address: '', port: 0 }
  #fd = -1
  /** The read of the rest of the buffer that is due after other work; null: none is. */
  #rest: NodeJS.Immediate | null = null
  /** Number of datagrams that the kernel's buffer holds. */
  #capacity = 0

  constructor(libc: Libc, options: SocketOptions) {
    this.#libc = libc
    this.#options = options
    this.#layOut()
  }

  async start(): Promise<void> {
    const { host, port } = this.#options
    const { address, family } = await lookup(host)
    this.#fd = this.#checked('socket', this.#open(family === 6 ? linux.AF_INET6 : linux.AF_INET), address)
    if (this.#options.reusePort) this.#set(linux.SO_REUSEPORT, 1)
    // With the privilege to do so, the buffer may be larger than net.core.rmem_max.
    const { receiveBufferBytes } = this.#options
    if (this.#set(linux.SO_RCVBUFFORCE, receiveBufferBytes) < 0) this.#set(linux.SO_RCVBUF, receiveBufferBytes)
    const name = family === 6 ? ipv6Name(address, port) : ipv4Name(address, port)
    this.#checked('bind', this.#libc.bind(this.#fd, name, name.length), address)
    this.#capacity = this.receiveBufferBytes / bufferOctetsPerDatagram
    this.#options.schedule.add(this.#reader, this.#capacity / datagramsPerMs)
  }

  stop(): void {
    this.#options.schedule.remove(this.#reader)
    if (this.#rest !== null) clearImmediate(this.#rest)
    this.#rest = null
    if (this.#fd >= 0) this.#libc.close(this.#fd)
    this.#fd = -1
  }

  get bound(): Sender {
    const name = new Uint8Array(nameOctets)
    this.#libc.getsockname(this.#fd, name, uint32(nameOctets))
    return readName(new DataView(name.buffer), 0)
  }

  get receiveBufferBytes(): number {
    const value = uint32(0)
    this.#libc.getsockopt(this.#fd, linux.SOL_SOCKET, linux.SO_RCVBUF, value, uint32(4))
    return new DataView(value.buffer).getUint32(0, true)
  }

  #open(family: number): number {
    return this.#libc.socket(family, linux.SOCK_DGRAM | linux.SOCK_NONBLOCK | linux.SOCK_CLOEXEC, 0)
  }

  #set(option: number, value: number): number {
    return this.#libc.setsockopt(this.#fd, linux.SOL_SOCKET, option, uint32(value), 4)
  }

  /** Writes the structures: each message has a fixed place for the sender's name and for the datagram. */
  #layOut(): void {
    const pointer = (array: ArrayBufferView) =>
      this.#libc.addressOf(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    const [data, names, vectors] = [this.#data, this.#names, this.#vectors].map(pointer)
    for (let i = 0; i < batch; i++) {
      this.#views.push(new DataView(this.#data.buffer, i * placeOctets, 0))
      this.#vectors.setBigUint64(i * vectorOctets, data + BigInt(i * placeOctets), true)
      this.#vectors.setBigUint64(i * vectorOctets + 8, BigInt(datagramOctetsMax), true)
      const at = i * messageOctets
      this.#messages.setBigUint64(at + nameAt, names + BigInt(i * nameOctets), true)
      this.#messages.setUint32(at + nameLengthAt, nameOctets, true)
      this.#messages.setBigUint64(at + vectorAt, vectors + BigInt(i * vectorOctets), true)
      this.#messages.setBigUint64(at + vectorsAt, 1n, true)
    }
  }

  readonly #reader = () => (this.#rest === null ? Math.min(this.#read() / this.#capacity, 1) : 1)

  /** Returns the number of datagrams read; when some are left, the number that the buffer holds. */
  #read(): number {
    this.#rest = null
    let received = 0
    const endMs = this.#options.clock.now() + busyMsMax
    for (let calls = 0; calls < callsMax && this.#fd >= 0; calls++) {
      const count = this.#libc.recvmmsg(this.#fd, this.#messageOctets, batch, 0, null)
      if (count < 0) {
        const errno = this.#libc.errno()
        if (errno !== linux.EAGAIN && errno !== linux.EINTR) this.#options.onError(this.#failure('recvmmsg', errno))
        return received
      }
      received += count
      const receivedMs = this.#options.clock.now()
      for (let i = 0; i < count && this.#fd >= 0; i++) this.#hand(i, receivedMs)
      if (count < batch) return received
      if (receivedMs > endMs) break
    }
    if (this.#fd < 0) return received
    this.#rest = setImmediate(() => this.#read())
    return this.#capacity
  }

  #hand(i: number, receivedMs: number): void {
    const at = i * messageOctets
    const length = this.#messages.getUint32(at + receivedAt, true)
    let view = this.#views[i]
    if (view.byteLength !== length) this.#views[i] = view = new DataView(this.#data.buffer, i * placeOctets, length)
    this.#messages.setUint32(at + nameLengthAt, nameOctets, true)
    this.#options.onDatagram(view, this.#senderOf(i * nameOctets), receivedMs)
  }

  #senderOf(at: number): Sender {
    const names = this.#names
    const isIpv4 = names.getUint16(at, true) === linux.AF_INET
    // Both fit in 48 bits.
    const key = isIpv4 ? names.getUint32(at + 4) * 65_536 + names.getUint16(at + 2) : ipv6Key(names, at)
    if (key === this.#lastKey) return this.#lastSender
    let sender = this.#senders.get(key)
    if (sender === undefined) {
      if (this.#senders.size >= sendersMax) this.#senders.clear()
      sender = readName(names, at)
      this.#senders.set(key, sender)
    }
    this.#lastKey = key
    this.#lastSender = sender
    return sender
  }

  /** Returns `result`, or throws when it says that the call failed. */
  #checked(call: string, result: number, address: string): number {
    if (result >= 0) return result
    const failure = this.#failure(call, this.#libc.errno())
    this.stop()
    throw Object.assign(failure, { address, port: this.#options.port })
  }

  #failure(call: string, errno: number): Error & { code: string } {
    const code = this.#libc.nameOf(errno)
    return Object.assign(new Error(`${call} ${code}`), { code, syscall: call })
  }
}

function uint32(value: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Uint32Array.of(value).buffer)
}

function ipv4Name(address: string, port: number): Uint8Array {
  const name = new DataView(new ArrayBuffer(ipv4NameOctets))
  name.setUint16(0, linux.AF_INET, true)
  name.setUint16(2, port)
  const octets = new Uint8Array(name.buffer)
  octets.set(parseOctets(address) ?? [], 4)
  return octets
}

function ipv6Name(address: string, port: number): Uint8Array {
  const name = new DataView(new ArrayBuffer(nameOctets))
  name.setUint16(0, linux.AF_INET6, true)
  name.setUint16(2, port)
  const octets = new Uint8Array(name.buffer)
  octets.set(parseOctets(address) ?? [], 8)
  return octets
}

/** RFC 4291 section 2.5.5.2: an IPv4 address in an IPv6 socket is ::ffff:a.b.c.d. */
function isMapped(name: DataView, at: number): boolean {
  return name.getBigUint64(at + 8) === 0n && name.getUint32(at + 16) === 0xffff
}

function readName(name: DataView, at: number): Sender {
  const port = name.getUint16(at + 2)
  if (name.getUint16(at, true) === linux.AF_INET) return { address: formatOctets(name, at + 4, 4), port }
  return { address: isMapped(name, at) ? formatOctets(name, at + 20, 4) : formatOctets(name, at + 8, 6), port }
}

function ipv6Key(name: DataView, at: number): string {
  return `${name.getBigUint64(at + 8)} ${name.getBigUint64(at + 16)} ${name.getUint16(at + 2)}`
}
