// A TLS server that shows a certificate, and remembers by which names it was asked.
import { readFileSync } from 'node:fs'
import { createSecureContext, createServer } from 'node:tls'
import { certificates } from './dns-server.ts'

export class TlsServer {
  readonly askedFor: string[] = []
  port = 0
  readonly #server

  /** `certificate`: in PEM, more than one is a chain; for the key that all test certificates have. */
  constructor(certificate: string) {
    const context = createSecureContext({ cert: certificate, key: readFileSync(certificates.key) })
    this.#server = createServer({
      SNICallback: (name, done) => {
        this.askedFor.push(name)
        done(null, context)
      },
    })
    this.#server.on('tlsClientError', () => {})
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const bound = this.#server.address()
    this.port = typeof bound === 'object' && bound !== null ? bound.port : 0
    return this
  }

  stop(): void {
    this.#server.close()
  }
}
