// A small network on one machine: an attacker's and a victim's network namespace joined by a cable, and a cable from the victim's side to
// the namespace of the tests, over which an exporter reports. All that was started or made is ended and removed, however the test ends.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../requirements.ts'

export interface Running {
  name: string
  child: ChildProcess
  /** The end of what it said, for the message of a failure. */
  output: string[]
}

export interface StartOptions {
  /** Where it runs; the tests' own namespace when left out. */
  namespace?: string
  env?: NodeJS.ProcessEnv
  /** Given each chunk of standard output and standard error. */
  onOutput?: (text: string) => void
}

const outputChunks = 200
const stopMs = 5_000

/** Networks of the cables to the labs, /30 each: 198.18.0.0/15 is for tests between devices (RFC 2544). */
function cableNetwork(index: number): { here: string; there: string } {
  const base = ((process.pid * 8 + index) % 32_768) * 4
  const dotted = (host: number) => `198.${18 + (base >> 16)}.${(base >> 8) & 255}.${(base & 255) + host}`
  return { here: dotted(1), there: dotted(2) }
}

export class Lab {
  readonly attacker: string
  readonly victim: string
  /** The tests' end of the cable from the victim's namespace: exporters send here. */
  readonly address: string
  /** The tests' interface of that cable. */
  readonly interfaceName: string
  /** The exporter's end. */
  readonly exporterAddress: string
  /** The interface, in either namespace, of the cable between attacker and victim. */
  readonly wire = 'wire'
  /** For files; removed with the rest. */
  readonly folder = mkdtempSync(join(tmpdir(), 'floodgauge-live-'))
  readonly #victims: readonly string[]
  readonly #running = new Set<Running>()
  readonly #onExit = () => this.#endAtOnce()

  constructor(index: number, victims: readonly string[]) {
    const name = `fg${process.pid}x${index}`
    const cable = cableNetwork(index)
    this.attacker = `${name}a`
    this.victim = `${name}v`
    this.interfaceName = name
    this.address = cable.here
    this.exporterAddress = cable.there
    this.#victims = victims
    exitOnSignals()
    removeLeftovers()
    process.on('exit', this.#onExit)
    try {
      this.#wire()
    } catch (error) {
      this.#endAtOnce()
      throw error
    }
  }

  #wire() {
    for (const namespace of [this.attacker, this.victim]) {
      run('ip', ['netns', 'add', namespace])
      for (const scope of ['all', 'default']) {
        run('ip', ['netns', 'exec', namespace, findProgram('sysctl'), '-qw', `net.ipv6.conf.${scope}.disable_ipv6=1`])
        run('ip', ['netns', 'exec', namespace, findProgram('sysctl'), '-qw', `net.ipv4.conf.${scope}.rp_filter=0`])
      }
    }
    const inAttacker = (...args: string[]) => run('ip', ['-n', this.attacker, ...args])
    const inVictim = (...args: string[]) => run('ip', ['-n', this.victim, ...args])
    run('ip', [
      'link',
      'add',
      this.wire,
      'netns',
      this.attacker,
      'type',
      'veth',
      'peer',
      'name',
      this.wire,
      'netns',
      this.victim,
    ])
    run('ip', ['link', 'add', this.interfaceName, 'type', 'veth', 'peer', 'name', 'report', 'netns', this.victim])
    for (const inside of [inAttacker, inVictim]) {
      inside('link', 'set', 'lo', 'up')
      inside('link', 'set', this.wire, 'up')
    }
    inAttacker('address', 'add', '10.0.0.1/24', 'dev', this.wire)
    this.#addressVictim(this.wire)
    for (const address of this.#victims) inAttacker('route', 'add', `${address}/32`, 'via', '10.0.0.2')
    run('ip', ['address', 'add', `${this.address}/30`, 'dev', this.interfaceName])
    run('ip', ['link', 'set', this.interfaceName, 'up'])
    inVictim('address', 'add', `${this.exporterAddress}/30`, 'dev', 'report')
    inVictim('link', 'set', 'report', 'up')
  }

  start(program: string, args: readonly string[], { namespace, env, onOutput }: StartOptions = {}): Running {
    const path = findProgram(program)
    const [file, given] =
      namespace === undefined ? [path, args] : [findProgram('ip'), ['netns', 'exec', namespace, path, ...args]]
    const child = spawn(file, given, { stdio: ['ignore', 'pipe', 'pipe'], env: env ?? process.env })
    const running: Running = { name: program, child, output: [] }
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        running.output.push(text)
        if (running.output.length > outputChunks) running.output.shift()
        onOutput?.(text)
      })
    }
    child.on('error', (error) => running.output.push(String(error)))
    child.on('exit', () => this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  /** Runs a command in the victim's namespace to its end. */
  runInVictim(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): string {
    return run('ip', ['netns', 'exec', this.victim, findProgram(program), ...args], env)
  }

  /** Gives the victim's addresses to another interface of its namespace, one that hears what comes over the wire. */
  moveVictim(interfaceName: string): void {
    const inVictim = (...args: string[]) => run('ip', ['-n', this.victim, ...args])
    inVictim('address', 'flush', 'dev', this.wire)
    inVictim('link', 'set', interfaceName, 'up')
    this.#addressVictim(interfaceName)
  }

  #addressVictim(interfaceName: string) {
    const inVictim = (...args: string[]) => run('ip', ['-n', this.victim, ...args])
    inVictim('address', 'add', '10.0.0.2/24', 'dev', interfaceName)
    for (const address of this.#victims) inVictim('address', 'add', `${address}/32`, 'dev', interfaceName)
    // The victim answers what it is sent; the answers end at the attacker, who is not the one they are addressed to.
    inVictim('route', 'replace', 'default', 'via', '10.0.0.1')
  }

  /** Asks a process to end, and waits; insists when it does not. */
  async stop(running: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = running
    if (hasEnded(child)) return
    const ended = once(child, 'exit')
    child.kill(signal)
    const insist = setTimeout(() => child.kill('SIGKILL'), stopMs)
    await ended
    clearTimeout(insist)
  }

  /** Waits until a process ends by itself; fails when it takes longer or fails. */
  async finish(running: Running, timeoutMs: number): Promise<void> {
    const { child, name } = running
    if (!hasEnded(child)) await once(child, 'exit', { signal: AbortSignal.timeout(timeoutMs) })
    if (child.exitCode !== 0)
      throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}: ${said(running)}`)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((running) => this.stop(running)))
    this.#endAtOnce()
  }

  #endAtOnce() {
    process.off('exit', this.#onExit)
    for (const { child } of this.#running) child.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
    removeNetwork([this.attacker, this.victim], [this.interfaceName])
  }
}

/** Removes what is there of these, in one go: an exit leaves little time. */
function removeNetwork(namespaces: readonly string[], interfaces: readonly string[]) {
  const commands = [
    ...interfaces.map((name) => `link delete ${name}`),
    ...namespaces.map((name) => `netns delete ${name}`),
  ]
  spawnSync(findProgram('ip'), ['-force', '-batch', '-'], { input: `${commands.join('\n')}\n`, timeout: 10_000 })
}

/** Removes what is left of labs whose process was killed. Their names hold its number. */
function removeLeftovers() {
  const isLeft = (name: string) => {
    const pid = /^fg(\d+)x\d+[av]?$/.exec(name)?.[1]
    return pid !== undefined && !existsSync(`/proc/${pid}`)
  }
  const namespaces = run('ip', ['-o', 'netns', 'list']).match(/^\S+/gm) ?? []
  const interfaces = run('ip', ['-o', 'link', 'show']).match(/(?<=^\d+: )[^:@]+/gm) ?? []
  const left = [namespaces.filter(isLeft), interfaces.filter(isLeft)] as const
  if (left.flat().length > 0) removeNetwork(...left)
}

/** A signal ends the process by way of its exit handlers, which put the machine in order. */
function exitOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(1))
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

export const said = ({ output }: Running) => output.join('').slice(-2_000)

function run(program: string, args: readonly string[], env = process.env): string {
  return execFileSync(findProgram(program), args, {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 10_000,
  })
}
