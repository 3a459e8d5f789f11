// Progress of long work over a capture: one line on standard error that is written over, and only where a person looks.
import { formatCount } from './output.ts'
import { printable } from './terminal.ts'

const everyMs = 200

export class Progress {
  readonly #name: string
  readonly #capture: { readonly bytesRead: number }
  #shownMs = Date.now()
  #shown = false

  constructor(file: string, capture: { readonly bytesRead: number }) {
    this.#name = file === '-' ? 'standard input' : printable(file)
    this.#capture = capture
  }

  /** Call it often: it writes only now and then. */
  show(text = ''): void {
    if (!process.stderr.isTTY || Date.now() - this.#shownMs < everyMs) return
    this.#shownMs = Date.now()
    this.#shown = true
    process.stderr.write(`\r\x1b[K${this.#name}: ${formatCount(this.#capture.bytesRead, 'B')} read${text}`)
  }

  end(): void {
    if (this.#shown) process.stderr.write('\r\x1b[K')
    this.#shown = false
  }
}
