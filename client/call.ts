// The generic call: any endpoint by its name, with the types of the contract. What an endpoint takes and answers is checked by the compiler;
// nothing of the contract is needed at run time.
import type { Body, endpoints as declared, EndpointName, Params, Query, Response } from '../src/contract/endpoints.ts'
import { endpoints } from './endpoints.ts'
import { ProblemError } from './problem.ts'
import type { Answer, Request } from './request.ts'
import { type EventWindow, nextWindow, type Page } from './window.ts'

export type { EndpointName }

type RouteOf<Name extends EndpointName> = (typeof declared)[Name]['route']

/** Endpoints that answer a table or a stream: they have an address for a link, and are not called. */
type AddressedName = {
  [Name in EndpointName]: RouteOf<Name> extends { givesCsv: true } | { givesStream: true } ? Name : never
}[EndpointName]

export type CallName = Exclude<EndpointName, AddressedName>

/** The body as it is sent; JSON lines are in UTF-8. */
type Sent<Name extends EndpointName> = RouteOf<Name> extends { takesLines: true } ? Uint8Array<ArrayBuffer> : Body<Name>

/** The answer of an endpoint; of JSON lines a list. */
export type Answered<Name extends EndpointName> =
  RouteOf<Name> extends { givesLines: true } ? Response<Name>[] : Response<Name>

/** A parameter that is undefined or empty is left out. */
type Asked<Wanted> = Wanted extends undefined ? undefined : { [Key in keyof Wanted]: Wanted[Key] | undefined }

type Member<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : { [K in Key]: Value }
type OptionalMember<Key extends string, Value> = object extends Value ? { [K in Key]?: Value } : Member<Key, Value>

/** Parameters of the path and of the query. */
export type Place<Name extends EndpointName> = Member<'params', Params<Name>> &
  OptionalMember<'query', Asked<Query<Name>>>

/** What an endpoint takes. */
export type Given<Name extends EndpointName> = Place<Name> &
  Member<'body', Sent<Name>> & { signal?: AbortSignal | undefined }

/** Optional where everything in it is. */
type Optional<Value> = object extends Value ? [given?: Value] : [given: Value]

export interface Caller {
  /** Calls an endpoint and gives its answer; rejects with a ProblemError for a status of 400 and above. */
  call<Name extends CallName>(name: Name, ...given: Optional<Given<Name>>): Promise<Answered<Name>>
  /** One page of a list, with what to ask for next; null: it is the last. */
  page<Name extends CallName>(name: Name, ...given: Optional<Given<Name>>): Promise<AnsweredPage<Name>>
}

export interface AnsweredPage<Name extends EndpointName> {
  body: Answered<Name>
  next: (EventWindow & Page) | null
}

export function createCaller(requester: { send(request: Request): Promise<Answer> }): Caller {
  const send = (name: CallName, given: unknown): Promise<Answer> => {
    const parts = partsOf(given)
    const { body, signal } = parts
    const sent = isLines(body) ? { lines: body } : body === undefined ? {} : { body }
    return requester.send({ method: endpoints[name].method, path: placeOf(name, parts), signal, ...sent })
  }
  return {
    call: async (name, ...[given]) => declaredAnswer((await send(name, given)).body),
    page: async (name, ...[given]) => {
      const { body, headers } = await send(name, given)
      return { body: declaredAnswer(body), next: nextWindow(headers.get('link')) }
    },
  }
}

/** Path and query of an endpoint, below the base address. */
export function addressOf<Name extends EndpointName>(name: Name, place: Place<Name>): string {
  return placeOf(name, partsOf(place))
}

function placeOf(name: EndpointName, { params = {}, query = {} }: PlainParts): string {
  const path = endpoints[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(key, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}

interface PlainParts {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** Every `Given` has these parts, though the compiler cannot see that of one whose name is not known. */
function partsOf(given: unknown): PlainParts {
  return given === undefined ? {} : (given as PlainParts)
}

/** JSON lines are given as bytes. */
function isLines(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array
}

/** What the service answers is what its contract declares; the client checks only what it steps on itself. */
function declaredAnswer<Shape>(body: unknown): Shape {
  if (typeof body !== 'object' || body === null) throw new ProblemError('the answer is no object', { status: 200 })
  return body as Shape
}
