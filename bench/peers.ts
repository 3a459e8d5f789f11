// What a flow costs Floodgauge and other collectors, and how many a second one of each takes without losing any: one run, one machine, one
// sender, the same datagrams. Prints the table of docs/performance.md. On Linux, with nfdump, nfdump-sflow, pmacct and fastnetmon of
// Debian, and kapkan on the path; one that is not installed is left out. All runs interleave. Run: node bench/peers.ts [--help]
import { existsSync, writeFileSync } from 'node:fs'
import { cpus, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from './load/median.ts'
import { processCpu } from './load/process-cpu.ts'
import { threadCpu } from './load/thread-cpu.ts'
import { type Collector, collectors, findProgram, type RunningCollector } from './peers/collectors.ts'
import { type Protocol, protocols, watchedAddresses } from './peers/datagrams.ts'
import { pin, Sender } from './peers/sending.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    rates: { type: 'string', default: '50000,100000,200000' },
    seconds: { type: 'string', default: '5' },
    watched: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    skip: { type: 'string', default: '' },
    max: { type: 'string', default: '0' },
    'max-seconds': { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
})

const usage = `node bench/peers.ts [options]
  --rounds N        how often each is measured; medians are told (3)
  --rates R,R       flows a second at which CPU time is measured (50000,100000,200000)
  --seconds S       how long each measurement lasts (5)
  --watched P       of a hundred flows, those for watched addresses (10)
  --only TEXT,TEXT  protocols whose name contains one of these
  --skip TEXT,TEXT  without the collectors of these names
  --max N           how often the highest rate without loss is searched, for each (0)
  --max-seconds S   how long each step of the search lasts (3)
  --json            print the medians as one object of numbers by name, in place of the table`

/** Numbers that were given. */
const rounds = Number(values.rounds)
const rates = values.rates.split(',').filter(Boolean).map(Number)
const seconds = Number(values.seconds)
const watchedPercent = Number(values.watched)
const searches = Number(values.max)
const searchSeconds = Number(values['max-seconds'])

/**
 * Collectors run for months: what a compiler does in their first minute is no part of a flow's cost. Ours tests itself for the first time after a minute;
 * other programs were compiled before.
 */
const warmFlowsPerSecond = 100_000
const warmSeconds = { ours: 80, others: 5 }
const searchWarmSeconds = 3
/** What is in the buffers is taken in within this time. */
const drainMs = 700
const searchFrom = 400_000
const searchHalvings = 3
const searchMax = 12_800_000
/** Processor of the sender, and of the collector. */
const processors = cpus().length > 1 ? { sender: '0', collector: '1' } : { sender: '0', collector: '0' }

interface Cost {
  flows: number
  lost: number
  /** Microseconds a flow that was sent. */
  process: number
  thread?: number
}

function cpuOf({ pid, thread }: RunningCollector): { process: number; thread: number } {
  return { process: processCpu(pid), thread: thread === undefined ? 0 : (threadCpu(pid).get(thread) ?? 0) }
}

/** A fresh collector that is warm and has a template. */
async function started(
  sender: Sender,
  { collector, protocol, seconds }: { collector: Collector; protocol: Protocol; seconds: number },
): Promise<{ running: RunningCollector; flows: number }> {
  const running = await collector.start(protocol)
  pin(running.pid, processors.collector)
  await sender.ask({ type: 'open', protocol, port: running.port, watchedPercent })
  const { flows } = await sender.ask({ type: 'send', flowsPerSecond: warmFlowsPerSecond, seconds })
  await delay(drainMs)
  return { running, flows }
}

async function measureCost(
  sender: Sender,
  collector: Collector,
  protocol: Protocol,
  flowsPerSecond: number,
): Promise<Cost> {
  const warm = collector.program === null ? warmSeconds.ours : warmSeconds.others
  const { running, flows: before } = await started(sender, { collector, protocol, seconds: warm })
  const idle = cpuOf(running)
  const { flows } = await sender.ask({ type: 'send', flowsPerSecond, seconds })
  await delay(drainMs)
  const after = cpuOf(running)
  const counted = await running.end()
  await sender.ask({ type: 'close' })
  const perFlow = (used: number) => (used * 1e6) / flows
  return {
    flows: before + flows,
    lost: before + flows - counted,
    process: perFlow(after.process - idle.process),
    ...(running.thread !== undefined && { thread: perFlow(after.thread - idle.thread) }),
  }
}

type Outcome = 'whole' | 'lossy' | 'slow sender'

async function tryRate(
  sender: Sender,
  collector: Collector,
  protocol: Protocol,
  flowsPerSecond: number,
): Promise<Outcome> {
  const { running, flows: warm } = await started(sender, { collector, protocol, seconds: searchWarmSeconds })
  const sent = await sender.ask({ type: 'send', flowsPerSecond, seconds: searchSeconds })
  await delay(drainMs)
  // One that is so far behind that it does not even answer has lost some.
  const counted = await running.end().catch(() => 0)
  await sender.ask({ type: 'close' })
  if (sent.flows / sent.seconds < flowsPerSecond * 0.97) return 'slow sender'
  return counted >= warm + sent.flows ? 'whole' : 'lossy'
}

interface Highest {
  flowsPerSecond: number
  /** The sender could not send more. */
  bySender: boolean
}

/** Doubles the rate until flows are lost, then halves the distance. */
async function searchHighest(sender: Sender, collector: Collector, protocol: Protocol): Promise<Highest> {
  const outcomeAt = (rate: number) => tryRate(sender, collector, protocol, rate)
  let good = 0
  let rate = searchFrom
  let outcome = await outcomeAt(rate)
  for (; outcome === 'whole' && rate < searchMax; outcome = await outcomeAt(rate)) {
    good = rate
    rate *= 2
  }
  if (outcome === 'slow sender') return { flowsPerSecond: good, bySender: true }
  let bad = rate
  for (let i = 0; i < searchHalvings; i++) {
    const middle = (good + bad) / 2
    if ((await outcomeAt(middle)) === 'whole') good = middle
    else bad = middle
  }
  return { flowsPerSecond: good, bySender: false }
}

interface Row {
  protocol: Protocol
  collector: Collector
  /** By rate. */
  costs: Map<number, Cost[]>
  highest: Highest[]
}

const contains = (name: string, texts: string) =>
  texts.split(',').some((text) => text !== '' && name.toLowerCase().includes(text.toLowerCase()))

function chosenRows(): Row[] {
  return protocols
    .filter((protocol) => values.only === '' || contains(protocol, values.only))
    .flatMap((protocol) =>
      collectors
        .filter((collector) => collector.protocols.includes(protocol) && !contains(collector.name, values.skip))
        .filter(({ program }) => program === null || findProgram(program) !== null)
        .map((collector) => ({ protocol, collector, costs: new Map(), highest: [] })),
    )
}

const wholeOf = (costs: readonly Cost[] = []) => costs.filter(({ lost }) => lost === 0)

/** The median over the rounds without loss, with the least and the most; where all lose, how much. */
function costText(costs: readonly Cost[], read: ReadCost): string {
  const whole = wholeOf(costs)
  if (whole.length === 0) {
    const lostPercent = median(costs.map(({ lost, flows }) => (lost / flows) * 100))
    return `${median(costs.map(read)).toFixed(2)}, but loses ${lostPercent.toFixed(1)} %`
  }
  const [least, most] = [Math.min(...whole.map(read)), Math.max(...whole.map(read))]
  return `${median(whole.map(read)).toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`
}

type ReadCost = (cost: Cost) => number
const ofProcess: ReadCost = (cost) => cost.process
const ofThread: ReadCost = (cost) => cost.thread ?? 0

/** Null when flows were lost in each round. */
function medianCost({ costs }: Row, rate: number, read: ReadCost): number | null {
  const whole = wholeOf(costs.get(rate))
  return whole.length === 0 ? null : median(whole.map(read))
}

function ratioText(row: Row, peers: readonly Row[], rate: number, read: ReadCost): string {
  const own = medianCost(row, rate, read)
  const others = peers.map((peer) => medianCost(peer, rate, ofProcess)).filter((cost) => cost !== null)
  return own === null || others.length === 0 ? '' : `${(own / Math.min(...others)).toFixed(2)} ×`
}

function highestText(highest: readonly Highest[]): string {
  if (highest.length === 0) return ''
  const text = Math.round(median(highest.map(({ flowsPerSecond }) => flowsPerSecond))).toLocaleString('en')
  return highest.some(({ bySender }) => bySender) ? `≥ ${text}` : text
}

/** The medians by name. What lost flows in each round has none. */
function medians(rows: readonly Row[]): Record<string, number> {
  const numbers: Record<string, number> = {}
  const note = (name: string, value: number | null) => {
    if (value !== null) numbers[name] = Number(value.toPrecision(4))
  }
  for (const row of rows) {
    const name = `${row.protocol}, ${row.collector.name}`
    for (const rate of rates) {
      note(`${name}, µs a flow at ${rate}/s`, medianCost(row, rate, ofProcess))
      if (row.collector.program !== null) continue
      note(`${name}, its thread that receives, µs a flow at ${rate}/s`, medianCost(row, rate, ofThread))
    }
    const highest = row.highest.map(({ flowsPerSecond }) => flowsPerSecond)
    if (highest.length > 0) note(`${name}, flows/s without loss`, median(highest))
  }
  return numbers
}

function table(rows: readonly Row[]): string {
  const titles = rates.map((rate) => `µs a flow at ${rate.toLocaleString('en')}/s | of the best other`)
  const head = ['Export', 'Collector', ...titles, ...(searches > 0 ? ['flows/s without loss'] : [])]
  const columns = 2 + rates.length * 2 + (searches > 0 ? 1 : 0)
  const lines = rows.flatMap((row) => {
    const peers = rows.filter((other) => other.protocol === row.protocol && other.collector.program !== null)
    const isOurs = row.collector.program === null
    const cells = rates.flatMap((rate) => {
      const text = costText(row.costs.get(rate) ?? [], ofProcess)
      return [text, isOurs ? ratioText(row, peers, rate, ofProcess) : '']
    })
    const main = [row.protocol, row.collector.name, ...cells, ...(searches > 0 ? [highestText(row.highest)] : [])]
    if (!isOurs) return [main]
    const threadCells = rates.flatMap((rate) => {
      return [costText(row.costs.get(rate) ?? [], ofThread), ratioText(row, peers, rate, ofThread)]
    })
    return [main, [row.protocol, 'its thread that receives', ...threadCells, ...(searches > 0 ? [''] : [])]]
  })
  return [head, new Array(columns).fill('---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/**
 * What else the machine does is to matter little, where that is allowed (root). What is started inherits it. Where the kernel groups processes
 * by session (sched(7), autogroup), the session's priority is what counts.
 */
function comeFirst(): void {
  try {
    setPriority(-10)
    if (existsSync('/proc/self/autogroup')) writeFileSync('/proc/self/autogroup', '-10')
  } catch {
    process.stderr.write('without a higher priority: other work on this machine may cost flows\n')
  }
}

async function main(): Promise<void> {
  comeFirst()
  const sender = new Sender(processors.sender)
  const rows = chosenRows()
  const say = (text: string) => process.stderr.write(`${text}\n`)
  say(`${watchedPercent} % of the flows are for ${watchedAddresses} watched addresses; ${cpus()[0]?.model}`)
  for (let round = 0; round < Math.max(rounds, searches); round++) {
    // No collector always follows the same other.
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      for (const rate of round < rounds ? rates : []) {
        const cost = await measureCost(sender, row.collector, row.protocol, rate)
        row.costs.set(rate, [...(row.costs.get(rate) ?? []), cost])
        const thread = cost.thread === undefined ? '' : `, its thread ${cost.thread.toFixed(3)}`
        const lost = cost.lost === 0 ? '' : `; ${cost.lost} flows LOST`
        say(`${row.protocol} ${row.collector.name} at ${rate}/s: ${cost.process.toFixed(3)} µs${thread}${lost}`)
      }
      if (round < searches) {
        const highest = await searchHighest(sender, row.collector, row.protocol)
        row.highest.push(highest)
        say(`${row.protocol} ${row.collector.name}: ${highest.flowsPerSecond} flows/s without loss`)
      }
    }
  }
  sender.close()
  console.log(values.json ? JSON.stringify(medians(rows)) : table(rows))
}

if (values.help) console.log(usage)
else await main()
