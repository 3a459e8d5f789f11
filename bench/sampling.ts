// How small an attack is found behind an exporter that samples, and how soon: the tables of docs/detect.md, "Behind sampling". The traffic goes through
// decoder, folder and detector in its own time; which packets are sampled is left to chance, and differs in each run. Run: node bench/sampling.ts [RUNS]
import type { SavedBaselines } from '../src/detect/normal/saved-baselines.ts'
import { Device, ExportLab, victim } from '../test/helpers/labs/export.ts'
import { dnsAmplification, type Kind, sampledFlows, synFlood, web } from '../test/helpers/labs/sampled-traffic.ts'
import { createRandom } from '../test/helpers/random.ts'

const runs = Number(process.argv[2] ?? 20)
const samplingRates = [1, 8, 64, 512, 1_024, 4_096, 8_192]
const webPacketsPerSecond = 500
/** Longer than it takes to learn what is normal, and for late records. */
const learnSeconds = 1_500
/** An attack that is not found by then counts as not found. */
const lastsSeconds = 90
/** Packets a second, ascending. */
const sizes = [100, 1_000, 10_000, 100_000].flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((factor) => factor * power))

const attacks: [label: string, kind: Kind][] = [
  ['tcp@attack@syn_flood_target', synFlood],
  ['udp@attack@amp_flood_target-DNS', dnsAmplification],
]

interface Run {
  samplingRate: number
  normal: readonly SavedBaselines[]
  label: string
  kind: Kind
  packetsPerSecond: number
  seed: number
}

/** How long the attack took to be found, seconds; null: it was not. */
function delayOf({ samplingRate, normal, label, kind, packetsPerSecond, seed }: Run): number | null {
  const lab = new ExportLab({ normal })
  const device = new Device(lab, { protocol: 'ipfix', samplingRate })
  const random = createRandom(seed)
  const begunMs = lab.nowMs + 4_000
  for (let second = 0; second < 5 + lastsSeconds; second++) {
    const at = { dst: victim, nowMs: lab.nowMs }
    const flows = sampledFlows(web, { packetsPerSecond: webPacketsPerSecond, samplingRate }, at, random)
    if (second >= 5) flows.push(...sampledFlows(kind, { packetsPerSecond, samplingRate }, at, random))
    device.export(flows)
    lab.endSecond()
    if (lab.reports.some((report) => report.label === label)) return (lab.nowMs - begunMs) / 1_000
  }
  return null
}

function learnt(samplingRate: number): SavedBaselines[] {
  const lab = new ExportLab()
  const device = new Device(lab, { protocol: 'ipfix', samplingRate })
  const random = createRandom(samplingRate)
  const rate = { packetsPerSecond: webPacketsPerSecond, samplingRate }
  lab.run(learnSeconds, () => device.export(sampledFlows(web, rate, { dst: victim, nowMs: lab.nowMs }, random)))
  if (lab.reports.length > 0) throw new Error(`there is an event of visitors at 1:${samplingRate}`)
  return lab.detector.takeBaselines({ all: true })
}

/** The least size that is found in all runs, with how soon it and one ten times as large are found, at the median and at the latest. */
function leastFound(run: Omit<Run, 'packetsPerSecond' | 'seed'>): string[] {
  const seeds = Array.from({ length: runs }, (_, seed) => seed + 1)
  const delaysOf = (packetsPerSecond: number) => {
    const delays: number[] = []
    for (const seed of seeds) {
      const delay = delayOf({ ...run, packetsPerSecond, seed })
      if (delay === null) return null
      delays.push(delay)
    }
    return delays.sort((a, b) => a - b)
  }
  for (const packetsPerSecond of sizes) {
    const delays = delaysOf(packetsPerSecond)
    if (delays === null) continue
    return [packetsPerSecond.toLocaleString('en'), spanOf(delays), spanOf(delaysOf(10 * packetsPerSecond))]
  }
  throw new Error('no attack is large enough')
}

function spanOf(delays: readonly number[] | null): string {
  if (delays === null) return 'not always'
  return `${delays[Math.floor(delays.length / 2)]} (${delays[delays.length - 1]})`
}

for (const name of ['normal is known', 'a new address']) {
  process.stdout.write(
    `\n${name}: of a SYN flood and of a DNS amplification the least, its delay, the delay of ten times as much\n`,
  )
  for (const samplingRate of samplingRates) {
    const normal = name === 'normal is known' ? learnt(samplingRate) : []
    const cells = attacks.flatMap(([label, kind]) => leastFound({ samplingRate, normal, label, kind }))
    process.stdout.write(`| 1:${samplingRate.toLocaleString('en')} | ${cells.join(' | ')} |\n`)
  }
}
