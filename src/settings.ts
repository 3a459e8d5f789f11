// Forms of settings that several parts have.
import { Type } from 'typebox'

/** Whole seconds within bounds. */
export const seconds = (text: string, value: number, minimum: number, maximum: number) =>
  Type.Integer({ description: `${text} Seconds.`, default: value, minimum, maximum })
