// Writes the row of a deed in the transaction that does it. Which deed a transaction belongs to follows from where it was asked for: the context of
// asynchronous calls carries it, so that no verb of the store takes it as a parameter.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Deed } from '../../../audit/deed.ts'
import type { Database, Transaction } from '../database.ts'
import { number } from '../rows.ts'
import type { ChainWriter } from './chain-writer.ts'

type AnyVerb = (...given: never[]) => Promise<unknown>

export class Journal {
  readonly #deeds = new AsyncLocalStorage<{ deed: Deed; isChange: boolean }>()
  readonly #database: Database
  readonly #chain: ChainWriter
  readonly #countChanges: () => number

  constructor(database: Database, chain: ChainWriter) {
    const count = database.prepare('SELECT total_changes() AS changes')
    this.#database = database
    this.#chain = chain
    this.#countChanges = () => number(count.get() ?? {}, 'changes')
    database.witness = () => this.#begin()
  }

  async answerFor<Result>(deed: Deed, work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await this.#deeds.run({ deed, isChange: false }, work)
      if (deed.isDue) {
        this.#database.write(() => this.#chain.add(deed.entry))
        deed.isWritten = true
      }
      return result
    } finally {
      deed.isOver = true
    }
  }

  /** Whoever signs in is a user from here on. */
  identify(user: { id: string; email: string }): void {
    this.#deeds.getStore()?.deed.identify(user)
  }

  /** The verb as one with which somebody changes something. */
  changing<Verb extends AnyVerb>(verb: Verb): Verb {
    return alike<Verb>((...given) => {
      const deed = this.#deeds.getStore()?.deed
      return deed === undefined ? verb(...given) : this.#deeds.run({ deed, isChange: true }, () => verb(...given))
    })
  }

  #begin(): Transaction | null {
    const { deed, isChange } = this.#deeds.getStore() ?? {}
    if (deed === undefined || !isChange || deed.isWritten || deed.isOver) return null
    const before = this.#countChanges()
    let isDue = false
    return {
      beforeEnd: () => {
        isDue = this.#countChanges() !== before
        if (isDue) this.#chain.add(deed.entry)
      },
      afterEnd: () => {
        deed.isWritten ||= isDue
      },
    }
  }
}

/** It takes what the verb takes and answers what that answers: the wrapper hands both through. */
function alike<Verb extends AnyVerb>(wrapper: AnyVerb): Verb {
  return wrapper as Verb
}
