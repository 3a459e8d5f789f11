// What an endpoint is declared as: a route, the shapes of what it takes and answers, and an example of both.
import type { Static, TSchema } from 'typebox'

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base address, with path parameters in braces (OpenAPI's form). */
  path: `/${string}`
  /** Scope that the caller's token must have; `any`: any will do; `public`: no credentials are needed. Who has signed in needs the role alone. */
  scope: 'read' | 'write' | 'admin' | 'any' | 'public'
  /** The role that the user must have, or one that may do more (`viewer`, `member`, `admin`); null: no credentials are needed. */
  role: 'viewer' | 'member' | 'admin' | null
  /** A token for `admin` will do as well, and is shown what belongs to others. */
  adminSeesAll?: true
  tag: 'Overview' | 'Traffic' | 'Sites' | 'Events' | 'Targets' | 'Names' | 'Exporters' | 'Accounts' | 'Audit' | 'Alerts'
  summary: string
  description: string
  /** The body is JSON lines (`application/x-ndjson`); its shape is that of one line. */
  takesLines?: true
  /** The answer is JSON lines; its shape is that of one line. */
  givesLines?: true
  /** The answer is a table (`text/csv`). */
  givesCsv?: true
  /** The answer is server-sent events (`text/event-stream`), until the connection ends. */
  givesStream?: true
  /** A browser that goes there is given a page (`text/html`), of errors, too. */
  givesPage?: true
  /** A form of such a page may send to it; what is in it does not matter. */
  takesForm?: true
  /** The answer may be a page, with a `Link` header to the next one. */
  givesPages?: true
  /** The resource that the path names may not exist: 404. */
  mayBeMissing?: true
  /** It creates something, once for each `Idempotency-Key`; `with secret`: the answer has a secret, and is not kept for a repetition. */
  createsOnce?: true | 'with secret'
  /** The request may contradict what exists already: 409. */
  mayConflict?: true
  /** Links of OpenAPI: endpoints whose path parameter `id` is a value in the answer, by the name of the link. */
  links?: Readonly<Record<string, { endpoint: string; id: string; description: string }>>
}

export interface Shapes {
  params?: TSchema
  query?: TSchema
  body?: TSchema
  response: TSchema
}

/** A part of what an endpoint takes or gives as a type; undefined when it has no such part. */
export type Part<Declared extends Shapes, Key extends keyof Shapes> = Declared extends {
  [K in Key]: infer Shape extends TSchema
}
  ? Static<Shape>
  : undefined

export type Example<Declared extends Shapes> = { response: Static<Declared['response']> } & (Part<
  Declared,
  'body'
> extends undefined
  ? object
  : { body: Part<Declared, 'body'> })

export interface Endpoint {
  route: Route
  shapes: Shapes
  example: { body?: unknown; response: unknown }
}

/** Declares an endpoint. The compiler holds its example against its shapes. */
export function endpoint<const Declared extends Route, Its extends Shapes>(
  route: Declared,
  shapes: Its,
  example: Example<Its>,
): { route: Declared; shapes: Its; example: Example<Its> } {
  return { route, shapes, example }
}
