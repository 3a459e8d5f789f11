// The evidence of a target's last moments, so that an incident has what came before it was judged: two epochs, of which the older is dropped.
import { Evidence, type EvidenceLimits } from '../aggregate/evidence.ts'
import type { Places } from '../aggregate/top-items.ts'

/** An incident takes one to two epochs of what came before it. */
const epochMs = 15_000

export class RecentEvidence {
  #older: Evidence
  #newer: Evidence
  #epochStartMs: number

  constructor(limits: EvidenceLimits, places: Places, nowMs: number) {
    this.#older = new Evidence(limits, places)
    this.#newer = new Evidence(limits, places)
    this.#epochStartMs = nowMs
  }

  /** Where to add what arrives now. */
  at(nowMs: number): Evidence {
    this.#turn(nowMs)
    return this.#newer
  }

  copyInto(evidence: Evidence, nowMs: number): void {
    this.#turn(nowMs)
    evidence.addAll(this.#older)
    evidence.addAll(this.#newer)
  }

  /** True when all of it is older than two epochs. */
  isOver(nowMs: number): boolean {
    return nowMs - this.#epochStartMs >= 2 * epochMs
  }

  release(): void {
    this.#older.release()
    this.#newer.release()
  }

  #turn(nowMs: number): void {
    if (nowMs - this.#epochStartMs < epochMs) return
    if (this.isOver(nowMs)) this.#newer.release()
    this.#older.release()
    const turned = this.#older
    this.#older = this.#newer
    this.#newer = turned
    this.#epochStartMs = nowMs
  }
}
