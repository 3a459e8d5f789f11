// The episodes of an attack: each lasts from a beginning to an end that was reported. One that is over stays as it was when the next began.
import type { AttackTraffic } from './attack-traffic.ts'
import type { Amount, Episode, ResumedIncident, VectorShare, Worst } from './incident-report.ts'
import { addSums, averagesOf, noSums, type Sums, Tally, type TallyTraffic, vectorsOf } from './tally.ts'

/** The classes of the attack's vectors, with the packets a second below which each is quiet. */
export type QuietBelow = ReadonlyMap<number, { quietBelow: number }>

export class Episodes {
  /** Sums of all episodes before the latest. */
  #before: Sums = noSums
  #worst: Worst = { packetsPerSecond: 0, bytesPerSecond: 0 }
  #number = 0
  /** Beginning of the latest episode. Unix time, seconds. */
  startSecond: number
  #tally: Tally
  /** The last second of activity so far. Unix time, seconds. */
  lastSecond: number

  constructor(startSecond: number) {
    this.startSecond = startSecond
    this.#tally = new Tally(startSecond)
    this.lastSecond = startSecond
  }

  /** Continues what was reported before the service was started again at `upSecond`. */
  resume({ episode, endMs, vectors, worst, ...whole }: ResumedIncident, upSecond: number): void {
    const ofEpisode = sumsOf(episode, [])
    const ofWhole = sumsOf(whole, vectors)
    this.#before = {
      ...ofWhole,
      seconds: ofWhole.seconds - ofEpisode.seconds,
      packets: ofWhole.packets - ofEpisode.packets,
      bytes: ofWhole.bytes - ofEpisode.bytes,
      flows: ofWhole.flows - ofEpisode.flows,
    }
    // The averages of a first episode are all that it has: they may still become lower.
    this.#worst = episode.number === 0 ? this.#worst : worst
    this.#number = episode.number
    this.startSecond = episode.startMs / 1000
    this.#tally = new Tally(this.startSecond, { sums: ofEpisode, second: endMs / 1000, upSecond })
    this.lastSecond = endMs / 1000 - 1
  }

  /** Begins another episode. */
  begin(startSecond: number, traffic: AttackTraffic, parts: QuietBelow): void {
    const ofEpisode = this.#sums(traffic, parts)
    this.#before = addSums(this.#before, ofEpisode)
    this.#worst = worseOf(this.#worst, averagesOf(ofEpisode))
    this.#number++
    this.startSecond = startSecond
    this.#tally = new Tally(startSecond)
    this.lastSecond = Math.max(this.lastSecond, startSecond)
  }

  /** Keeps seconds active that were so until now, before the attack is followed by another class. */
  keepActive(traffic: AttackTraffic, parts: QuietBelow): void {
    this.#sums(traffic, parts)
  }

  /** Whether late records can't change the amounts any more, if the attack stays over. */
  get isSettled(): boolean {
    return this.#tally.isSettled(this.lastSecond)
  }

  settle(traffic: AttackTraffic, parts: QuietBelow, nowSecond: number): void {
    this.#tally.settle(tallyTraffic(traffic, parts), this.lastSecond, nowSecond)
  }

  /** The amounts so far, of the whole attack and of its latest episode. */
  state(
    traffic: AttackTraffic,
    parts: QuietBelow,
  ): Amount & { worst: Worst; episode: Episode; vectors: VectorShare[] } {
    const ofEpisode = this.#sums(traffic, parts)
    const whole = addSums(this.#before, ofEpisode)
    const episode = {
      ...amountOf(ofEpisode),
      number: this.#number,
      startMs: this.startSecond * 1000,
      endMs: (this.lastSecond + 1) * 1000,
    }
    return { ...amountOf(whole), worst: worseOf(this.#worst, episode), episode, vectors: vectorsOf(whole) }
  }

  /** Whether late records have added to the latest episode since its last report. */
  hasGrown(traffic: AttackTraffic, parts: QuietBelow): boolean {
    const { reported } = this.#tally
    const { packets, seconds } = this.#sums(traffic, parts)
    return packets > reported.packets || seconds > reported.seconds
  }

  #sums(traffic: AttackTraffic, parts: QuietBelow): Sums {
    return this.#tally.sums(tallyTraffic(traffic, parts), this.lastSecond)
  }
}

function worseOf(a: Worst, b: Worst): Worst {
  return {
    packetsPerSecond: Math.max(a.packetsPerSecond, b.packetsPerSecond),
    bytesPerSecond: Math.max(a.bytesPerSecond, b.bytesPerSecond),
  }
}

function tallyTraffic({ ofTotal, ringOf, labelled }: AttackTraffic, parts: QuietBelow): TallyTraffic {
  const ofVectors = Array.from(parts, ([trafficClass, { quietBelow }]) => ({ ring: ringOf(trafficClass), quietBelow }))
  return { ofTotal, ofVectors, labelled }
}

function amountOf(sums: Sums): Amount {
  return { ...averagesOf(sums), peak: { ...sums.peak } }
}

function sumsOf(
  { activeSeconds: seconds, packetsPerSecond, bytesPerSecond, flowsPerSecond, peak }: Amount,
  vectors: readonly VectorShare[],
): Sums {
  const packets = packetsPerSecond * seconds
  return {
    seconds,
    packets,
    bytes: bytesPerSecond * seconds,
    flows: flowsPerSecond * seconds,
    packetsByLabel: new Map(vectors.map(({ label, share }) => [label, share * packets])),
    peak: { ...peak },
  }
}
