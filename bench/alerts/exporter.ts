// How soon a webhook is told about a real attack by a real exporter: hping3 floods a victim over a wire of network namespaces, softflowd watches it. Times from the
// attack's first packet, and from the first datagram of softflowd that has the victim, to the first octet of the webhook. As root, with the packages of .ci/run.
// Run: node bench/alerts/exporter.ts [attacks]
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { makeFirstUser } from '../../test/helpers/first-user.ts'
import { startService } from '../../test/helpers/service.ts'
import { sendAll } from '../../test/live/wire/attacks.ts'
import { Lab, type Running } from '../../test/live/wire/lab.ts'
import { spread, startReceiver } from './receiver.ts'

const attacks = Number(process.argv[2] ?? 9)
const floodSeconds = 14
const arrivesMs = 30_000
/** Networks for documentation (RFC 5737), in turn: an attack on one is not an attack on another. */
const networks = ['192.0.2', '198.51.100', '203.0.113']
const victims = Array.from({ length: attacks }, (_, n) => `${networks[n % networks.length]}.${10 + n}`)

const exporters: [name: string, timeouts: string[]][] = [
  ['as the README has it', ['maxlife=10', 'expint=5']],
  [
    'as often as it can',
    ['maxlife=1', 'expint=1', ...['general', 'tcp', 'tcp.rst', 'tcp.fin', 'udp', 'icmp'].map((kind) => `${kind}=1`)],
  ],
]

/** Hands datagrams on, and notes the first in which an address occurs. */
async function startRelay(address: string, to: number) {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 8 << 20 })
  const out = createSocket({ type: 'udp4', sendBufferSize: 8 << 20 })
  let wanted = Buffer.alloc(4)
  let seenMs: number | null = null
  socket.on('message', (datagram) => {
    out.send(datagram, to, '127.0.0.1')
    if (seenMs === null && datagram.includes(wanted)) seenMs = performance.now()
  })
  socket.bind(0, address)
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    expect: (victim: string) => {
      wanted = Buffer.from(victim.split('.').map(Number))
      seenMs = null
    },
    seenMs: () => seenMs,
    close: () => {
      socket.close()
      out.close()
    },
  }
}

function softflowd(lab: Lab, port: number, timeouts: readonly string[]): Running {
  const files = ['-p', `${lab.folder}/softflowd.pid`, '-c', `${lab.folder}/softflowd.ctl`]
  const limits = timeouts.flatMap((timeout) => ['-t', timeout])
  return lab.start(
    'softflowd',
    ['-d', '-N', '-i', lab.wire, '-v', '9', '-n', `${lab.address}:${port}`, ...files, ...limits],
    { namespace: lab.victim },
  )
}

async function measure(index: number, name: string, timeouts: readonly string[]): Promise<void> {
  const receiver = await startReceiver(true)
  const service = await startService(undefined, {
    env: { FLOODGAUGE_LOG_LEVEL: 'error', FLOODGAUGE_DETECT_QUIET_SECONDS: '5', FLOODGAUGE_DETECT_REOPEN_SECONDS: '0' },
  })
  const lab = new Lab(index, victims)
  const relay = await startRelay(lab.address, service.flowPort)
  try {
    const { client, email, token } = await makeFirstUser(service)
    await client.addSites(victims)
    const answer = await fetch(`${service.url}/api/v1/alerts/channels`, {
      method: 'POST',
      headers: { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Test', kind: 'webhook', settings: { url: receiver.url } }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    const exporter = softflowd(lab, relay.port, timeouts)
    await delay(2_000)
    const [fromPacket, fromDatagram]: number[][] = [[], []]
    for (const victim of victims) {
      relay.expect(victim)
      const beganMs = performance.now()
      // Four senders of about a thousand packets a second from addresses of their own, and one from random ones.
      const from = [1, 2, 3, 4].map((host) => ['-a', `10.66.0.${host}`])
      const senders = [...from, ['--rand-source']].map((source) => [
        ...['-S', '-p', '80', ...source, '-i', 'u1000', '-c', String(floodSeconds * 1_000), victim],
      ])
      const flood = sendAll(lab, senders, floodSeconds)
      const arrival = () =>
        receiver.arrivals.find(({ text }) => text.includes('event.started') && text.includes(`"${victim}"`))
      while (arrival() === undefined && performance.now() - beganMs < arrivesMs) await delay(10)
      const atMs = arrival()?.atMs
      const seenMs = relay.seenMs()
      if (atMs !== undefined && seenMs !== null) {
        fromPacket.push(atMs - beganMs)
        fromDatagram.push(atMs - seenMs)
      }
      await flood
    }
    console.log(`softflowd ${name} (-t ${timeouts.join(' -t ')}): ${fromPacket.length} of ${attacks} attacks arrived`)
    console.log(`  from its first datagram about the victim to the first octet: ${spread(fromDatagram)}`)
    console.log(`  from the first packet of the attack: ${spread(fromPacket)}`)
    await lab.stop(exporter)
  } finally {
    relay.close()
    await lab.close()
    await service.stop()
    receiver.stop()
  }
}

for (const [index, [name, timeouts]] of exporters.entries()) await measure(index, name, timeouts)
