// Addresses that there was traffic to not long ago, as far as it is told every now and then.

/** One that is told of no more is forgotten after so long, and up to twice as long. */
const forgetMs = 300_000

export class BusyAddresses {
  #lately = new Set<number>()
  #before = new Set<number>()
  #turnedMs = Number.NEGATIVE_INFINITY

  add(address: number, nowMs: number): void {
    if (Math.abs(nowMs - this.#turnedMs) >= forgetMs) {
      this.#before = this.#lately
      this.#lately = new Set()
      this.#turnedMs = nowMs
    }
    this.#lately.add(address)
  }

  has(address: number): boolean {
    return this.#lately.has(address) || this.#before.has(address)
  }
}
