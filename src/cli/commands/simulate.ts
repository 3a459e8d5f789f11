// `floodgauge simulate`: a simulated attack on a site of a running service, followed until an event is made of it, and with `--alerts --wait` until every channel
// of the rules that fit has been told. The exit status says whether it was, so that the whole way from packet to phone can be looked after from outside.
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import type { Client, Simulation } from '../../../client/index.ts'
import { simulationRates, simulationSeconds } from '../../contract/limits.ts'
import { type SimulationVectorName, simulationVectorNames } from '../../contract/simulation-vectors.ts'
import { AppError } from '../../errors.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { formatCount, tableHead, tableRow, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { endOf, reasonOf, toldColumns } from '../text/told.ts'
import { type ExitStatus, exitStatuses, OutcomeError, UsageError } from '../usage.ts'

interface SimulateOptions extends RemoteOptions {
  vector: SimulationVectorName
  seconds?: string
  rate?: string
  address?: string
  alerts?: true
  wait?: true
  timeout?: string
}

const lookEveryMs = 500
/** How long it is waited for channels, seconds: longer than a group of attacks waits, and than what failed once is tried again after. */
const timeouts = { min: 5, max: 3_600, default: 120 } as const

const statusLines = Object.entries(exitStatuses).map(([status, what]) => `  ${status}  ${what}`)

export function registerSimulate(program: Command): void {
  withRemote(program.command('simulate').description('Simulate an attack on a site, and wait for the event of it'))
    .argument('<HOST>', 'a host as it was added')
    .addOption(new Option('--vector <NAME>', 'kind of attack').choices([...simulationVectorNames]).default('ntp'))
    .option(
      '--seconds <N>',
      `how long it is sent, ${simulationSeconds.min} to ${simulationSeconds.max} (${simulationSeconds.default})`,
    )
    .option('--rate <N>', 'packets a second (as many as are seen for certain)')
    .option('--address <ADDRESS>', 'which address of the site (the first)')
    .option('--alerts', 'tell my channels as about a real attack, marked as a test')
    .option('--wait', 'with --alerts: wait until every channel has been told')
    .option(
      '--timeout <SECONDS>',
      `with --wait: for how long, ${timeouts.min} to ${timeouts.max} (${timeouts.default})`,
    )
    .addHelpText('after', `\nExit status:\n${statusLines.join('\n')}`)
    .action(simulate)
}

async function simulate(host: string, options: SimulateOptions): Promise<void> {
  const { vector, address, alerts = false, wait: isWaiting = false, json } = options
  if (isWaiting && !alerts) throw new UsageError('--wait waits for channels: give --alerts as well')
  if (options.timeout !== undefined && !isWaiting) throw new UsageError('--timeout goes with --alerts --wait')
  const timeout = options.timeout === undefined ? timeouts.default : wholeNumber(options.timeout, '--timeout', timeouts)
  const wanted = {
    vector,
    ...(options.seconds === undefined ? {} : { seconds: wholeNumber(options.seconds, '--seconds', simulationSeconds) }),
    ...(options.rate === undefined ? {} : { packetsPerSecond: wholeNumber(options.rate, '--rate', simulationRates) }),
    ...(address === undefined ? {} : { address }),
    ...(alerts && { alerts }),
  }
  const isEnd = isWaiting ? endOf : endOfEvent
  const { simulation, status } = await withClient(options, (client) =>
    run(client, host, { wanted, isEnd, timeoutMs: isWaiting ? timeout * 1_000 : Number.POSITIVE_INFINITY, json }),
  )
  const { event, alerts: told } = simulation
  if (json) await writeLine(JSON.stringify(simulation))
  else if (event !== null) await writeLine(`event ${event.id} after ${event.afterSeconds} s`)
  if (event === null && status !== 4)
    throw new AppError('NOT_FOUND', `no event of the simulated attack on ${printable(host)}`)
  if (!isWaiting) return
  if (!json && told !== null && told.length > 0) {
    await writeLine(tableHead(toldColumns))
    for (const each of told) await writeLine(tableRow(toldColumns, each))
  }
  if (status !== 0) throw new OutcomeError(status, reasonOf(status, simulation))
}

/** For an attack whose channels are not waited for. */
function endOfEvent({ state, event }: Pick<Simulation, 'state' | 'event'>): ExitStatus | null {
  if (event !== null) return 0
  return state === 'over' ? 1 : null
}

interface Run {
  wanted: Parameters<Client['startSimulation']>[1]
  isEnd: typeof endOf
  timeoutMs: number
  json: boolean | undefined
}

/** Until it has ended, one way or the other. The attack then ends by itself; who interrupts ends it, and so does whatever else goes wrong. */
async function run(
  client: Client,
  host: string,
  { wanted, isEnd, timeoutMs, json }: Run,
): Promise<{ simulation: Simulation; status: ExitStatus }> {
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  const lateMs = performance.now() + timeoutMs
  try {
    const begun = await client.startSimulation(host, wanted)
    if (begun === null) throw new AppError('NOT_FOUND', `no site ${printable(host)} of this user`)
    try {
      if (!json) process.stderr.write(`${printable(beginning(begun))}\n`)
      for (let simulation = begun; ; simulation = (await client.getSimulation(host)) ?? simulation) {
        const isLate = performance.now() >= lateMs
        const status = isEnd(simulation, { isLate })
        if (isLate && simulation.state === 'running') await client.stopSimulation(host)
        if (status !== null) return { simulation, status }
        await delay(lookEveryMs, null, { signal: interrupted.signal })
      }
    } catch (error) {
      await client.stopSimulation(host).catch(() => null)
      if (interrupted.signal.aborted) throw new AppError('CONFLICT', 'interrupted: nothing more is sent')
      throw error
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}

function beginning({ attackType, address, packetsPerSecond }: Simulation): string {
  return `${attackType} on ${address} with ${formatCount(packetsPerSecond, 'pps')}, simulated`
}

function wholeNumber(text: string, option: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`${option} takes a whole number from ${min} to ${max}, not ${text}`)
}
