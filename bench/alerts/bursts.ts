// How soon a webhook is told: from the first datagram that shows an attack to the first octet at the webhook, by a service with real sockets. An exporter like
// softflowd tells flows when they end, in a burst every few seconds; a real one is in exporter.ts. Run: node bench/alerts/bursts.ts [attacks]
import { setTimeout as delay } from 'node:timers/promises'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import type { Flow } from '../../test/helpers/encode/flow.ts'
import { makeFirstUser } from '../../test/helpers/first-user.ts'
import { type FlowSender, flowSender, synFlood } from '../../test/helpers/flows.ts'
import { startService } from '../../test/helpers/service.ts'
import { addWebhook } from './channels.ts'
import { type Arrival, spread, startReceiver } from './receiver.ts'

const attacks = Number(process.argv[2] ?? 40)
/** The first half of RFC 2544's network: nothing else is there. */
const network = '198.18.0.0/16'
const victimAt = (index: number) => formatIpv4(0xc612_0000 + index * 256 + 1)

/** How far back the records of a burst reach, and when the next comes. */
const expireMs = 5_000
const recordsPerBurst = 1_500
const arrivesMs = 20_000

/** What an exporter says about a flood that has gone on for as long as its flows take to expire. */
function burstOf(victim: string): Flow[] {
  const nowMs = Date.now()
  return synFlood(victim, recordsPerBurst, 60).map((flow, index) => {
    const startMs = nowMs - expireMs + ((index * 7) % expireMs)
    return { ...flow, startMs, endMs: startMs }
  })
}

/** Milliseconds to the webhook, one attack after the other while the ones before go on; null: nothing came. */
async function latencies(sender: FlowSender, arrivals: readonly Arrival[]): Promise<(number | null)[]> {
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

const receiver = await startReceiver(true)
const service = await startService(undefined, { env: { FLOODGAUGE_LOG_LEVEL: 'error' } })
const sender = await flowSender(service.flowAddresses[0])
try {
  const user = await makeFirstUser(service)
  await user.client.addSites(Array.from({ length: 256 }, (_, n) => `${formatIpv4(0xc612_0000 + n * 256)}/24`))
  await addWebhook(service.url, user, { name: 'quick', url: receiver.url })
  await delay(2_000)
  const told = (await latencies(sender, receiver.arrivals)).filter((ms) => ms !== null)
  console.log(`${told.length} of ${attacks} attacks on ${network} arrived at the webhook`)
  console.log(`from the first datagram to the first octet: ${spread(told)}`)
} finally {
  await sender.close()
  receiver.stop()
  await service.stop()
}
