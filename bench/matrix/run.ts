// Runs a cell of the matrix: an attack, or other traffic, at a host, through folder and detector in virtual time.
import { Value } from 'typebox/value'
import { ManualClock } from '../../src/clock.ts'
import type { SavedBaselines } from '../../src/detect/normal/saved-baselines.ts'
import { detectSettings } from '../../src/detect/settings.ts'
import { SingleThreadPipeline } from '../../src/pipeline/single-thread.ts'
import type { Attack, Sources } from './attacks.ts'
import type { Benign } from './benign.ts'
import { type HostName, hosts } from './hosts.ts'
import { createNumbers, Sender } from './sender.ts'

export interface Exporter {
  samplingRate: number
  seed: number
}

/** An event, as it was when everything was over. */
export interface Found {
  label: string | null
  /** From the first packet to the first report, seconds. */
  delaySeconds: number
}

const startMs = 1_800_000_000_000
const network = 0xcb00_7100
const victim = network + 10
/** Addresses of the network that a carpet goes to. */
const addresses = 256
/** Longer than it takes to learn what is normal, and for late records. */
const learnSeconds = 1_500
/** How long the usual traffic comes before an attack: what came before is compared with it. */
const beforeSeconds = 120
/** After the end of the traffic; longer than an event takes to end. */
const afterSeconds = 60
/** How long traffic that is no attack lasts. */
const benignSeconds = 300

class Lab {
  readonly #clock: ManualClock
  readonly #pipeline: SingleThreadPipeline
  readonly #sender: Sender
  readonly #found = new Map<string, { label: string | null; atMs: number }>()

  /** Without `normal` hardly anything is an attack: it is to be learnt. */
  constructor({ samplingRate, seed }: Exporter, normal?: readonly SavedBaselines[]) {
    this.#clock = new ManualClock(Math.max(startMs, ...(normal ?? []).map(({ savedMs }) => savedMs)))
    const off =
      normal === undefined ? { sensitivity: 0.1, packetsPerSecond: 0, bytesPerSecond: 0, flowsPerSecond: 0 } : {}
    this.#pipeline = new SingleThreadPipeline({
      clock: this.#clock,
      settings: Value.Parse(detectSettings, Value.Default(detectSettings, off)),
      watched: Uint32Array.of(network, network + addresses - 1),
    })
    this.#pipeline.detection.detector.restore(normal ?? [], this.#clock.now())
    const { ingest } = this.#pipeline
    this.#sender = new Sender({ fold: (batch) => ingest.fold(batch), samplingRate, random: createNumbers(seed) })
  }

  get nowMs(): number {
    return this.#clock.now()
  }

  get found(): { label: string | null; atMs: number }[] {
    return [...this.#found.values()]
  }

  get normal(): SavedBaselines[] {
    return this.#pipeline.detection.detector.takeBaselines({ all: true })
  }

  /** A second of traffic, each to its address. */
  second(...traffic: { to: number; send: (sender: Sender) => void }[]): void {
    this.#sender.begin(this.nowMs)
    for (const { to, send } of traffic) {
      this.#sender.victim = to
      send(this.#sender)
      this.#sender.end()
    }
    this.#clock.advance(1_000)
    for (const { incident, label } of this.#pipeline.step()) {
      const known = this.#found.get(incident)
      this.#found.set(incident, { label, atMs: known?.atMs ?? this.nowMs })
    }
  }
}

/** What is normal for a host, and its neighbours, behind an exporter. */
export function learnHost(name: HostName, exporter: Exporter): SavedBaselines[] {
  return learn(exporter, hosts[name])
}

export function learnBenign(kind: Benign, exporter: Exporter): SavedBaselines[] {
  return learn(exporter, (sender) => {
    hosts.idle(sender)
    if (kind.times !== undefined) kind.send(sender, 1, 0)
  })
}

function learn(exporter: Exporter, send: (sender: Sender) => void): SavedBaselines[] {
  const lab = new Lab(exporter)
  const neighbours = [1, 3, 20, 40, 90, 150, 200].map((n) => ({ to: network + n, send: hosts.idle }))
  for (let second = 0; second < learnSeconds; second++) lab.second({ to: victim, send }, ...neighbours)
  return lab.normal
}

export interface AttackRun {
  attack: Attack
  host: HostName
  packetsPerSecond: number
  sources: Sources
  lastsSeconds: number
  exporter: Exporter
}

export function runAttack(run: AttackRun, normal: readonly SavedBaselines[]): Found[] {
  const { attack, packetsPerSecond, sources, lastsSeconds } = run
  const lab = new Lab(run.exporter, normal)
  const usual = { to: victim, send: hosts[run.host] }
  for (let second = 0; second < beforeSeconds; second++) lab.second(usual)
  const begunMs = lab.nowMs
  const targets = attack.carpet ? Array.from({ length: addresses }, (_, n) => network + n) : [victim]
  const each = packetsPerSecond / targets.length
  for (let second = 0; second < lastsSeconds; second++) {
    const send = (sender: Sender) => attack.send(sender, each, sources, second)
    lab.second(usual, ...targets.map((to) => ({ to, send })))
  }
  for (let second = 0; second < afterSeconds; second++) lab.second(usual)
  return lab.found.map(({ label, atMs }) => ({ label, delaySeconds: (atMs - begunMs) / 1_000 }))
}

export function runBenign(kind: Benign, exporter: Exporter, normal: readonly SavedBaselines[]): Found[] {
  const lab = new Lab(exporter, normal)
  const idle = { to: victim, send: hosts.idle }
  const begunMs = lab.nowMs
  const { times = 1 } = kind
  for (let second = 0; second < benignSeconds; second++) {
    const to = kind.carpet ? network + (second % addresses) : victim
    lab.second(idle, { to, send: (sender) => kind.send(sender, times, second) })
  }
  for (let second = 0; second < afterSeconds; second++) lab.second(idle)
  return lab.found.map(({ label, atMs }) => ({ label, delaySeconds: (atMs - begunMs) / 1_000 }))
}
