// The collectors that are compared: how each is started on this machine, and where it says how many flows it has seen.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeFirstUser } from '../../test/helpers/first-user.ts'
import { metricSum, metricsOf } from '../../test/helpers/metrics.ts'
import { startService } from '../../test/helpers/service.ts'
import { type Protocol, watchedAddresses, watchedNetworks } from './datagrams.ts'

export interface Collector {
  name: string
  /** Debian's program; null for ours. */
  program: string | null
  protocols: readonly Protocol[]
  start: (protocol: Protocol) => Promise<RunningCollector>
}

export interface RunningCollector {
  pid: number
  port: number
  /** The thread that receives, where it is one of many. */
  thread?: string
  /** All flows since the start. Some can tell only by ending. */
  end: () => Promise<number>
}

export const receiveBufferBytes = 8 * 2 ** 20
const readyMs = 10_000
/** Samples reach Floodgauge's and FastNetMon's metrics once a second. */
const settledMs = 2_200
const netflow = ['NetFlow v5', 'NetFlow v9', 'IPFIX'] as const
const sflow = ['sFlow v5'] as const
const folders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/bin', '/bin']

/** Programs of administrators are often not on the path. */
export function findProgram(name: string): string | null {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...folders]) {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return join(folder, name)
    } catch {
      // The next folder.
    }
  }
  return null
}

export async function freePort(kind: 'udp' | 'tcp'): Promise<number> {
  const socket = kind === 'udp' ? createSocket('udp4').bind(0, '127.0.0.1') : createServer().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const address = socket.address()
  socket.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** A program in the foreground, with a folder that goes when it ends. */
export class Program {
  readonly folder: string
  readonly #child: ChildProcess
  #said = ''

  constructor(name: string, folder: string, args: readonly string[]) {
    this.folder = folder
    this.#child = spawn(findProgram(name) ?? name, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-20_000)
      })
    }
    process.once('exit', this.#remove)
  }

  readonly #remove = () => {
    this.#child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Resolves when it listens at the UDP port. */
  async listens(port: number): Promise<void> {
    const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')} `
    for (const end = Date.now() + readyMs; Date.now() < end; await delay(20)) {
      if (readFileSync('/proc/net/udp', 'utf8').includes(hex)) return
      if (this.#child.exitCode !== null) break
    }
    this.#remove()
    throw new Error(`${this.#child.spawnfile} does not listen: ${this.#said}`)
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit')
      this.#child.kill(signal)
      await ended
    }
  }

  remove(): void {
    process.off('exit', this.#remove)
    this.#remove()
  }
}

/** In memory where the machine has such a file system. */
export const makeFolder = () => mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'floodgauge-peers-'))

const floodgauge: Collector = {
  name: 'Floodgauge',
  program: null,
  protocols: [...netflow, ...sflow],
  async start() {
    const env = { FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' }
    const { PROFILE } = process.env
    const nodeArgs = PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILE}`]
    const service = await startService({ netflow: 0, ipfix: 0, sflow: 0 }, { env, nodeArgs })
    const { client } = await makeFirstUser(service)
    await client.addSites([...watchedNetworks])
    const metric = async (name: string) => metricSum(await metricsOf(service.url), name)
    while ((await metric('floodgauge_watched_addresses')) < watchedAddresses) await delay(100)
    return {
      pid: service.process.pid ?? 0,
      port: service.flowPort,
      thread: 'collector-0',
      async end() {
        try {
          await delay(settledMs)
          return await metric('floodgauge_ingest_flows_total')
        } finally {
          await service.stop()
        }
      },
    }
  },
}

/** nfdump's: records to a file, as it does by default. The records in the file count. */
const nfdump = (name: string, protocols: readonly Protocol[]): Collector => ({
  name,
  program: name,
  protocols,
  async start() {
    const folder = makeFolder()
    const port = await freePort('udp')
    const program = new Program(name, folder, [
      ...['-b', '127.0.0.1', '-p', String(port), '-w', folder, '-B', String(receiveBufferBytes)],
    ])
    await program.listens(port)
    return {
      pid: program.pid,
      port,
      async end() {
        await delay(500)
        await program.stop('SIGTERM')
        const found = execFileSync(findProgram('nfdump') ?? 'nfdump', ['-R', folder, '-I'], { encoding: 'utf8' })
        program.remove()
        return Number(/^Flows: (\d+)/m.exec(found)?.[1] ?? 0)
      },
    }
  },
})

/** pmacct's: counters by destination address, written out when it ends. Its queue and its table are given much room. */
const pmacct = (name: string, protocols: readonly Protocol[]): Collector => ({
  name,
  program: name,
  protocols,
  async start() {
    const folder = makeFolder()
    const port = await freePort('udp')
    const file = join(folder, 'hosts')
    const settings = [
      'daemonize: false',
      `${name}_ip: 127.0.0.1`,
      `${name}_port: ${port}`,
      `${name}_pipe_size: ${receiveBufferBytes}`,
      'plugins: print',
      'aggregate: dst_host, flows',
      'print_output: csv',
      `print_output_file: ${file}`,
      'print_refresh_time: 3600',
      'print_cache_entries: 131071',
      'plugin_pipe_size: 67108864',
      'plugin_buffer_size: 131072',
    ]
    writeFileSync(join(folder, 'settings'), `${settings.join('\n')}\n`)
    const program = new Program(name, folder, ['-f', join(folder, 'settings')])
    await program.listens(port)
    return {
      pid: program.pid,
      port,
      async end() {
        await delay(500)
        await program.stop('SIGINT')
        const text = await settledText(file)
        program.remove()
        const [header, ...lines] = text.trim().split('\n')
        const column = header.split(',').indexOf('FLOWS')
        return lines.reduce((sum, line) => sum + (Number(line.split(',')[column]) || 0), 0)
      },
    }
  },
})

/** What another process has written, when it writes no more. */
async function settledText(file: string): Promise<string> {
  let before = ''
  for (const end = Date.now() + readyMs; Date.now() < end; await delay(300)) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (text !== '' && text === before) return text
    before = text
  }
  return before
}

/** A program that tells by its metrics how many flows it has seen: `flowsOf` finds it in their text. */
function withMetrics(
  program: Program,
  { port, metricsPort }: { port: number; metricsPort: number },
  flowsOf: (text: string) => number,
): RunningCollector {
  return {
    pid: program.pid,
    port,
    async end() {
      await delay(settledMs)
      const text = await metricsOf(`http://127.0.0.1:${metricsPort}`)
      await program.stop('SIGTERM')
      program.remove()
      return flowsOf(text)
    },
  }
}

/** With the settings of Debian's file for detection; what is not asked for is off. */
const fastNetMon: Collector = {
  name: 'FastNetMon',
  program: 'fastnetmon',
  protocols: [...netflow, ...sflow],
  async start(protocol) {
    const folder = makeFolder()
    const [netflowPort, sflowPort, metricsPort] = [await freePort('udp'), await freePort('udp'), await freePort('tcp')]
    const file = (name: string, text = '') => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    mkdirSync(join(folder, 'attacks'))
    const settings = [
      ...['disable_usage_report = on', 'interfaces =', 'monitor_local_ip_addresses = off', 'enable_api = off'],
      ...['netflow = on', 'netflow_host = 127.0.0.1', `netflow_port = ${netflowPort}`, 'netflow_sampling_ratio = 1'],
      ...['sflow = on', 'sflow_host = 127.0.0.1', `sflow_port = ${sflowPort}`],
      ...['prometheus = on', 'prometheus_host = 127.0.0.1', `prometheus_port = ${metricsPort}`],
      ...[
        `networks_list_path = ${file('networks', watchedNetworks.join('\n'))}`,
        `white_list_path = ${file('allowed')}`,
      ],
      ...[`cli_stats_file_path = ${file('state')}`, `cli_stats_ipv6_file_path = ${file('state6')}`],
      ...['enable_ban = on', 'ban_for_pps = on', 'ban_for_bandwidth = on', 'threshold_pps = 20000'],
      ...['threshold_mbps = 1000', 'average_calculation_time = 5', 'speed_calculation_delay = 1'],
      ...['process_incoming_traffic = on', 'process_outgoing_traffic = on', 'enable_connection_tracking = on'],
    ]
    const configuration = file('settings', `${settings.join('\n')}\n`)
    const args = ['--configuration_file', configuration, '--log_to_console', '--disable_pid_logic']
    const program = new Program('fastnetmon', folder, args)
    const port = protocol === 'sFlow v5' ? sflowPort : netflowPort
    await program.listens(port)
    return withMetrics(program, { port, metricsPort }, (text) =>
      metricSum(text, 'fastnetmon_total_simple_packets_processed'),
    )
  },
}

/** Built from its source (Go) by whoever measures, and found on the path. It announces nothing, and has no console here. Flows it had no room for do not count. */
const kapkan: Collector = {
  name: 'Kapkan',
  program: 'kapkan',
  protocols: [...netflow, ...sflow],
  async start(protocol) {
    const folder = makeFolder()
    const [netflowPort, sflowPort, apiPort] = [await freePort('udp'), await freePort('udp'), await freePort('tcp')]
    const settings = {
      dry_run: true,
      listen: { netflow: `127.0.0.1:${netflowPort}`, sflow: `127.0.0.1:${sflowPort}` },
      sampling: { default_rate: 1 },
      networks: watchedNetworks,
      thresholds: { pps: 20_000, mbps: 1_000, flows_per_sec: 35_000 },
      ban: { ttl_seconds: 600, unban_hysteresis_seconds: 120, max_active_bans: 50 },
      bgp: { local_asn: 65_001, router_id: '192.0.2.1', next_hop: '192.0.2.1', community: '65000:666', neighbors: [] },
      api: { listen: `127.0.0.1:${apiPort}`, dashboard: false },
    }
    const file = join(folder, 'settings.yaml')
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(settings))
    const program = new Program('kapkan', folder, ['-config', file])
    const port = protocol === 'sFlow v5' ? sflowPort : netflowPort
    await program.listens(port)
    return withMetrics(program, { port, metricsPort: apiPort }, (text) => {
      return metricSum(text, 'kapkan_ingest_flows_total') - metricSum(text, 'kapkan_ingest_dropped_flows_total')
    })
  },
}

export const collectors: readonly Collector[] = [
  floodgauge,
  nfdump('nfcapd', netflow),
  nfdump('sfcapd', sflow),
  pmacct('nfacctd', netflow),
  pmacct('sfacctd', sflow),
  fastNetMon,
  kapkan,
]
