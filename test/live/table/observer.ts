// One exporter with what listens to it: a service of its own, nfdump's collector, and a watch over the events of the service.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EventReport } from '../../../client/index.ts'
import { readStream } from '../../../scripts/watch/stream.ts'
import { type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { type Lab, type Running, said } from '../wire/lab.ts'
import type { Bridge } from '../wire/open-vswitch.ts'
import { freeUdpPort, Tap } from '../wire/tap.ts'
import { attacks } from './attacks.ts'
import { startExporter, type TableExporter } from './exporters.ts'

const watchFile = fileURLToPath(new URL('../../../scripts/watch-events.ts', import.meta.url))
const listenEveryMs = 100
/** nfdump reads files that its collector has finished. */
const rotateSeconds = 60

interface Setting {
  lab: Lab
  bridge: Bridge
  number: number
  seconds: number
}

export class Observer {
  readonly exporter: TableExporter
  /** Where nfdump's records are. */
  readonly records: string
  readonly tap = new Tap()
  /** When each event was first told. Unix time, milliseconds. */
  readonly toldMs = new Map<string, number>()
  readonly #setting: Setting
  readonly #folder: string
  readonly #over = new AbortController()
  #service: RunningService | undefined
  #user: FirstUser | undefined
  #ports = { netflow: 0, ipfix: 0, sflow: 0, http: 0 }
  #watch: Running | undefined
  #watched = ''

  constructor(exporter: TableExporter, setting: Setting) {
    this.exporter = exporter
    this.#setting = setting
    this.#folder = join(setting.lab.folder, `observer${setting.number}`)
    this.records = join(this.#folder, 'nfdump')
    mkdirSync(this.records, { recursive: true })
  }

  async start(): Promise<void> {
    const { lab, bridge, number } = this.#setting
    const [netflow, ipfix, sflow, http, collectorPort] = [
      await freeUdpPort(),
      await freeUdpPort(),
      await freeUdpPort(),
      await freeUdpPort(),
      await freeUdpPort(),
    ]
    this.#ports = { netflow, ipfix, sflow, http }
    const service = await this.#serve()
    this.#user = await makeFirstUser(service)
    await this.#addSites()
    const port = await this.tap.open(lab.address, [this.#ports[this.exporter.protocol], collectorPort])
    const { collector } = this.exporter
    lab.start(collector, [
      '-b',
      '127.0.0.1',
      '-p',
      String(collectorPort),
      '-w',
      this.records,
      '-t',
      String(rotateSeconds),
      '-B',
      '8000000',
    ])
    await startExporter(this.exporter, { lab, bridge, to: { address: lab.address, port }, folder: this.#folder })
    void this.#listen()
    this.#startWatch(number === 0)
  }

  /** As an upgrade does it. */
  async restart(): Promise<void> {
    await this.#service?.stop()
    await this.#serve()
  }

  /** All events, whole. */
  async events(): Promise<EventReport[]> {
    const { client } = this.#need()
    const overviews = await client.findEvents()
    const reports = await Promise.all(overviews.map(({ id }) => client.getEventReport(id)))
    return reports.filter((report) => report !== null)
  }

  /** What the watch has said: a line for each breach, and the count at last. */
  get watched(): string {
    return this.#watched
  }

  async watchEnds(timeoutMs: number): Promise<void> {
    const watch = this.#watch
    if (watch === undefined) return
    const endMs = Date.now() + timeoutMs
    while (watch.child.exitCode === null && Date.now() < endMs) await sleep(200)
  }

  async stop(): Promise<void> {
    this.#over.abort()
    this.tap.close()
    await this.#service?.stop()
  }

  get #url(): string {
    return this.#service?.url ?? ''
  }

  async #serve(): Promise<RunningService> {
    const { netflow, ipfix, sflow, http } = this.#ports
    this.#service = await startService(
      { netflow, ipfix, sflow },
      {
        dataFolder: join(this.#folder, 'data'),
        args: ['--http', `127.0.0.1:${http}`],
        env: { FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' },
      },
    )
    return this.#service
  }

  async #addSites(): Promise<void> {
    const { email, token } = this.#need()
    const answer = await fetch(`${this.#url}/api/v1/sites`, {
      method: 'POST',
      headers: { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' },
      body: JSON.stringify({ hosts: attacks.flatMap(({ sites }) => sites) }),
    })
    const body = await answer.text()
    if (!answer.ok || JSON.parse(body).status === 0) throw new Error(`sites: HTTP ${answer.status} ${body}`)
  }

  #startWatch(asksCommandLine: boolean): void {
    const { lab, seconds } = this.#setting
    const { email, token } = this.#need()
    const args = [
      watchFile,
      '--for',
      `${seconds}s`,
      '--every',
      '10s',
      '--json',
      ...(asksCommandLine ? ['--command-line'] : []),
    ]
    this.#watch = lab.start(process.execPath, args, {
      env: { ...process.env, FLOODGAUGE_URL: this.#url, FLOODGAUGE_EMAIL: email, FLOODGAUGE_TOKEN: token },
      onOutput: (text) => {
        this.#watched += text
      },
    })
    this.#watch.child.once('exit', (code) => {
      if (code !== 0 && code !== 1 && this.#watch)
        this.#watched += `the watch ended with ${code}: ${said(this.#watch)}\n`
    })
  }

  async #listen(): Promise<void> {
    const { email, token } = this.#need()
    const headers = { 'x-svc-authemail': email, 'x-svc-authtoken': token }
    const messages = readStream({
      url: `${this.#url}/api/v1/stream`,
      headers,
      signal: this.#over.signal,
      retryMs: 1_000,
    })
    while (!this.#over.signal.aborted) {
      for (const message of messages()) {
        if (message.type === 'event' && !this.toldMs.has(message.id)) this.toldMs.set(message.id, Date.now())
      }
      await sleep(listenEveryMs)
    }
  }

  #need(): FirstUser {
    if (this.#user === undefined) throw new Error(`${this.exporter.name} was not started`)
    return this.#user
  }
}
