import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { encodeCapture } from '../../../test/helpers/encode/capture.ts'
import { Writer } from '../../encode/writer.ts'
import { AppError } from '../../errors.ts'
import { type CapturedDatagram, readCapture } from './reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-capture-'))
after(() => rmSync(folder, { recursive: true }))

async function read(bytes: Uint8Array): Promise<{ datagrams: CapturedDatagram[]; skipped: number }> {
  const path = join(folder, 'in.pcap')
  writeFileSync(path, bytes)
  const capture = readCapture(path)
  const datagrams = await Array.fromAsync(capture)
  return { datagrams, skipped: capture.skipped }
}

const textOf = ({ payload }: CapturedDatagram) => new TextDecoder().decode(payload)
const text = (value: string) => new TextEncoder().encode(value)
const timeMs = 1_800_000_000_123.456

/** A frame of Ethernet, taken out of a capture of ours: file header 24, record header 16. */
function frameOf(value: string, address = '192.0.2.1'): Uint8Array {
  return encodeCapture([{ timeMs, payload: text(value), address, port: 1234 }]).subarray(40)
}

interface Shape {
  little?: boolean
  nanoseconds?: boolean
  linkType?: number
}

/** A classic capture of one frame. */
function pcap(frame: Uint8Array, { little = false, nanoseconds = false, linkType = 1 }: Shape = {}): Uint8Array {
  const u32 = (value: number) => (little ? new Writer().u32(value).done().reverse() : new Writer().u32(value).done())
  const writer = new Writer()
    .bytes(u32(nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4))
    .bytes(u32(0x20004))
    .u32(0)
    .u32(0)
  writer.bytes(u32(65_535)).bytes(u32(linkType))
  const fraction = nanoseconds ? 123_456_000 : 123_456
  writer.bytes(u32(1_800_000_000)).bytes(u32(fraction)).bytes(u32(frame.length)).bytes(u32(frame.length))
  return writer.bytes(frame).done()
}

describe('a capture', () => {
  for (const little of [false, true]) {
    for (const nanoseconds of [false, true]) {
      it(`${little ? 'little' : 'big'}-endian, ${nanoseconds ? 'nanoseconds' : 'microseconds'}`, async () => {
        const { datagrams } = await read(pcap(frameOf('hello'), { little, nanoseconds }))
        const [{ address, port, toPort, timeMs: seenMs }] = datagrams
        assert.deepEqual([textOf(datagrams[0]), address, port, toPort], ['hello', '192.0.2.1', 1234, 2055])
        assert.ok(Math.abs(seenMs - timeMs) < 0.001)
      })
    }
  }

  it('that is gzipped, in several members too', async () => {
    const bytes = pcap(frameOf('hello'))
    assert.equal((await read(gzipSync(bytes))).datagrams.length, 1)
    const parts = new Writer()
      .bytes(gzipSync(bytes.subarray(0, 30)))
      .bytes(gzipSync(bytes.subarray(30)))
      .done()
    assert.equal((await read(parts)).datagrams.length, 1)
  })

  it('of many datagrams, over the boundaries of chunks', async () => {
    const payloads = Array.from({ length: 3_000 }, (_, i) => text(`${i} ${'x'.repeat((i * 37) % 1_400)}`))
    const { datagrams } = await read(encodeCapture(payloads.map((payload, i) => ({ timeMs: i * 1000, payload }))))
    assert.equal(datagrams.length, 3_000)
    datagrams.forEach((datagram, i) => {
      assert.deepEqual([textOf(datagram), datagram.timeMs], [new TextDecoder().decode(payloads[i]), i * 1000])
    })
  })

  it('over IPv6', async () => {
    const { datagrams } = await read(pcap(frameOf('six', '2001:db8::7')))
    assert.deepEqual([datagrams[0].address, textOf(datagrams[0])], ['2001:db8::7', 'six'])
  })
})

describe('link types', () => {
  const ip = frameOf('hello').subarray(14)
  const with2 = (...parts: ArrayLike<number>[]) =>
    parts.reduce<Writer>((writer, part) => writer.bytes(part), new Writer()).done()
  const frames: Record<string, [linkType: number, frame: Uint8Array]> = {
    'raw IP': [101, ip],
    'raw IPv4': [228, ip],
    'null, whatever its byte order': [0, with2([2, 0, 0, 0], ip)],
    loop: [108, with2([0, 0, 0, 2], ip)],
    'Linux cooked': [113, with2(new Uint8Array(14), [0x08, 0x00], ip)],
    'Linux cooked v2': [276, with2([0x08, 0x00], new Uint8Array(18), ip)],
    VLAN: [1, with2(new Uint8Array(12), [0x81, 0, 0, 5, 0x08, 0], ip)],
    QinQ: [1, with2(new Uint8Array(12), [0x88, 0xa8, 0, 5, 0x81, 0, 0, 5, 0x08, 0], ip)],
  }
  for (const [name, [linkType, frame]] of Object.entries(frames)) {
    it(name, async () => {
      assert.deepEqual((await read(pcap(frame, { linkType }))).datagrams.map(textOf), ['hello'])
    })
  }

  it('that are not known are skipped', async () => {
    const { datagrams, skipped } = await read(pcap(ip, { linkType: 147 }))
    assert.deepEqual([datagrams.length, skipped], [0, 1])
  })
})

describe('frames that are skipped, and counted', () => {
  const changed = (at: number, ...octets: number[]) => {
    const frame = frameOf('hello').slice()
    frame.set(octets, at)
    return pcap(frame)
  }
  const cases = {
    'no IP': changed(12, 0x08, 0x06),
    TCP: changed(14 + 9, 6),
    'a first fragment': changed(14 + 6, 0x20, 0x00),
    'a later fragment': changed(14 + 6, 0x00, 0x10),
    'an impossible header length': changed(14, 0x41),
    'an impossible UDP length': changed(14 + 20 + 4, 0, 7),
    'cut within the UDP header': pcap(frameOf('hello').subarray(0, 40)),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    it(name, async () => {
      assert.deepEqual(await read(bytes), { datagrams: [], skipped: 1 })
    })
  }

  it('but not a payload that was cut by the snapshot length', async () => {
    assert.deepEqual((await read(pcap(frameOf('hello').subarray(0, 45)))).datagrams.map(textOf), ['hel'])
  })
})

describe('pcapng', () => {
  /** A block in either byte order, padded. */
  const block = (little: boolean, type: number, ...body: (number | [number, 2] | Uint8Array)[]) => {
    const order = (bytes: Uint8Array) => (little ? bytes.slice().reverse() : bytes)
    const inner = new Writer()
    for (const part of body) {
      if (part instanceof Uint8Array) inner.bytes(part).pad(4)
      else if (typeof part === 'number') inner.bytes(order(new Writer().u32(part).done()))
      else inner.bytes(order(new Writer().u16(part[0]).done()))
    }
    const length = order(new Writer().u32(inner.length + 12).done())
    return new Writer()
      .bytes(order(new Writer().u32(type).done()))
      .bytes(length)
      .bytes(inner.done())
      .bytes(length)
      .done()
  }
  const section = (little: boolean) => block(little, 0x0a0d0d0a, 0x1a2b3c4d, [1, 2], [0, 2], 0xffffffff, 0xffffffff)
  const units = BigInt(Math.round(timeMs * 1000))
  const packet = (little: boolean, frame: Uint8Array, at = units) =>
    block(little, 6, 0, Number(at >> 32n), Number(at & 0xffffffffn), frame.length, frame.length, frame)
  const join = (...blocks: Uint8Array[]) => blocks.reduce((writer, each) => writer.bytes(each), new Writer()).done()

  for (const little of [false, true]) {
    it(`${little ? 'little' : 'big'}-endian, with blocks of other kinds`, async () => {
      const description = block(little, 1, [1, 2], [0, 2], 65_535)
      const file = join(section(little), block(little, 0x0bad, 1, 2), description, packet(little, frameOf('hello')))
      const { datagrams } = await read(file)
      assert.deepEqual(datagrams.map(textOf), ['hello'])
      assert.ok(Math.abs(datagrams[0].timeMs - timeMs) < 0.001)
    })
  }

  it('in nanoseconds, when the interface says so', async () => {
    const description = block(true, 1, [1, 2], [0, 2], 65_535, [9, 2], [1, 2], Uint8Array.of(9), [0, 2], [0, 2])
    const { datagrams } = await read(join(section(true), description, packet(true, frameOf('hello'), units * 1000n)))
    assert.ok(Math.abs(datagrams[0].timeMs - timeMs) < 0.001)
  })

  it('whose packet has no interface is bad', async () => {
    await assert.rejects(read(join(section(true), packet(true, frameOf('hello')))), badCapture(/interface/))
  })
})

function badCapture(reason: RegExp) {
  return (error: unknown) => error instanceof AppError && error.code === 'BAD_CAPTURE' && reason.test(error.message)
}

describe('a bad capture', () => {
  const whole = encodeCapture([
    { timeMs, payload: text('one') },
    { timeMs, payload: text('two') },
  ])

  it('is refused with a reason', async () => {
    await assert.rejects(Array.fromAsync(readCapture(join(folder, 'none'))), badCapture(/none: ENOENT/))
    await assert.rejects(read(new Uint8Array(0)), badCapture(/too short/))
    await assert.rejects(read(text('a text file')), badCapture(/neither pcap nor pcapng/))
    await assert.rejects(read(gzipSync(whole).subarray(0, 60)), badCapture(/unexpected end/))
    const huge = whole.slice()
    huge.set([0xff, 0xff, 0xff, 0xff], 24 + 8)
    await assert.rejects(read(huge), badCapture(/4294967295 octets/))
  })

  it('that is cut gives the datagrams before', async () => {
    const path = join(folder, 'cut.pcap')
    writeFileSync(path, whole.subarray(0, whole.length - 1))
    const seen: string[] = []
    await assert.rejects(
      async () => {
        for await (const datagram of readCapture(path)) seen.push(textOf(datagram))
      },
      badCapture(/ends within a frame/),
    )
    assert.deepEqual(seen, ['one'])
  })

  it('may be left before its end', async () => {
    const path = join(folder, 'left.pcap.gz')
    writeFileSync(path, gzipSync(whole))
    for await (const datagram of readCapture(path)) {
      assert.equal(textOf(datagram), 'one')
      break
    }
  })
})
