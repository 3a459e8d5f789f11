// The parameters of a query, read one by one; all that is wrong with them is said at once.
import { parseTime } from '../../contract/time.ts'
import type { RawQuery } from './endpoints.ts'
import { ProblemError, type ProblemErrors } from './problem.ts'

/** A value that was not given is null; what is wrong has been noted. */
export class QueryReader {
  readonly #query: RawQuery
  readonly errors: ProblemErrors = []

  constructor(query: RawQuery) {
    this.#query = query
  }

  read<Value>(parameter: string, parse: (text: string) => Value | null, expected: string): Value | null {
    const given = this.#query[parameter]
    if (given === undefined) return null
    if (Array.isArray(given)) {
      this.errors.push({ parameter, detail: 'It is given more than once' })
      return null
    }
    const value = parse(given)
    if (value === null) this.errors.push({ parameter, detail: expected })
    return value
  }

  wholeNumber(parameter: string, { min, max }: { min: number; max: number }): number | null {
    const parse = (text: string) => {
      const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? value : null
    }
    return this.read(parameter, parse, `It must be a whole number from ${min} to ${max}`)
  }

  amount(parameter: string): number | null {
    const parse = (text: string) => {
      const value = /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
      return value >= 0 ? value : null
    }
    return this.read(parameter, parse, 'It must be a number from 0')
  }

  time(parameter: string): number | null {
    const expected =
      'It must be a possible date-time: YYYY-MM-DD, YYYY-MM-DD HH:MM:SS (UTC) or YYYY-MM-DDTHH:MM:SS+00:00'
    return this.read(parameter, parseTime, expected)
  }

  /** One of the words. */
  word<Word extends string>(parameter: string, words: readonly Word[]): Word | null {
    const parse = (text: string) => words.find((word) => word === text) ?? null
    return this.read(parameter, parse, `It must be ${words.map((word) => `\`${word}\``).join(' or ')}`)
  }

  /** Text to look for. */
  text(parameter: string, lengthMax: number): string | null {
    const parse = (text: string) => (text.length <= lengthMax ? text.trim().toLowerCase() : null)
    return this.read(parameter, parse, `It must have at most ${lengthMax} characters`)
  }

  /** Throws a ProblemError BAD_REQUEST when something is wrong. */
  check(): void {
    if (this.errors.length > 0) throw new ProblemError('BAD_REQUEST', 'The query is not valid', this.errors)
  }
}
