// What the service and its readers say to each other.
import type { ErrorCode } from '../../../errors.ts'
import type { ReadVerb } from './verbs.ts'

export interface ReaderQuestion {
  id: number
  /** What one holder asks is answered one after the other. */
  holder: string
  verb: ReadVerb
  args: readonly unknown[]
}

export type ReaderAnswer =
  /** The value in the form of `node:v8`: whoever reads it knows what that costs. */
  | { id: number; octets: Uint8Array }
  /** An operating error. */
  | { id: number; refusal: { code: ErrorCode; text: string } }
  /** A bug. */
  | { id: number; failure: string }
