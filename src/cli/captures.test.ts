import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Commands } from '../../test/helpers/commands/commands.ts'
import { writeCapture } from '../../test/helpers/encode/capture.ts'
import { fullFlow } from '../../test/helpers/encode/flow.ts'
import { encodeIp } from '../../test/helpers/encode/packet.ts'
import { recordOf, templateOf } from '../../test/helpers/encode/records.ts'
import { encodeSflow5 } from '../../test/helpers/encode/sflow5.ts'
import { Exporter, type Flow } from '../../test/helpers/exporter.ts'
import { patienceMs } from '../../test/helpers/until.ts'
import { encodeMessage } from '../encode/messages.ts'
import { addressBytes } from '../encode/writer.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'floodgauge-captures-'))
const commands = new Commands(folder)
after(async () => {
  await commands.close()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => commands.run(args)

/** By pipes. */
function runProcess(args: string[], input: Uint8Array): Promise<{ status: number; out: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], (error, out) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out })
    })
    child.stdin?.end(input)
  })
}

const nowMs = 1_800_000_000_000
const flow: Flow = {
  src: '198.51.100.1',
  dst: '203.0.113.1',
  ipProto: 6,
  srcPort: 1234,
  dstPort: 80,
  tcpFlags: 27,
  bytes: 1500,
  packets: 3,
  startMs: nowMs - 5_000,
  endMs: nowMs - 1_000,
}

function capture(name: string, exporter: Exporter, flows: readonly Flow[]): string {
  const path = join(folder, name)
  const payloads = exporter.datagrams(flows, nowMs)
  writeCapture(
    path,
    payloads.map((payload, i) => ({ timeMs: nowMs + i, payload, address: '192.0.2.7' })),
  )
  return path
}

describe('floodgauge decode', () => {
  it('prints each record as one JSON line, with null for what was not sent', async () => {
    const exporter = new Exporter({ protocol: 'netflow9', samplingRate: 100, domain: 9 })
    const { status, out } = await run('decode', capture('v9.pcap.gz', exporter, [flow]))
    assert.equal(status, 0)
    const { startMs, endMs, ...rest } = flow
    const unsent = { sourceAs: null, ingressInterface: null, egressInterface: null, direction: null }
    const line = {
      ...{ protocol: 'netflow9', exporter: '192.0.2.7', domain: 9 },
      ...{ ...rest, startMs, endMs, samplingRate: 100, ...unsent },
    }
    assert.deepEqual(
      out.split('\n').map((text) => text && JSON.parse(text)),
      [line, ''],
    )

    const sflow = await run(
      'decode',
      capture('sflow.pcap', new Exporter({ protocol: 'sflow5' }), [{ ...flow, ipProto: 17, packets: 1 }]),
    )
    const { startMs: none, endMs: neither, tcpFlags, samplingRate } = JSON.parse(sflow.out)
    assert.deepEqual([none, neither, tcpFlags, samplingRate], [null, null, null, null])
  })

  it('prints the way back, the packet inside another, and what came before its template, each when it is asked for', async () => {
    const both = templateOf(256, [8, 4], [2, 4], { id: 2, pen: 29_305, length: 4 })
    const header = { version: 10, nowMs } as const
    const records = [recordOf(both, addressBytes('198.51.100.1'), 3, 7)]
    const shape = { payload: encodeIp(fullFlow({ ...flow, dst: '10.0.0.1' }, nowMs)) }
    const payloads = [
      encodeMessage(header, { records }),
      encodeMessage(header, { templates: [both], records }),
      ...encodeSflow5([{ ...flow, ipProto: 4, packets: 1 }], { nowMs, shape }),
    ]
    const path = join(folder, 'options.pcap')
    writeCapture(
      path,
      payloads.map((payload, i) => ({ timeMs: nowMs + i, payload })),
    )
    const destinations = async (...options: string[]) => {
      const { out } = await run('decode', ...options, path)
      return Array.from(out.matchAll(/"dst":"([^"]+)"/g), ([, dst]) => dst)
    }
    const there = '203.0.113.1'
    assert.deepEqual(await destinations(), [there, there])
    assert.deepEqual(await destinations('--reverse'), [there, '198.51.100.1', there])
    assert.deepEqual(await destinations('--inner'), [there, '10.0.0.1'])
    assert.deepEqual(await destinations('--late'), [there, there, there])
  })

  it('reads standard input, and writes more than a pipe holds', async () => {
    const flows = Array.from({ length: 3_000 }, (_, i) => ({ ...flow, srcPort: i }))
    const path = capture('many.pcap.gz', new Exporter({ protocol: 'ipfix' }), flows)
    const { status, out } = await runProcess(['decode', '-'], readFileSync(path))
    assert.equal(status, 0)
    const ports = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).srcPort)
    assert.deepEqual(
      ports,
      flows.map(({ srcPort }) => srcPort),
    )
  })

  it('ends quietly when its reader has seen enough', async () => {
    const flows = new Array<Flow>(20_000).fill(flow)
    const child = spawn(process.execPath, [
      main,
      'decode',
      capture('long.pcap', new Exporter({ protocol: 'netflow5' }), flows),
    ])
    let talk = ''
    child.stderr.on('data', (text) => {
      talk += text
    })
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const [status] = await once(child, 'close')
    assert.deepEqual([status, talk], [0, ''])
  })

  it('says why a file is no capture, with status 1, and what is missing, with status 2', async () => {
    const path = join(folder, 'text.pcap')
    writeFileSync(path, 'no capture')
    const bad = await run('decode', path)
    assert.deepEqual([bad.status, bad.out], [1, ''])
    assert.match(bad.err, /text\.pcap: neither pcap nor pcapng/)
    assert.equal((await run('decode')).status, 2)
  })
})

describe('floodgauge send', () => {
  it('replays the datagrams, as of now when that is asked for', async () => {
    const path = capture('send.pcap', new Exporter({ protocol: 'netflow5' }), new Array<Flow>(70).fill(flow))
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const received: Buffer[] = []
    socket.on('message', (message) => received.push(message))
    try {
      const { status, err } = await run(
        'send',
        path,
        '--to',
        `127.0.0.1:${socket.address().port}`,
        '--speed',
        'max',
        '--rebase',
      )
      assert.deepEqual([status, /sent 3 datagrams/.test(err)], [0, true])
      while (received.length < 3) await once(socket, 'message', { signal: AbortSignal.timeout(patienceMs) })
    } finally {
      socket.close()
    }
    assert.deepEqual(
      received.map((message) => message.readUInt16BE(2)),
      [30, 30, 10],
    )
    for (const message of received) assert.ok(Math.abs(message.readUInt32BE(8) - Date.now() / 1000) < 60)
  })

  it('refuses what it does not understand, with status 2', async () => {
    const path = capture('refused.pcap', new Exporter({ protocol: 'netflow5' }), [flow])
    for (const args of [
      [],
      ['--to', 'nowhere'],
      ['--to', '127.0.0.1:70000'],
      ['--to', '127.0.0.1:9', '--speed', '0'],
    ]) {
      assert.equal((await run('send', path, ...args)).status, 2, args.join(' '))
    }
  })
})
