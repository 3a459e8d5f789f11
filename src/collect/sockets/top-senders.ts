// Finds the senders of most datagrams out of any number, in fixed room (Metwally, Agrawal, El Abbadi, "Efficient Computation of Frequent and Top-k
// Elements in Data Streams", 2005): a new sender takes the place and the count of the least, so that nobody who sends much is missed.
import { type RefusedSender, sendersMax } from '../health/reception.ts'

export class TopSenders {
  readonly #senders = new Map<string, RefusedSender>()

  note(address: string, nowMs: number): void {
    const sender = this.#senders.get(address) ?? this.#open(address)
    sender.datagrams++
    sender.lastMs = nowMs
  }

  /** The senders, the one of most datagrams first. */
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
    const sender = { address, datagrams, lastMs: 0, workedBefore: false }
    this.#senders.set(address, sender)
    return sender
  }
}
