// Load on a running service: callers who change sites over HTTP, a caller who polls for events, and a router that reports attacks. Each
// takes note of what the service has acknowledged, until the service is gone.
import { setTimeout as delay } from 'node:timers/promises'
import { type AddOutcome, type BatchOutcome, type Client, ProblemError } from '../../client/index.ts'
import { DemoRouter } from '../../scripts/demo/router.ts'
import { ICMP, UDP } from '../../src/net/protocols.ts'

/** What a service that came back must say: made from its answers alone. */
export class Acknowledged {
  /** By host: enabled or not. A host whose change got no answer may be in either state: it is in `unsure`. */
  readonly sites = new Map<string, boolean>()
  readonly unsure = new Set<string>()
  /** Events that a list has shown. */
  readonly events = new Set<string>()
  changes = 0
}

const hostsOf = (worker: number) => Array.from({ length: 12 }, (_, i) => `w${worker}-${i}.example.com`)
const verbs = ['add', 'add', 'enable', 'disable', 'delete'] as const

/** Changes its own hosts until the service is gone. */
export async function changeSites(client: Client, worker: number, noted: Acknowledged): Promise<void> {
  const calls = {
    add: client.addSites,
    enable: client.enableSites,
    disable: client.disableSites,
    delete: client.deleteSites,
  }
  for (;;) {
    const verb = verbs[Math.floor(Math.random() * verbs.length)]
    const hosts = hostsOf(worker).filter(() => Math.random() < 0.2)
    if (hosts.length === 0) continue
    for (const host of hosts) noted.unsure.add(host)
    const outcome = await whileThere<AddOutcome | BatchOutcome>(calls[verb](hosts))
    if (outcome === null) return
    for (const host of hosts) note(noted, { verb, host, isSuccess: outcome.success.includes(host) })
    noted.changes++
  }
}

/** Null when the service did not answer. A service at work may not answer with a failure. */
async function whileThere<Answer>(call: Promise<Answer>): Promise<Answer | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ProblemError) throw error
    return null
  }
}

interface Answer {
  verb: (typeof verbs)[number]
  host: string
  isSuccess: boolean
}

function note({ sites, unsure }: Acknowledged, { verb, host, isSuccess }: Answer): void {
  unsure.delete(host)
  if (verb === 'delete' || !isSuccess) sites.delete(host)
  else if (verb === 'add') sites.set(host, sites.get(host) ?? true)
  else sites.set(host, verb === 'enable')
}

/** Polls the list of events until the service is gone. */
export async function pollEvents(client: Client, noted: Acknowledged): Promise<void> {
  for (;;) {
    const events = await whileThere(client.listEvents())
    if (events === null) return
    for (const { _id } of events) noted.events.add(_id)
    await delay(50)
  }
}

/** The network whose addresses are attacked, one after the other. */
export const attacked = '198.51.100.0/24'
export const firstVictim = 0xc633_6400
const samplingRate = 1_000

/** Reports a new attack every 100 ms, or as often as is said, until it is stopped. `first`: the number of the first victim. */
export async function attack(port: number, stop: AbortSignal, first: number, everyMs = 100): Promise<void> {
  const router = new DemoRouter({ address: '127.0.0.1', port, samplingRate })
  for (let number = first; !stop.aborted; number++) {
    const victim = firstVictim + (number % 256)
    const isNtp = number % 2 === 0
    const flows = Array.from({ length: 60 }, () => ({
      src: Math.floor(Math.random() * 0xdfff_ffff),
      dst: victim,
      srcPort: isNtp ? 123 : 0,
      dstPort: isNtp ? 5_000 : 2_048,
      ipProto: isNtp ? UDP : ICMP,
      tcpFlags: 0,
      packets: 10,
      bytes: 4_680,
    }))
    await router.send(flows)
    await delay(everyMs)
  }
  await router.close()
}
