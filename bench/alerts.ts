// What alerts take, by a service with real sockets: how long from the first datagram that shows an attack to the first octet at a webhook, and what the
// threads of detection cost when no receiver ever answers. An exporter like softflowd tells flows when they end, in a burst every few seconds.
// One user's channels have four messages under way at a time, whatever hangs; the others wait. Run: node bench/alerts.ts [attacks [channels]]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { formatIpv4 } from '../src/net/ipv4.ts'
import type { Flow } from '../test/helpers/encode/flow.ts'
import { type FirstUser, makeFirstUser } from '../test/helpers/first-user.ts'
import { type FlowSender, flowSender, synFlood } from '../test/helpers/flows.ts'
import { startService } from '../test/helpers/service.ts'
import { percentile } from './load/http.ts'
import { threadCpu } from './load/thread-cpu.ts'

const [attacks = 40, channels = 64] = process.argv.slice(2).map(Number)
/** The first half of RFC 2544's network: nothing else is there. */
const network = '198.18.0.0/16'
const victimAt = (index: number) => formatIpv4(0xc612_0000 + index * 256 + 1)

/** How far back the records of a burst reach, and when the next comes. */
const expireMs = 5_000
const recordsPerBurst = 1_500
const arrivesMs = 20_000
/** Phases of the second measurement: without channels that hang, with them, and so on. */
const phases = 6
const phaseMs = 8_000
const attacksPerPhase = 12
/** Ordinary traffic meanwhile, of a process of its own. */
const flowsPerSecond = 500_000

const flowSenderFile = fileURLToPath(new URL('load/flow-sender.ts', import.meta.url))

/** A receiver that notes when the first octet of each connection comes; `answers`: else it hangs. */
async function startReceiver(answers: boolean) {
  const arrivals: { atMs: number; text: string }[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const arrival = { atMs: 0, text: '' }
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (part) => {
      if (arrival.atMs === 0) {
        arrival.atMs = performance.now()
        arrivals.push(arrival)
      }
      arrival.text += part.toString()
      if (answers && arrival.text.endsWith('}')) socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/hook`, arrivals, stop }
}

/** What an exporter says about a flood that has gone on for as long as its flows take to expire. */
function burstOf(victim: string): Flow[] {
  const nowMs = Date.now()
  return synFlood(victim, recordsPerBurst, 60).map((flow, index) => {
    const startMs = nowMs - expireMs + ((index * 7) % expireMs)
    return { ...flow, startMs, endMs: startMs }
  })
}

async function call(url: string, { email, token }: FirstUser, method: string, path: string, body?: object) {
  const answer = await fetch(`${url}/api/v1/alerts/${path}`, {
    method,
    headers: { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

/** Milliseconds to the webhook, one attack after the other while the ones before go on; null: nothing came. */
async function latencies(sender: FlowSender, arrivals: { atMs: number; text: string }[]): Promise<(number | null)[]> {
  const found: Promise<number | null>[] = []
  const attack = async (victim: string): Promise<number | null> => {
    const startedMs = performance.now()
    let nextMs = startedMs
    for (;;) {
      const arrival = arrivals.find(({ text }) => text.includes('event.started') && text.includes(`"${victim}"`))
      if (arrival !== undefined) return arrival.atMs - startedMs
      const nowMs = performance.now()
      if (nowMs - startedMs > arrivesMs) return null
      if (nowMs >= nextMs) {
        nextMs += expireMs
        await sender.send(burstOf(victim))
      }
      await delay(20)
    }
  }
  for (let index = 0; index < attacks; index++) {
    found.push(attack(victimAt(index)))
    // At no fixed place within a second.
    await delay(400 + 137 * (index % 5))
  }
  return Promise.all(found)
}

function said(ms: number | undefined): string {
  return ms === undefined ? 'none' : `${(ms / 1_000).toFixed(2)} s`
}

/** Seconds of CPU of the threads that receive and judge, while a dozen attacks begin. */
async function costOf(sender: FlowSender, pid: number, phase: number): Promise<number> {
  const cost = () => [...threadCpu(pid)].reduce((sum, [name, seconds]) => sum + (isOfDetection(name) ? seconds : 0), 0)
  const before = cost()
  const endMs = performance.now() + phaseMs
  while (performance.now() < endMs) {
    for (let index = 0; index < attacksPerPhase; index++) {
      const victim = victimAt(100 + phase * attacksPerPhase + index)
      await sender.send(synFlood(victim, 150, 100))
    }
    await delay(100)
  }
  return cost() - before
}

const isOfDetection = (name: string) => /detect|collect/i.test(name)

const quick = await startReceiver(true)
const hanging = await startReceiver(false)
const service = await startService(undefined, { env: { FLOODGAUGE_LOG_LEVEL: 'error' } })
const sender = await flowSender(service.flowAddresses[0])
try {
  const user = await makeFirstUser(service)
  const makeChannel = async (name: string, url: string): Promise<string> => {
    const body = { name, kind: 'webhook', settings: { url } }
    return Object(await call(service.url, user, 'POST', 'channels', body)).channel.id
  }
  const hosts = Array.from({ length: 256 }, (_, index) => `${formatIpv4(0xc612_0000 + index * 256)}/24`)
  await user.client.addSites(hosts)
  await makeChannel('quick', quick.url)
  await delay(2_000)
  const all = await latencies(sender, quick.arrivals)
  const told = all.filter((ms) => ms !== null).sort((a, b) => a - b)
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => (told.length === 0 ? undefined : percentile(told, share)))
  console.log(`${told.length} of ${attacks} attacks on ${network} arrived at the webhook`)
  console.log(`from the first datagram to the first octet: p50 ${said(p50)}, p95 ${said(p95)}, longest ${said(most)}`)

  const ids: string[] = []
  for (let index = 0; index < channels; index++) {
    ids.push(await makeChannel(`hanging ${index}`, hanging.url))
  }
  const turn = (isDisabled: boolean) =>
    Promise.all(ids.map((id) => call(service.url, user, 'PATCH', `channels/${id}`, { isDisabled })))
  const seconds = Math.ceil((phases * (phaseMs + 3_000)) / 1_000)
  const traffic = fork(flowSenderFile, [String(service.flowPort), String(flowsPerSecond), String(seconds)])
  process.once('exit', () => traffic.kill())
  const costs: { calm: number[]; hanging: number[] } = { calm: [], hanging: [] }
  for (let phase = 0; phase < phases; phase++) {
    const isCalm = phase % 2 === 0
    await turn(isCalm)
    await delay(1_000)
    costs[isCalm ? 'calm' : 'hanging'].push(await costOf(sender, service.process.pid ?? 0, phase))
  }
  traffic.kill()
  const [calm, hung] = [costs.calm, costs.hanging].map((each) => each.toSorted((a, b) => a - b)[each.length >> 1])
  console.log(
    `threads that receive and judge: ${[...threadCpu(service.process.pid ?? 0).keys()].filter(isOfDetection).join(', ')}`,
  )
  console.log(`  CPU without channels that hang ${costs.calm.map((s) => s.toFixed(2)).join(', ')} s`)
  console.log(`  with ${channels} of them ${costs.hanging.map((s) => s.toFixed(2)).join(', ')} s`)
  console.log(
    `  the middle one is ${((hung / calm - 1) * 100).toFixed(1)} % more; ${hanging.arrivals.length} messages hung`,
  )
} finally {
  await sender.close()
  quick.stop()
  hanging.stop()
  await service.stop()
}
