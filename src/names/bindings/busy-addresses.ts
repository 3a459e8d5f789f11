// Addresses with recent traffic, by reports that come every now and then.

/** An address without a further report is forgotten after this long, and at most twice as long. */
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
