// Floodgauge and FastNetMon side by side: both are told the same by the same exporters at the same moment, and it is measured what each says of it
// and when. Prints the table of docs/compared.md. On Linux as root, with Debian's fastnetmon. Run: node bench/fastnetmon.ts [--help]
import { spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Client } from '../client/index.ts'
import { formatIpv4 } from '../src/net/ipv4.ts'
import { makeFirstUser } from '../test/helpers/first-user.ts'
import { metricSum, metricsOf } from '../test/helpers/metrics.ts'
import { type RunningService, startService } from '../test/helpers/service.ts'
import { type FastNetMon, startFastNetMon } from './fastnetmon/program.ts'
import { type Scenario, scenarios, stepMs, type Victim } from './fastnetmon/scenarios.ts'
import { findProgram } from './peers/collectors.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '10' },
    'seconds-max': { type: 'string', default: '15' },
  },
})

const usage = `node bench/fastnetmon.ts [options]
  --only TEXT,TEXT   scenarios whose name contains one of these
  --seconds S        how long each attack lasts (10)...
  --seconds-max S    ...and while one of the two has said nothing (15)`

const quietSeconds = 2
/** After the attack, until both have said what they have to say. */
const settleMs = 3_000
/** All scenarios together end in time, whatever happens. */
const runMsMax = 600_000
/** A sender that was so late made a peak of its own. */
const lateMsMax = 250

/** Set in the network namespace that it makes for itself. */
const inside = 'FLOODGAUGE_BENCH_INSIDE'

interface Said {
  /** From the first datagram of the attack. */
  delayMs: number
  label: string
  /** Packets a second. */
  rate: number
}

interface Outcome {
  scenario: Scenario
  ours: Said | null
  theirs: Said | null
  isDisturbed: boolean
}

interface Both {
  service: RunningService
  client: Client
  fastNetMon: FastNetMon
}

/** A network for each scenario, so that none has an effect on another. */
function victimOf(place: number): Victim {
  const network = 0xc612_0000 + place * 256
  return { network, address: formatIpv4(network + 77) }
}

const isWithin = (prefix: string) => (address: string) => address.startsWith(prefix)
const prefixOf = ({ network }: Victim) => formatIpv4(network).replace(/0$/, '')

/** What an exporter of its own sends; both get the same octets. */
class Router {
  readonly #socket: Socket = createSocket('udp4')

  async open(place: number): Promise<void> {
    this.#socket.bind(0, `127.1.0.${place + 1}`)
    await once(this.#socket, 'listening')
  }

  send(payloads: readonly Uint8Array[], ports: readonly number[]): void {
    for (const payload of payloads) for (const port of ports) this.#socket.send(payload, port, '127.0.0.1')
  }

  close(): void {
    this.#socket.close()
  }
}

async function play(scenario: Scenario, place: number, both: Both): Promise<Outcome> {
  const victim = victimOf(place)
  const isMeant = isWithin(prefixOf(victim))
  const { service, fastNetMon } = both
  const theirPort = scenario.protocol === 'sflow5' ? fastNetMon.sflowPort : fastNetMon.netflowPort
  const router = new Router()
  await router.open(place)
  const startedMs = Date.now()
  let attackMs = 0
  let ours: Said | null = null
  let theirs: Said | null = null
  let isDisturbed = false
  const look = async () => {
    const ban = fastNetMon.banOf(isMeant)
    if (theirs === null && ban !== null) theirs = { delayMs: ban.atMs - attackMs, label: ban.label, rate: ban.rate }
    const found = (await both.client.listEvents({ last: 1 })).find(({ ip }) => isMeant(ip))
    if (found === undefined) return
    const delayMs = ours?.delayMs ?? Date.now() - attackMs
    ours = { delayMs, label: found.attack_type ?? 'none', rate: found.curavg_pps / 60 }
  }
  const quietSteps = (quietSeconds * 1_000) / stepMs
  const stepsWith = (text: string) => quietSteps + (Number(text) * 1_000) / stepMs
  const isOver = (step: number) =>
    step >= stepsWith(values['seconds-max']) || (step >= stepsWith(values.seconds) && ours !== null && theirs !== null)
  for (let step = 0; !isOver(step); step++) {
    const dueMs = startedMs + step * stepMs
    if (dueMs > Date.now()) await delay(dueMs - Date.now())
    if (Date.now() - dueMs > lateMsMax) isDisturbed = true
    if (step === quietSteps) attackMs = Date.now()
    router.send(scenario.datagrams(step - quietSteps, victim, Date.now()), [service.flowPort, theirPort])
    if (step > quietSteps) await look()
  }
  await delay(settleMs)
  await look()
  router.close()
  return { scenario, ours, theirs, isDisturbed }
}

function cellsOf(said: Said | null, { packetsPerSecond }: Scenario): string[] {
  if (said === null) return ['no', '', '', '']
  const seconds = (said.delayMs / 1_000).toFixed(1)
  return ['yes', `${seconds} s`, said.label, `${((said.rate / packetsPerSecond) * 100).toFixed(0)} %`]
}

function table(outcomes: readonly Outcome[]): string {
  const columns = ['found', 'after', 'label', 'stated rate of the true one']
  const head = [
    'scenario',
    'an attack',
    ...columns.map((name) => `Floodgauge: ${name}`),
    ...columns.map((name) => `FastNetMon: ${name}`),
  ]
  const rows = outcomes.map(({ scenario, ours, theirs, isDisturbed }) => [
    isDisturbed ? `${scenario.name} (the sender was late)` : scenario.name,
    scenario.isAttack ? 'yes' : 'no',
    ...cellsOf(ours, scenario),
    ...cellsOf(theirs, scenario),
  ])
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

async function run(): Promise<void> {
  const endMs = Date.now() + runMsMax
  const texts = values.only.toLowerCase().split(',')
  const chosen = scenarios.filter(({ name }) => texts.some((text) => name.toLowerCase().includes(text)))
  const networks = chosen.map((_, place) => `${formatIpv4(victimOf(place).network)}/24`)
  const fastNetMon = await startFastNetMon(networks)
  const service = await startService(undefined, { env: { FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' } })
  const outcomes: Outcome[] = []
  try {
    const { client } = await makeFirstUser(service)
    await client.addSites(networks)
    const watched = async () => metricSum(await metricsOf(service.url), 'floodgauge_watched_addresses')
    while ((await watched()) < networks.length * 256) await delay(100)
    for (const [place, scenario] of chosen.entries()) {
      if (Date.now() > endMs) break
      const outcome = await play(scenario, place, { service, client, fastNetMon })
      outcomes.push(outcome)
      const text = (said: Said | null) => cellsOf(said, scenario).filter(Boolean).join(', ')
      process.stderr.write(`${scenario.name}: ${text(outcome.ours)}; FastNetMon: ${text(outcome.theirs)}\n`)
    }
  } finally {
    await service.stop()
    await fastNetMon.stop()
  }
  console.log(table(outcomes))
  if (outcomes.length < chosen.length) process.stderr.write('there was no time for the rest\n')
}

/** FastNetMon writes below /var/log, and both want a network that nothing else is in. */
function runInside(): number {
  const script =
    'ip link set lo up && mount -t tmpfs tmpfs /var/log && mkdir /var/log/fastnetmon_attacks && exec "$0" "$@"'
  const args = ['-mn', 'sh', '-c', script, process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  return spawnSync('unshare', args, { stdio: 'inherit', env: { ...process.env, [inside]: '1' } }).status ?? 1
}

if (values.help) console.log(usage)
else if (findProgram('fastnetmon') === null) throw new Error('fastnetmon is not installed (apt-get install fastnetmon)')
else if (process.env[inside] === undefined) process.exitCode = runInside()
else await run()
