// The exporters whose records a slot has: each address once. A stream's place in the decoder's table may pass on to another within a slot, but
// not within a batch, so the folder asks anew for each batch.

/** As many as a column of 16 bits can tell. */
const exportersMax = 1 << 16

export class ExporterPlaces {
  readonly #exporterAt: (stream: number) => string
  #addresses = ['']
  readonly #places = new Map<string, number>([['', 0]])

  constructor(exporterAt: (stream: number) => string) {
    this.#exporterAt = exporterAt
  }

  /** Where `take` will have its address; 0 when there is no place for another. */
  placeOf(stream: number): number {
    const address = this.#exporterAt(stream)
    const found = this.#places.get(address)
    if (found !== undefined) return found
    if (this.#addresses.length === exportersMax) return 0
    this.#places.set(address, this.#addresses.length)
    return this.#addresses.push(address) - 1
  }

  /** The addresses since the last time, by place; it begins anew. */
  take(): string[] {
    const taken = this.#addresses
    this.#addresses = ['']
    this.#places.clear()
    this.#places.set('', 0)
    return taken
  }
}
