// What a flow costs this tree's service and another's (a checkout of an earlier commit, ready to serve), both at the same time on one processor: a machine
// that is faster now than a minute ago makes no difference. How far two runs of one tree differ is told by giving this tree as the other. On Linux.
// Run: node bench/peers/beside.ts FOLDER [--help]
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { makeFirstUser } from '../../test/helpers/first-user.ts'
import type { startService } from '../../test/helpers/service.ts'
import { median } from '../load/median.ts'
import { threadCpu } from '../load/thread-cpu.ts'
import { type Protocol, protocols, watchedNetworks } from './datagrams.ts'
import { pin, Sender } from './sending.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    rate: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
  },
})

const usage = `node bench/peers/beside.ts FOLDER [options]: the service of this tree, and of the one in FOLDER
  --rounds N        how often the cost is measured; the median is told (5)
  --rate R          flows a second to each (200000)
  --seconds S       how long each measurement lasts (15)
  --only TEXT,TEXT  protocols whose name contains one of these`

const rounds = Number(values.rounds)
const flowsPerSecond = Number(values.rate)
const seconds = Number(values.seconds)
const processors = { senders: '0', services: '1' }
const watchedPercent = 10
/** See `warmSeconds` in bench/peers.ts. */
const warm = { flowsPerSecond: 100_000, seconds: 85 }
const drainMs = 300

interface Running {
  name: string
  pid: number
  sender: Sender
  stop: () => Promise<void>
}

/** Microseconds a flow, by thread; `all` of them together. */
type Costs = Map<string, number>

async function started(folder: string, protocol: Protocol): Promise<Running> {
  const helper = (name: string) => import(pathToFileURL(resolve(folder, `test/helpers/${name}.ts`)).href)
  const { startService: start }: { startService: typeof startService } = await helper('service')
  const { makeFirstUser: setUp }: { makeFirstUser: typeof makeFirstUser } = await helper('first-user')
  const env = { FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' }
  const service = await start({ netflow: 0, ipfix: 0, sflow: 0 }, { env })
  const { client } = await setUp(service)
  await client.addSites([...watchedNetworks])
  const pid = service.process.pid ?? 0
  pin(pid, processors.services)
  const sender = new Sender(processors.senders)
  await sender.ask({ type: 'open', protocol, port: service.flowPort, watchedPercent })
  return { name: folder, pid, sender, stop: service.stop }
}

async function measured(running: readonly Running[]): Promise<Costs[]> {
  const before = running.map(({ pid }) => threadCpu(pid))
  const sent = await Promise.all(running.map(({ sender }) => sender.ask({ type: 'send', flowsPerSecond, seconds })))
  await delay(drainMs)
  return running.map(({ pid }, i) => {
    const costs: Costs = new Map()
    let all = 0
    for (const [thread, spent] of threadCpu(pid)) {
      const cost = ((spent - (before[i].get(thread) ?? 0)) * 1e6) / sent[i].flows
      costs.set(thread, cost)
      all += cost
    }
    return costs.set('all', all)
  })
}

function show(protocol: Protocol, running: readonly Running[], found: readonly Costs[][]): void {
  running.forEach(({ name }, i) => {
    const of = (thread: string) => median(found.map((each) => each[i].get(thread) ?? 0)).toFixed(3)
    const each = found.map((costs) => (costs[i].get('all') ?? 0).toFixed(3)).join(' ')
    console.log(
      `| ${[protocol, name, of('all'), of('collector-0'), of('detector'), of('MainThread'), each].join(' | ')} |`,
    )
  })
}

if (values.help || positionals.length !== 1) console.log(usage)
else {
  const trees = [positionals[0], fileURLToPath(new URL('../..', import.meta.url))]
  const only = values.only.split(',')
  console.log('| protocol | tree | µs a flow | collector | detector | main thread | each round |')
  console.log(`|${' --- |'.repeat(7)}`)
  for (const protocol of protocols.filter((name) => only.some((text) => name.includes(text)))) {
    const running: Running[] = []
    for (const folder of trees) running.push(await started(folder, protocol))
    await Promise.all(running.map(({ sender }) => sender.ask({ type: 'send', ...warm })))
    const found: Costs[][] = []
    for (let round = 0; round < rounds; round++) found.push(await measured(running))
    show(protocol, running, found)
    for (const { sender, stop } of running) {
      sender.close()
      await stop()
    }
  }
}
