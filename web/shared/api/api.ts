// Calls of the interface from the console, with the session of the browser. What may be asked and what is answered is the contract's.
import { createContext, useContext } from 'react'
import { type ProblemError, problemFrom } from '../../../client/problem.ts'
import { nextWindow } from '../../../client/window.ts'
import { csrfHeader } from '../../../src/contract/header-names.ts'
import { type RouteName, routes } from '../../../src/contract/routes.ts'
import type { Body, Params, Response } from '../../../src/contract/schemas.ts'

export type Search = Readonly<Record<string, string | number | boolean | undefined>>

/** What an endpoint takes: its parts as the contract has them. */
export type Given<Name extends RouteName> = (Params<Name> extends undefined ? object : { params: Params<Name> }) &
  (Body<Name> extends undefined ? object : { body: Body<Name> }) & { search?: Search; signal?: AbortSignal }

export interface Api {
  /** The address that the console was loaded from, with a slash at its end. */
  base: string
  call<Name extends RouteName>(name: Name, given: Given<Name>): Promise<Response<Name>>
  /** One page of a list, and the cursor of the next; undefined: it was the last. */
  callPage<Name extends RouteName>(
    name: Name,
    given: Given<Name>,
  ): Promise<{ body: Response<Name>; cursor: string | undefined }>
  /** The address of an endpoint, for a link or a stream. */
  address<Name extends RouteName>(name: Name, params?: Readonly<Record<string, string>>, search?: Search): string
  /** What the service gave for this session; sent with every change. */
  csrfToken: string | null
  /** Called when the service has answered with what was asked for. */
  onAnswered: () => void
  /** Called when the service no longer knows the session. */
  onSignedOut: () => void
}

const timeoutMs = 30_000

export function createApi(base: string): Api {
  const api: Api = {
    base,
    csrfToken: null,
    onAnswered: () => {},
    onSignedOut: () => {},
    address: (name, params = {}, search = {}) => {
      const path = routes[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
      const url = new URL(path.slice(1), base)
      for (const [key, value] of Object.entries(search)) {
        if (value !== undefined && value !== '') url.searchParams.set(key, String(value))
      }
      return url.href
    },
    call: async (name, given) => {
      const response = await send(api, name, given)
      return answered(await response.json())
    },
    callPage: async (name, given) => {
      const response = await send(api, name, given)
      const cursor = nextWindow(response.headers.get('link'))?.cursor
      return { body: answered(await response.json()), cursor }
    },
  }
  return api
}

async function send<Name extends RouteName>(api: Api, name: Name, given: Given<Name>): Promise<globalThis.Response> {
  const { params, body, search, signal } = plainParts(given)
  const { method } = routes[name]
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await fetch(api.address(name, params, search), {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' || api.csrfToken === null ? {} : { [csrfHeader]: api.csrfToken }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    credentials: 'same-origin',
    redirect: 'error',
    cache: 'no-store',
  })
  // Whether there is a session is what these two ask.
  if (response.status === 401 && name !== 'getSession' && name !== 'signIn') api.onSignedOut()
  if (response.status >= 400) throw await problemFrom(response, Date.now())
  api.onAnswered()
  return response
}

interface Parts {
  params?: Readonly<Record<string, string>>
  body?: unknown
  search?: Search
  signal?: AbortSignal
}

/** What of the contract an endpoint takes is all that is read of it here. */
function plainParts(given: unknown): Parts {
  return given as Parts
}

/** What the service answers is what its contract declares. */
function answered<Shape>(body: unknown): Shape {
  return body as Shape
}

export const isStatus = (error: unknown, ...statuses: number[]): error is ProblemError =>
  error instanceof Error && 'status' in error && statuses.includes(Number(error.status))

const ApiContext = createContext<Api | null>(null)

export const ApiProvider = ApiContext.Provider

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('there is no API above this component')
  return api
}
