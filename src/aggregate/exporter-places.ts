// Numbers the exporters whose records a slot has: each address once. Within a slot a place in the decoder's table of streams may pass to another stream,
// but not within a batch, so the folder looks it up again for each batch.

/** Exporters that a column of 16 bits can number. */
const exportersMax = 1 << 16

export class ExporterPlaces {
  readonly #exporterAt: (stream: number) => string
  #addresses = ['']
  readonly #places = new Map<string, number>([['', 0]])

  constructor(exporterAt: (stream: number) => string) {
    this.#exporterAt = exporterAt
  }

  /** The place that `take` will have its address at; 0 when all places are taken. */
  placeOf(stream: number): number {
    const address = this.#exporterAt(stream)
    const found = this.#places.get(address)
    if (found !== undefined) return found
    if (this.#addresses.length === exportersMax) return 0
    this.#places.set(address, this.#addresses.length)
    return this.#addresses.push(address) - 1
  }

  /** The addresses by place, since the last call; numbering starts again. */
  take(): string[] {
    const taken = this.#addresses
    this.#addresses = ['']
    this.#places.clear()
    this.#places.set('', 0)
    return taken
  }
}
