// Real name servers on loopback, each a process in the foreground on ports of its own, with its files in a folder that goes with it: NSD,
// which answers for zones, and unbound, which asks it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Resolver } from '../../../src/names/resolve/resolver.ts'
import type { Server } from '../../../src/names/resolve/servers.ts'
import { certificates } from '../../helpers/servers/dns-server.ts'
import { until } from '../../helpers/until.ts'
import { freePort } from '../free-port.ts'
import { findProgram } from '../requirements.ts'

/** One that asks once. */
export function resolverAt(server: Server, authorities: string | null = null): Resolver {
  const signal = new AbortController().signal
  return new Resolver({
    server,
    authorities,
    timeoutMs: 1_000,
    attempts: 1,
    signal,
    onAsk: () => {},
    onDuration: () => {},
  })
}

export abstract class NameServer {
  readonly folder: string
  port = 0
  readonly #program: string
  #process: ChildProcess | null = null
  #said = ''
  readonly #endAtOnce = () => {
    this.#process?.kill('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  constructor(program: string) {
    this.#program = program
    this.folder = mkdtempSync(join(tmpdir(), `${program}-`))
    process.once('exit', this.#endAtOnce)
  }

  get server(): Server {
    return { address: '127.0.0.1', port: this.port, family: 4 }
  }

  /** Resolves when it has an answer, of whatever kind, for the name. `options`: those before the file. */
  protected async run(config: string, name: string, options: readonly string[] = ['-d', '-c']): Promise<void> {
    const file = join(this.folder, `${this.#program}.conf`)
    writeFileSync(file, config)
    const child = spawn(findProgram(this.#program), [...options, file], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#process = child
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-4_000)
      })
    }
    const resolver = resolverAt(this.server)
    await until(`an answer of ${this.#program}`, async () => {
      if (child.exitCode !== null) throw new Error(`${this.#program} ended: ${this.#said}`)
      const resolution = await resolver.resolve(name)
      return resolution.kind !== 'failed' || resolution.reason !== 'timeout'
    })
  }

  protected writeFile(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  protected signal(name: NodeJS.Signals): void {
    this.#process?.kill(name)
  }

  async end(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }

  /** Ends it and removes its files. */
  async stop(): Promise<void> {
    await this.end()
    process.off('exit', this.#endAtOnce)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A key for zone transfers. */
export interface TransferKey {
  name: string
  algorithm: string
  /** In base64. */
  secret: string
}

/** Its zones by name, each with its records. */
export class Nsd extends NameServer {
  readonly zones: string[]
  readonly #key: TransferKey | null

  /** `key`: who has it, and nobody else, may have the zones transferred. */
  constructor(zones: string[], key: TransferKey | null = null) {
    super('nsd')
    this.zones = zones
    this.#key = key
  }

  /** A zone without records is one that it can't answer for: it says SERVFAIL. */
  async start(records: Record<string, string>): Promise<this> {
    this.port ||= await freePort()
    for (const zone of this.zones) {
      if (records[zone] === undefined) rmSync(this.#fileOf(zone), { force: true })
      else this.#write(zone, records[zone])
    }
    const key = this.#key
    const provide = key === null ? '' : `  provide-xfr: 127.0.0.1 ${key.name}\n`
    const zones = this.zones.map((zone) => `zone:\n  name: "${zone}"\n  zonefile: "${this.#fileOf(zone)}"\n${provide}`)
    const keys =
      key === null ? '' : `key:\n  name: "${key.name}"\n  algorithm: ${key.algorithm}\n  secret: "${key.secret}"\n`
    await this.run(
      `${keys}server:
  ip-address: 127.0.0.1@${this.port}
  server-count: 1
  database: ""
  username: ""
  pidfile: ""
  zonesdir: "${this.folder}"
  xfrdfile: "${this.folder}/xfrd.state"
  zonelistfile: "${this.folder}/zone.list"
  rrl-ratelimit: 0
remote-control:
  control-enable: no
${zones.join('')}`,
      this.zones[0],
    )
    return this
  }

  change(zone: string, records: string): void {
    this.#write(zone, records)
    this.signal('SIGHUP')
  }

  #fileOf(zone: string): string {
    return join(this.folder, `${zone}.zone`)
  }

  /** The serial number grows with time, and a name that is not there is not for a second. */
  #write(zone: string, records: string): void {
    const serial = Math.floor(Date.now() / 100) % 0x7fff_ffff
    const soa = `@ 60 SOA ns.${zone}. hostmaster.${zone}. ${serial} 3600 600 86400 1`
    writeFileSync(this.#fileOf(zone), `$ORIGIN ${zone}.\n${soa}\n@ 60 NS ns.${zone}.\nns 60 A 127.0.0.1\n${records}\n`)
  }
}

export interface UnboundOptions {
  /** Where it asks about zones. */
  stubs?: Record<string, number>
  /** More lines of its section `server`. */
  lines?: readonly string[]
}

/** Answers in the clear and over TLS. */
export class Unbound extends NameServer {
  tlsPort = 0

  constructor() {
    super('unbound')
  }

  async start({ stubs = {}, lines = [] }: UnboundOptions): Promise<this> {
    this.port = await freePort()
    this.tlsPort = await freePort()
    const zones = Object.entries(stubs).map(
      ([zone, port]) => `stub-zone:\n  name: "${zone}"\n  stub-addr: 127.0.0.1@${port}\n`,
    )
    await this.run(
      `server:
  interface: 127.0.0.1@${this.port}
  interface: 127.0.0.1@${this.tlsPort}
  tls-port: ${this.tlsPort}
  tls-service-pem: "${certificates.certificate}"
  tls-service-key: "${certificates.key}"
  do-daemonize: no
  chroot: ""
  username: ""
  directory: "${this.folder}"
  pidfile: ""
  use-syslog: no
  module-config: "iterator"
  do-not-query-localhost: no
  infra-keep-probing: yes
  infra-host-ttl: 1
  local-zone: "ready." static
  ${lines.join('\n  ')}
remote-control:
  control-enable: no
${zones.join('')}`,
      'ready',
    )
    return this
  }
}
