// Questions to a thread, each of which is answered by a message, or given up.
import { AppError } from '../errors.ts'

const answerMs = 5_000

interface Open<Answer> {
  resolve: (answer: Answer) => void
  late: NodeJS.Timeout
}

export class Questions<Answer> {
  readonly #open = new Map<number, Open<Answer>>()
  #last = 0

  /** Rejects with AppError DETECTION_BUSY when there is no answer within five seconds. `send`: asks the thread, with the number of the question. */
  ask(send: (id: number) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = ++this.#last
      const late = setTimeout(() => {
        this.#open.delete(id)
        reject(new AppError('DETECTION_BUSY', `no answer within ${answerMs} ms`))
      }, answerMs)
      this.#open.set(id, { resolve, late })
      send(id)
    })
  }

  /** An answer that comes too late is dropped. */
  answer(id: number, answer: Answer): void {
    const question = this.#open.get(id)
    if (question === undefined) return
    this.#open.delete(id)
    clearTimeout(question.late)
    question.resolve(answer)
  }
}
