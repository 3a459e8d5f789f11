// The vectors of an attack, each a traffic class that it is followed by, and which of them gives it its label.
import { total } from '../../vectors/compile.ts'
import type { Candidate } from '../judge/candidates.ts'
import { type Alarm, quietBelow } from '../judge/judge.ts'
import { incidents as lines } from '../lines/incidents.ts'
import { judgement } from '../lines/judgement.ts'
import type { RingOf } from './attack-traffic.ts'
import type { Why } from './incident-report.ts'

/** One vector of an attack. */
export interface AttackVector {
  label: string | null
  /** See `Vector.besides`. */
  besides: readonly string[]
  /** Rate of its class below which it is quiet. Packets a second. */
  quietBelow: number
  /** Null after a restart, when it is not known. */
  why: Why | null
}

/** What an attack accompanies: fragments the service whose answers they are parts of. */
export interface Companion {
  trafficClass: number
  label: string
  /** Its normal rate, packets a second. */
  normal: number
}

export type TrafficKind = Pick<Candidate, 'trafficClass' | 'label' | 'besides'>

export class AttackVectors {
  /** The class of the vector that names the attack. */
  trafficClass: number
  label: string | null
  readonly #startSecond: number
  readonly #byClass = new Map<number, AttackVector>()

  /** `startSecond`: where the attack began, Unix time, seconds. */
  constructor(startSecond: number, { trafficClass, label, besides, alarm }: TrafficKind & { alarm: Alarm }) {
    this.#startSecond = startSecond
    this.trafficClass = trafficClass
    this.label = label
    this.#set(trafficClass, { label, besides, alarm })
  }

  /** The vectors by traffic class. */
  get byClass(): ReadonlyMap<number, AttackVector> {
    return this.#byClass
  }

  has(trafficClass: number): boolean {
    return this.#byClass.has(trafficClass)
  }

  /** Replaces all of them by those from before a restart; the first names the attack as before. */
  resume(vectors: ReadonlyMap<number, AttackVector>): void {
    this.#byClass.clear()
    for (const [trafficClass, vector] of vectors) this.#byClass.set(trafficClass, vector)
  }

  /** Replaces all of them by the one that shows the attack on a wider network. */
  replace({ trafficClass, label, besides, alarm }: Candidate): void {
    this.trafficClass = trafficClass
    this.label = label
    this.#byClass.clear()
    this.#set(trafficClass, { label, besides, alarm })
  }

  /** Whether traffic is of one of them. Two ports may have one label; what accompanies an attack is part of it. */
  includes({ trafficClass, label, besides }: TrafficKind): boolean {
    if (this.#byClass.has(trafficClass)) return true
    const labels = [...this.#byClass.values()].flatMap((vector) => vector.label ?? [])
    return labels.some((own) => own === label || besides.some((attack) => own.startsWith(attack)))
  }

  /** The attack came back: `alarm` shows the class. */
  reopen(trafficClass: number, alarm: Alarm): void {
    const vector = this.#byClass.get(trafficClass)
    if (vector !== undefined) vector.quietBelow = quietBelow(alarm)
  }

  /** Raises the rates below which vectors are quiet to this, packets a second. */
  raiseQuiet(rate: number): void {
    for (const vector of this.#byClass.values()) vector.quietBelow = Math.max(vector.quietBelow, rate)
  }

  add({ trafficClass, label, besides, alarm }: Candidate): void {
    this.#set(trafficClass, { label, besides, alarm })
  }

  /** Gives traffic of unknown kind the label of the vector that it turns out to be; false when it has one already. */
  name({ trafficClass, label, alarm }: Candidate): boolean {
    const vector = this.#byClass.get(trafficClass)
    if (label === null || vector === undefined || vector.label !== null) return false
    this.#byClass.set(trafficClass, { ...vector, label, why: alarm.why })
    return true
  }

  /** Adds what the attack accompanies, although it is too little to be judged by itself; false when it is one of them already. */
  addCompanion({ trafficClass, label, normal }: Companion): boolean {
    const own = this.#byClass.get(this.trafficClass)
    if (own === undefined || this.#byClass.has(trafficClass)) return false
    const quiet = Math.max(own.quietBelow, judgement.quietRatio * normal)
    this.#byClass.set(trafficClass, { label, besides: [], quietBelow: quiet, why: own.why })
    return true
  }

  /**
   * Chooses the vector that names the attack; null when that is the same as before. While the attack is young the heaviest gives the label; not one that only
   * accompanies another, nor one that is little beside traffic of unknown kind. Later a label changes only when there was none, to that of a vector that
   * explains the attack, or when its vector turns out to accompany another.
   */
  chooseMain(ringOf: RingOf, nowSecond: number): AttackVector | null {
    if (this.#byClass.size === 1 && this.label !== null) return null
    const own = this.#byClass.get(this.trafficClass)
    const isYoung = nowSecond - this.#startSecond <= lines.youngSeconds
    if (!isYoung && this.label !== null && (own === undefined || !this.#accompanies(own))) return null
    const main = this.#heaviest(ringOf, nowSecond, isYoung)
    const vector = this.#byClass.get(main)
    if (vector === undefined || (main === this.trafficClass && vector.label === this.label)) return null
    this.trafficClass = main
    this.label = vector.label
    return vector
  }

  #heaviest(ringOf: RingOf, nowSecond: number, isYoung: boolean): number {
    const packetsOf = (trafficClass: number) => ringOf(trafficClass)?.packetsIn(this.#startSecond, nowSecond + 1) ?? 0
    let most = !isYoung && this.label === null ? judgement.explainingShare * packetsOf(total) : -1
    let main = this.trafficClass
    for (const [trafficClass, { label }] of isYoung ? this.#byClass : []) {
      const packets = lines.namingShare * packetsOf(trafficClass)
      if (label !== null || packets <= most) continue
      most = packets
      main = trafficClass
    }
    for (const [trafficClass, vector] of this.#byClass) {
      if (vector.label === null || this.#accompanies(vector)) continue
      const packets = packetsOf(trafficClass)
      if (packets <= most) continue
      most = packets
      main = trafficClass
    }
    return main
  }

  #accompanies({ besides }: AttackVector): boolean {
    if (besides.length === 0) return false
    return besides.some((attack) => this.#byClass.values().some(({ label }) => label?.startsWith(attack)))
  }

  #set(trafficClass: number, { label, besides, alarm }: Omit<TrafficKind, 'trafficClass'> & { alarm: Alarm }): void {
    this.#byClass.set(trafficClass, { label, besides, quietBelow: quietBelow(alarm), why: alarm.why })
  }
}
