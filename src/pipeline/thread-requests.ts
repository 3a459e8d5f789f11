// Requests to a thread: each is answered by a message with its number, or given up after a while.
import { AppError } from '../errors.ts'

const timeoutMs = 5_000

interface Pending<Response> {
  resolve: (response: Response) => void
  timeout: NodeJS.Timeout
}

export class ThreadRequests<Response> {
  readonly #pending = new Map<number, Pending<Response>>()
  #lastId = 0

  /** `send` posts the request to the thread, with its number. Rejects with AppError DETECTION_BUSY when no response comes within five seconds. */
  request(send: (id: number) => void): Promise<Response> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      const timeout = setTimeout(() => {
        this.#pending.delete(id)
        reject(new AppError('DETECTION_BUSY', `no answer within ${timeoutMs} ms`))
      }, timeoutMs)
      this.#pending.set(id, { resolve, timeout })
      send(id)
    })
  }

  /** The thread has responded. A response that comes too late is dropped. */
  respond(id: number, response: Response): void {
    const pending = this.#pending.get(id)
    if (pending === undefined) return
    this.#pending.delete(id)
    clearTimeout(pending.timeout)
    pending.resolve(response)
  }
}
