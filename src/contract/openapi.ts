// The description of the interface in OpenAPI 3.1, made from the endpoints.
import type { TSchema } from 'typebox'
import { type EndpointName, endpointNames, endpoints, namedShapes } from './endpoints.ts'
import { csrfHeader, headerNames, vendorDefault } from './header-names.ts'
import { bodyBytesMax, importBytesMax } from './limits.ts'
import { webhooksOf } from './openapi-webhooks.ts'
import { type Json, plain } from './plain.ts'
import { hasEntityTag, headerParametersOf, idempotencyHours } from './request-headers.ts'
import type { Endpoint, Route } from './route.ts'

export interface OpenApiOptions {
  /** The word in the names of the authentication headers. */
  vendor?: string
  /** The base address; empty: where the description itself comes from. */
  url?: string
}

const tags = [
  { name: 'Overview', description: 'The overview, the search and the status.' },
  { name: 'Traffic', description: 'Traffic over time.' },
  { name: 'Sites', description: 'The hosts that are monitored for the caller.' },
  { name: 'Events', description: 'DDoS attacks and anomalous spikes of traffic against them.' },
  { name: 'Targets', description: 'Watched addresses, as the detector sees them.' },
  { name: 'Names', description: 'Names and addresses over time: passive DNS.' },
  { name: 'Exporters', description: 'The routers and probes that send flow records to this service.' },
  { name: 'Accounts', description: 'Users, sessions and tokens.' },
  { name: 'Audit', description: 'Who has changed what, and what was refused.' },
  { name: 'Alerts', description: 'Where users are told about attacks, and what became of it.' },
]

const problems: readonly { status: number; name: string; description: string; when?: (route: Route) => boolean }[] = [
  { status: 400, name: 'BadRequest', description: 'The query, the path or the body is not valid.' },
  { status: 401, name: 'Unauthenticated', description: 'The credentials are missing or wrong.' },
  {
    status: 403,
    name: 'Forbidden',
    description: 'The credentials are not good for this, or the request comes from a page of another service.',
  },
  {
    status: 404,
    name: 'NotFound',
    description: 'There is no such resource.',
    when: ({ mayBeMissing = false }) => mayBeMissing,
  },
  {
    status: 409,
    name: 'Conflict',
    description: 'The request conflicts with what exists already.',
    when: ({ mayConflict = false, createsOnce }) => mayConflict || createsOnce !== undefined,
  },
  {
    status: 422,
    name: 'Unprocessable',
    description: 'The `Idempotency-Key` was used for another request.',
    when: ({ createsOnce }) => createsOnce !== undefined,
  },
  { status: 405, name: 'MethodNotAllowed', description: 'The path does not take this method.' },
  { status: 408, name: 'RequestTimeout', description: 'The request took too long to arrive.' },
  {
    status: 413,
    name: 'TooLarge',
    description: `The body is larger than ${bodyBytesMax} octets (of an import ${importBytesMax}), or has too many hosts.`,
    when: takesBody,
  },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    description: 'The body is not `application/json` (of an import `application/x-ndjson`).',
    when: takesBody,
  },
  {
    status: 429,
    name: 'TooManyRequests',
    description: 'The quota of the token, or of failures from the address, is used up; or another import runs.',
  },
  { status: 431, name: 'HeadTooLarge', description: 'The header fields are too large.' },
  { status: 500, name: 'InternalError', description: 'The service met an internal error.' },
  {
    status: 503,
    name: 'Unavailable',
    description: 'The store or the detector does not answer.',
  },
]

const headers: Record<string, { description: string; schema: Json; example: string }> = {
  RateLimit: {
    description:
      'What is left of the quota (`r`) and in how many seconds it is whole again (`t`). Absent when there is no limit.',
    schema: { type: 'string' },
    example: '"token";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: 'The quota (`q`) and its window in seconds (`w`). Absent when there is no limit.',
    schema: { type: 'string' },
    example: '"token";q=600;w=60',
  },
  'Retry-After': {
    description: 'Seconds after which the request may be repeated.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '5',
  },
  'WWW-Authenticate': {
    description: 'What authentication is asked for.',
    schema: { type: 'string' },
    example: 'SVC-AuthToken realm="floodgauge"',
  },
  Allow: { description: 'The methods that the path takes.', schema: { type: 'string' }, example: 'GET, HEAD, OPTIONS' },
  ETag: {
    description:
      'What tells this answer from another one of the same address, for `If-None-Match`. Absent where it is sent in pieces.',
    schema: { type: 'string' },
    example: 'W/"kq8w3ZVn0c7w2yQmJx5h1RzB4dE"',
  },
  'Idempotency-Replayed': {
    description: `\`true\`: the answer is that of an earlier request with the same \`Idempotency-Key\`, of the last ${idempotencyHours} hours. Absent otherwise.`,
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Link: {
    description: 'The next page (`rel="next"`), when there is one.',
    schema: { type: 'string' },
    example: '</open/event/ddos?limit=100&cursor=015aad64f0b058bfd7ae1f0a4b3c9d2e6f70>; rel="next"',
  },
}

/** Either will do. */
const secured = [
  { AuthToken: [], AuthEmail: [] },
  { Session: [], CsrfToken: [] },
] as const

/** Beside them, wherever it is not `/open`. */
const bearer = { Bearer: [] } as const

const quotaHeaders = ['RateLimit', 'RateLimit-Policy']
const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: quotaHeaders,
  404: quotaHeaders,
  405: ['Allow'],
  429: [...quotaHeaders, 'Retry-After'],
  503: ['Retry-After'],
}

export function buildOpenApi({ vendor = vendorDefault, url = '' }: OpenApiOptions = {}) {
  const names = headerNames(vendor)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Site monitoring and DDoS event service',
      version: '1.0.0',
      summary: 'Register sites, read the attacks on them.',
      description: `Every call carries a token and the e-mail of its owner, in \`${names.token}\` and \`${names.email}\`; or the token alone, as \`Authorization: Bearer\`, everywhere but under \`/open\`; or, from a browser, the cookie of a session. All bodies are JSON. Times in answers are like \`2017-03-08T10:09:18+00:00\`. Every path is also answered with a slash at its end. \`HEAD\` is taken wherever \`GET\` is. Errors are problem details (RFC 9457).`,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: url === '' ? '/' : url, description: 'This service' }],
    security: [...secured],
    tags,
    paths: Object.fromEntries(
      [...Map.groupBy(endpointNames(), (name) => endpoints[name].route.path)].map(([path, names]) => [
        path,
        Object.fromEntries(names.map((name) => [endpoints[name].route.method.toLowerCase(), operationOf(name)])),
      ]),
    ),
    webhooks: webhooksOf(),
    components: {
      securitySchemes: {
        AuthToken: { type: 'apiKey', in: 'header', name: names.token, description: "The user's token." },
        AuthEmail: {
          type: 'apiKey',
          in: 'header',
          name: names.email,
          description: 'The e-mail of the user; case does not matter.',
        },
        Bearer: {
          type: 'http',
          scheme: 'bearer',
          description: "The user's token alone, everywhere but under `/open`.",
        },
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-floodgauge',
          description: 'What signing in sets; over plain HTTP its name is `floodgauge`.',
        },
        CsrfToken: {
          type: 'apiKey',
          in: 'header',
          name: csrfHeader,
          description: 'With a session, and whatever changes something: `csrfToken` of `/api/v1/session`.',
        },
      },
      schemas: Object.fromEntries(Object.entries(namedShapes).map(([name, schema]) => [name, plain(schema, schema)])),
      headers,
      responses: Object.fromEntries(problems.map((problem) => [problem.name, problemResponse(problem)])),
    },
  }
}

function operationOf(name: EndpointName): Json {
  const { route, shapes, example }: Endpoint = endpoints[name]
  const parameters = [
    ...parametersOf('path', shapes.params),
    ...parametersOf('query', shapes.query),
    ...headerParametersOf(route),
  ]
  const applying = problems.filter(({ when }) => when?.(route) ?? true)
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}\n\n${needOf(route)}`,
    ...securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(shapes.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: contentOf(shapes.body, example.body, { givesLines: route.takesLines }),
          },
        }),
    responses: {
      '200': {
        description: 'The answer.',
        headers: headerRefs(answerHeaders(route)),
        content: contentOf(shapes.response, example.response, route),
        ...(route.links === undefined ? {} : { links: linksOf(route.links) }),
      },
      ...(hasEntityTag(route)
        ? { '304': { description: 'Nothing has changed.', headers: headerRefs([...quotaHeaders, 'ETag']) } }
        : {}),
      ...Object.fromEntries(
        applying.map((each) => [String(each.status), { $ref: `#/components/responses/${each.name}` }]),
      ),
    },
  }
}

function securityOf({ scope, path }: Route): Json {
  if (scope === 'public') return { security: [] }
  return path.startsWith('/open') ? {} : { security: [...secured, bearer] }
}

function linksOf(links: NonNullable<Route['links']>): Json {
  return Object.fromEntries(
    Object.entries(links).map(([name, { endpoint, id, description }]) => [
      name,
      { operationId: endpoint, parameters: { id }, description },
    ]),
  )
}

function answerHeaders(route: Route): string[] {
  return [
    ...quotaHeaders,
    ...(route.givesPages ? ['Link'] : []),
    ...(hasEntityTag(route) ? ['ETag'] : []),
    ...(route.createsOnce ? ['Idempotency-Replayed'] : []),
  ]
}

function needOf({ scope, role, adminSeesAll }: Route): string {
  if (scope === 'public') return 'It needs no credentials.'
  if (scope === 'any') return 'Any valid credentials will do.'
  const least =
    role === 'viewer' ? 'Every user may call it' : `It takes ${role === 'admin' ? 'an admin' : 'a member or an admin'}`
  return `${least}; a token needs the scope \`${scope}\`${adminSeesAll ? ' or `admin`' : ''}.`
}

function takesBody({ method }: Route): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

function parametersOf(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  if (schema === undefined) return []
  const { properties, required = [] } = keywordsOf(schema)
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const { description, examples: own, ...rest } = plain(property)
    return {
      name,
      in: place,
      required: required.includes(name),
      description,
      schema: rest,
      example: Array.isArray(own) ? own[0] : undefined,
    }
  })
}

function problemResponse({ status, description }: (typeof problems)[number]): Json {
  const example = { title: description.replace(/\.$/, ''), status, detail: description }
  return {
    description,
    headers: headerRefs(headersByStatus[status] ?? []),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example } },
  }
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** `areLines`: JSON lines, as the schema has one of them, which a description of OpenAPI 3.1 can only say in words. */
function contentOf(
  schema: TSchema,
  value: unknown,
  {
    givesLines,
    givesCsv,
    givesStream,
    givesPage,
  }: Pick<Route, 'givesCsv' | 'givesStream' | 'givesPage'> & { givesLines?: boolean | undefined },
): Json {
  if (givesStream) return { 'text/event-stream': { schema: plain(schema), examples: { example: { value } } } }
  if (givesCsv) return { 'text/csv': { schema: plain(schema), examples: { example: { value } } } }
  if (givesLines) {
    const lines = { type: 'string', description: 'JSON lines.', 'x-line': plain(schema) }
    return { 'application/x-ndjson': { schema: lines, examples: { example: { value: `${JSON.stringify(value)}\n` } } } }
  }
  const page = givesPage ? { 'text/html': { schema: { type: 'string' } } } : {}
  return { 'application/json': { schema: plain(schema), examples: { example: { value } } }, ...page }
}

/** A TypeBox schema is a JSON schema object, though its type does not say so. */
function keywordsOf(schema: TSchema): { properties?: Record<string, TSchema>; required?: string[] } {
  return schema as { properties?: Record<string, TSchema>; required?: string[] }
}
