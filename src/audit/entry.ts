// What the audit log says of a change or of a refusal: who, what, what came of it. Everything in it is bounded and plain, wherever it is shown: it
// comes from outside, and whoever is refused must not write lines of their own into the log.
import type { ErrorCode } from '../errors.ts'

/** session, token: of a user. stranger: nobody that is known. command: the command line, on the data directory. service: the service by itself. */
export const actors = ['session', 'token', 'stranger', 'command', 'service'] as const
export type ActorKind = (typeof actors)[number]

export interface Actor {
  kind: ActorKind
  /** Null: none is known. */
  userId: string | null
  /** The e-mail of the user, the one that a stranger gave, or the account of the machine. */
  name: string
  /** Id of the session or of the token. */
  credential: string
  /** The remote address. */
  address: string
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type Detail = Readonly<Record<string, Json>>

export type Outcome = 'done' | 'refused' | ErrorCode

export interface AuditEntry {
  /** The endpoint by its name, the command in words, or what the service did. */
  kind: string
  actor: Actor
  /** What it was done to. */
  object: string
  /** refused: of refusals with several codes. */
  outcome: Outcome
  /** How many alike the row stands for: refusals that follow each other are counted together. */
  count: number
  detail: Detail
}

const textMax = 254
const listMax = 20
const depthMax = 4
const detailMax = 4_000

/** Control characters, line and paragraph separators, and marks that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about.
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** On one line, without what cannot be seen, cut short. */
export function plainText(text: string, max = textMax): string {
  const plain = text
    .slice(0, max + 1)
    .toWellFormed()
    .replaceAll(unseen, '\ufffd')
  if (plain.length <= max) return plain
  const kept = plain.slice(0, max - 1)
  // No character is cut through.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}

/** The entry as it may be kept. */
export function boundedEntry({ kind, actor, object, outcome, count, detail }: AuditEntry): AuditEntry {
  return {
    kind: plainText(kind, 64),
    actor: {
      kind: actor.kind,
      userId: actor.userId === null ? null : plainText(actor.userId, 64),
      name: plainText(actor.name),
      credential: plainText(actor.credential, 64),
      address: plainText(actor.address, 64),
    },
    object: plainText(object, 1_000),
    outcome,
    count,
    detail: boundedDetail(detail),
  }
}

function boundedDetail(detail: Detail): Detail {
  const bounded = boundedObject(detail, 1)
  return JSON.stringify(bounded).length <= detailMax ? bounded : { omitted: 'it is too long' }
}

function bounded(value: Json, depth: number): Json {
  if (typeof value === 'string') return plainText(value)
  if (value === null || typeof value !== 'object') return value
  if (depth > depthMax) return '…'
  if (!isList(value)) return boundedObject(value, depth)
  const kept = value.slice(0, listMax).map((each) => bounded(each, depth + 1))
  return value.length > listMax ? [...kept, `… ${value.length - listMax} more`] : kept
}

function boundedObject(value: Detail, depth: number): Detail {
  const members = Object.entries(value).slice(0, listMax)
  return Object.fromEntries(members.map(([name, each]) => [plainText(name, 64), bounded(each, depth + 1)]))
}

/** `Array.isArray` does not know lists that are not to be changed. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
