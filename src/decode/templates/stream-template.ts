// A template that a stream keeps. It is compiled when its first data comes, not before: whoever sends templates by the thousand has no data for them.
import type { Place } from '../../fair-table.ts'
import type { StreamCounters } from '../counters.ts'
import { compileTemplate, type Plan, type TemplateFields } from './template.ts'

export class Template {
  /** The template record as it came. */
  readonly definition: Uint8Array
  readonly options: boolean
  /** Data has come for it: see `StreamTable.noteUse`. */
  isUsed = false
  /** Its place among the templates of all streams. */
  place: Place<unknown> | null = null
  readonly #counters: StreamCounters
  /** Until it is compiled. */
  #fields: TemplateFields | null
  #plan: Plan | null = null

  constructor(definition: Uint8Array, fields: TemplateFields, counters: StreamCounters) {
    this.definition = definition
    this.options = fields.options
    this.#fields = fields
    this.#counters = counters
  }

  get plan(): Plan {
    return this.#plan ?? this.#compile()
  }

  /** Reads its data another way from now on. */
  replan(fields: TemplateFields): void {
    if (this.#plan === null) this.#fields = fields
    else this.#plan = compileTemplate(fields)
  }

  #compile(): Plan {
    if (this.#fields === null) throw new Error('a template has neither fields nor a plan')
    const plan = compileTemplate(this.#fields)
    this.#counters.unknownFields += plan.unknownFields
    this.#plan = plan
    this.#fields = null
    return plan
  }
}
