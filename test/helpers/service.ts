// The service as an operator runs it: a process started by the command line, on a data directory and ports of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const mainFile = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const commandFile = fileURLToPath(new URL('../../bin/floodgauge', import.meta.url))

const readyMs = 120_000
const stopMs = 60_000

/** Runs a command of `floodgauge` to its end; gives what it wrote to standard output, fails with what it wrote to standard error. */
export function floodgauge(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 480_000 } as const
    execFile(process.execPath, [mainFile, ...args], options, (error, stdout, stderr) => {
      if (error)
        reject(
          new Error(`floodgauge ${args.join(' ')}: ${stderr || error.message}`, {
            cause: { code: error.code, stderr },
          }),
        )
      else resolve(stdout)
    })
  })
}

export interface RunningService {
  url: string
  dataFolder: string
  /** The UDP port of the first listener; it takes every protocol. */
  flowPort: number
  /** Every address where it expects flows. */
  flowAddresses: { host: string; port: number }[]
  /** The link that makes the first user; empty when there is one. */
  setupUrl: string
  process: ChildProcess
  /** The end of what it said. */
  said: () => string
  /** Ends it and removes its data, unless the data directory was given. */
  stop: () => Promise<void>
}

export interface ServiceListen {
  netflow: number
  ipfix: number
  sflow: number
}

export interface ServiceStart {
  /** Without it the service has a directory of its own, which goes when it stops. */
  dataFolder?: string
  /** More variables of the environment: settings. */
  env?: Record<string, string>
  /** More options of the command. */
  args?: string[]
  /** Options of Node.js, in place of those that the command has. */
  nodeArgs?: string[]
  /** How long it may take to be ready, milliseconds. */
  readyMs?: number
}

/** Starts `floodgauge serve` with HTTP on a free port; resolves when it is ready. Port 0: any. */
export async function startService(
  listen: ServiceListen = { netflow: 0, ipfix: 0, sflow: 0 },
  given: ServiceStart = {},
): Promise<RunningService> {
  const dataFolder = given.dataFolder ?? mkdtempSync(join(tmpdir(), 'floodgauge-test-'))
  const flows = Object.entries(listen).flatMap(([protocol, port]) => [`--${protocol}`, `127.0.0.1:${port}`])
  const serve = ['serve', '--data', dataFolder, '--http', '127.0.0.1:0', ...flows, ...(given.args ?? [])]
  const { nodeArgs = [] } = given
  const [command, ...own] = nodeArgs.length === 0 ? [commandFile] : [process.execPath, ...nodeArgs, mainFile]
  const child = spawn(command, [...own, ...serve], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...given.env },
  })
  const remove = () => {
    if (given.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true })
  }
  const endAtOnce = () => {
    child.kill('SIGKILL')
    remove()
  }
  process.once('exit', endAtOnce)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-20_000)
    })
  }
  const said = () => text
  const stop = async () => {
    await end(child)
    process.off('exit', endAtOnce)
    remove()
  }
  try {
    const url = await ready(child, said, given.readyMs ?? readyMs)
    const flowAddresses = flowAddressesOf(said())
    const setupUrl = /http:\S+\/setup\?code=\S+/.exec(said())?.[0] ?? ''
    return { url, dataFolder, flowPort: flowAddresses[0].port, flowAddresses, setupUrl, process: child, said, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function flowAddressesOf(said: string): { host: string; port: number }[] {
  const line = /expects flows at (.*) \(UDP\)/.exec(said)?.[1] ?? ''
  return [...line.matchAll(/([\d.]+):(\d+)/g)].map(([, host, port]) => ({ host, port: Number(port) }))
}

async function ready(child: ChildProcess, said: () => string, withinMs: number): Promise<string> {
  const end = Date.now() + withinMs
  while (Date.now() < end && isRunning(child)) {
    const url = /answers at (http:\/\/[\d.:]+)/.exec(said())?.[1]
    const answer = url === undefined ? undefined : await fetch(`${url}/readyz`).catch(() => undefined)
    if (url !== undefined && answer?.status === 200) return url
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the service is not ready, ${stateOf(child, withinMs)}: ${said() || 'it said nothing'}`)
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** How it stands with a service that is not ready: whether it ended, or what each of its threads waits for and has computed. */
function stateOf(child: ChildProcess, withinMs: number): string {
  if (!isRunning(child)) return `it ended with ${child.signalCode ?? child.exitCode}`
  const threads = `/proc/${child.pid}/task`
  if (!existsSync(threads)) return `it is still starting after ${withinMs / 1000} s`
  const states = readdirSync(threads).map((thread) => {
    // The name of a thread is in brackets and may have spaces; its state and, eleven fields on, its computing in ticks come after it (proc_pid_stat).
    const fields = readFileSync(`${threads}/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return `${fields[0]} ${readFileSync(`${threads}/${thread}/wchan`, 'utf8')} ${fields[11]}`
  })
  return `it is still starting after ${withinMs / 1000} s (threads: ${states.join(', ')})`
}

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(insist)
}
