// The senders of most datagrams out of any number, in fixed room (Metwally, Agrawal, El Abbadi, "Efficient Computation of Frequent and Top-k
// Elements in Data Streams", 2005): a new one takes the place of the least, with its count, so that whoever sends much is never missed.
import { type RefusedSender, sendersMax } from './health/reception.ts'

export class TopSenders {
  readonly #senders = new Map<string, RefusedSender>()

  note(address: string, nowMs: number): void {
    const sender = this.#senders.get(address) ?? this.#open(address)
    sender.datagrams++
    sender.lastMs = nowMs
  }

  /** The most first. */
  list(): RefusedSender[] {
    return [...this.#senders.values()].map((sender) => ({ ...sender })).sort((a, b) => b.datagrams - a.datagrams)
  }

  #open(address: string): RefusedSender {
    let datagrams = 0
    if (this.#senders.size >= sendersMax) {
      let least: RefusedSender | null = null
      for (const sender of this.#senders.values()) {
        if (least === null || sender.datagrams < least.datagrams) least = sender
      }
      if (least !== null) {
        datagrams = least.datagrams
        this.#senders.delete(least.address)
      }
    }
    const sender = { address, datagrams, lastMs: 0 }
    this.#senders.set(address, sender)
    return sender
  }
}
