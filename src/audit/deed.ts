// What somebody is about to do, until its row is in the audit log: whoever does it says what of it is known on the way.
import { type Actor, type AuditEntry, boundedEntry, type Detail } from './entry.ts'

export class Deed {
  readonly #kind: string
  #actor: Actor
  #object: string
  #detail: Detail
  /** Its row is written. */
  isWritten = false
  /** Nothing that is done from now on belongs to it. */
  isOver = false
  #isWithdrawn = false

  constructor({
    kind,
    actor,
    object = '',
    detail = {},
  }: { kind: string; actor: Actor; object?: string; detail?: Detail }) {
    this.#kind = kind
    this.#actor = actor
    this.#object = object
    this.#detail = detail
  }

  /** Never a secret: what is said here is kept for years, and sent on. */
  tell({ object = this.#object, detail = {} }: { object?: string; detail?: Detail }): void {
    this.#object = object
    this.#detail = { ...this.#detail, ...detail }
  }

  /** It came to nothing: there is no row of it, unless it is written already. */
  withdraw(): void {
    this.#isWithdrawn = true
  }

  get isDue(): boolean {
    return !(this.isWritten || this.#isWithdrawn)
  }

  /** A stranger has shown to be a user. */
  identify(user: { id: string; email: string }): void {
    if (this.#actor.kind === 'stranger') this.#actor = { ...this.#actor, userId: user.id, name: user.email }
  }

  get entry(): AuditEntry {
    const { kind, actor, object, detail } = {
      kind: this.#kind,
      actor: this.#actor,
      object: this.#object,
      detail: this.#detail,
    }
    return boundedEntry({ kind, actor, object, detail, outcome: 'done', count: 1 })
  }
}
