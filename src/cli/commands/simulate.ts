// `floodgauge simulate`: a simulated attack on a site of a running service, followed until an event is made of it. The exit status
// says whether there was, so that the whole way from the receipt of flows to the event can be looked after from outside.
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import type { Client, Simulation } from '../../../client/index.ts'
import { simulationRates, simulationSeconds } from '../../contract/limits.ts'
import { type SimulationVectorName, simulationVectorNames } from '../../contract/simulation-vectors.ts'
import { AppError } from '../../errors.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { formatCount, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'

interface SimulateOptions extends RemoteOptions {
  vector: SimulationVectorName
  seconds?: string
  rate?: string
  address?: string
}

const lookEveryMs = 500

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
    .action(simulate)
}

async function simulate(host: string, options: SimulateOptions): Promise<void> {
  const { vector, address } = options
  const wanted = {
    vector,
    ...(options.seconds === undefined ? {} : { seconds: wholeNumber(options.seconds, '--seconds', simulationSeconds) }),
    ...(options.rate === undefined ? {} : { packetsPerSecond: wholeNumber(options.rate, '--rate', simulationRates) }),
    ...(address === undefined ? {} : { address }),
  }
  const over = await withClient(options, async (client) => {
    const begun = await client.startSimulation(host, wanted)
    if (begun === null) throw new AppError('NOT_FOUND', `no site ${printable(host)} of this user`)
    if (!options.json) process.stderr.write(`${printable(beginning(begun))}\n`)
    return followed(client, host, begun)
  })
  if (options.json) await writeLine(JSON.stringify(over))
  else if (over.event !== null) await writeLine(`event ${over.event.id} after ${over.event.afterSeconds} s`)
  if (over.event === null) throw new AppError('NOT_FOUND', `no event of the simulated attack on ${printable(host)}`)
}

/** Until there is an event, or there will be none. The attack then ends by itself; who interrupts ends it. */
async function followed(client: Client, host: string, begun: Simulation): Promise<Simulation> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  let simulation = begun
  while (simulation.state === 'running' && simulation.event === null) {
    await delay(lookEveryMs)
    if (interrupted.signal.aborted) {
      await client.stopSimulation(host)
      throw new AppError('CONFLICT', 'interrupted: nothing more is sent')
    }
    simulation = (await client.getSimulation(host)) ?? simulation
  }
  return simulation
}

function beginning({ attackType, address, packetsPerSecond }: Simulation): string {
  return `${attackType} on ${address} with ${formatCount(packetsPerSecond, 'pps')}, simulated`
}

function wholeNumber(text: string, option: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`${option} takes a whole number from ${min} to ${max}, not ${text}`)
}
