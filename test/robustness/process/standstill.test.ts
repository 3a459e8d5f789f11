// The process is stopped for a while, as with its virtual machine, and continued, while exporters go on sending: no event comes of what waited in its sockets,
// an attack stays one, and readiness says that it was blind. Run: by npm run test:long; it takes three minutes, of which the process is stopped for 80 s.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Flow } from '../../helpers/exporter.ts'
import { Exporter } from '../../helpers/exporter.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { dnsAmplification, sampledFlows, synFlood, web } from '../../helpers/labs/sampled-traffic.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { createRandom } from '../../helpers/random.ts'
import { startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const protocols = ['netflow5', 'netflow9', 'ipfix', 'sflow5'] as const
const attacked = '198.51.100.99'
const ordinary = [
  [web, 60],
  [dnsAmplification, 30],
  [synFlood, 20],
] as const

/** A sender for each protocol, with ordinary traffic to a host of its own every second. */
async function startSenders(port: number) {
  const random = createRandom(1)
  const senders = await Promise.all(
    protocols.map(async (protocol, i) => {
      const socket = createSocket('udp4')
      socket.bind(0, '127.0.0.1')
      await once(socket, 'listening')
      return { exporter: new Exporter({ protocol }), socket, dst: `198.51.100.${i + 1}` }
    }),
  )
  let isAttack = false
  const timer = setInterval(() => {
    const nowMs = Date.now()
    for (const { exporter, socket, dst } of senders) {
      const flows: Flow[] = ordinary.flatMap(([kind, packetsPerSecond]) =>
        sampledFlows(kind, { packetsPerSecond, samplingRate: 1 }, { dst, nowMs }, random),
      )
      const isOn = isAttack && dst.endsWith('.2')
      const rate = { packetsPerSecond: 400, samplingRate: 1 }
      if (isOn) flows.push(...sampledFlows(synFlood, rate, { dst: attacked, nowMs }, random))
      for (const datagram of exporter.datagrams(flows, nowMs)) socket.send(datagram, port, '127.0.0.1')
    }
  }, 1_000)
  return {
    attack: (isOn: boolean) => {
      isAttack = isOn
    },
    stop: () => {
      clearInterval(timer)
      for (const { socket } of senders) socket.close()
    },
  }
}

describe('a process that is stopped and continued', { concurrency: true }, () => {
  for (const seconds of [5, 75]) {
    it(`for ${seconds} s sees the attack that goes on, and no other`, { timeout: 480_000 }, async () => {
      const service = await startService()
      const { client } = await makeFirstUser(service)
      await client.addSites([...protocols.map((_, i) => `198.51.100.${i + 1}`), attacked])
      const senders = await startSenders(service.flowPort)
      const events = async () => (await client.call('findEvents', { query: {} })).events
      const pid = service.process.pid ?? 0
      try {
        await delay(15_000)
        const beganMs = Date.now()
        senders.attack(true)
        await until('the attack is seen', async () => (await events()).length === 1)
        await delay(5_000)
        process.kill(pid, 'SIGSTOP')
        await delay(seconds * 1_000)
        process.kill(pid, 'SIGCONT')
        await delay(20_000)
        senders.attack(false)
        const endedMs = Date.now()
        await until('the attack is over', async () => (await events())[0]?.end !== null, 90_000)
        await delay(5_000)
        const all = await events()
        assert.deepEqual(
          all.map(({ address }) => address),
          [attacked],
        )
        assert.ok(Math.abs(Date.parse(all[0].start) - beganMs) < 4_000, `it began at ${all[0].start}`)
        assert.ok(Math.abs(Date.parse(all[0].end ?? '') - endedMs) < 4_000, `it ended at ${all[0].end}`)
        const metrics = await metricsOf(service.url)
        assert.ok(metricSum(metrics, 'floodgauge_ingest_away_seconds_total') >= seconds - 1)
        assert.ok(metricSum(metrics, 'floodgauge_ingest_late_datagrams_total') > 0)
        const { checks } = JSON.parse(await (await fetch(`${service.url}/readyz`)).text())
        if (seconds > 5) assert.match(checks.detection.detail, /^stood still from /)
      } finally {
        process.kill(pid, 'SIGCONT')
        senders.stop()
        await service.stop()
      }
    })
  }
})
