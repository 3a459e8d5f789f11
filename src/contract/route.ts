// What there is to say of an endpoint as plain data, but for its shapes.

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base address, with path parameters in braces (OpenAPI's form). */
  path: `/${string}`
  /** What the caller's token or session must be good for; `any`: for whatever it is; `public`: there need be none. */
  scope: 'read' | 'write' | 'admin' | 'any' | 'public'
  /** True: a token for `admin` will do as well, and is shown what belongs to others. */
  adminSeesAll?: true
  tag: 'Overview' | 'Traffic' | 'Sites' | 'Events' | 'Targets' | 'Names' | 'Exporters' | 'Accounts'
  summary: string
  description: string
  /** The body is JSON lines (`application/x-ndjson`), as its schema has one of them. */
  takesLines?: true
  /** So is the answer. */
  givesLines?: true
  /** The answer is a table (`text/csv`). */
  givesCsv?: true
  /** The answer goes on: server-sent events (`text/event-stream`). */
  givesStream?: true
  /** What the path names may not be there: 404. */
  mayBeMissing?: true
  /** It makes something, and makes it once for each `Idempotency-Key`; `with secret`: its answer has one, which is not kept to be told again. */
  createsOnce?: true | 'with secret'
  /** What is asked for may not go with what is there already: 409. */
  mayConflict?: true
}
