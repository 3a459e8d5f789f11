// Calls of the interface from the console, with the session of the browser. What may be asked and what is answered is the contract's.
import { createContext, useContext } from 'react'
import { addressOf, type Caller, createCaller, type EndpointName, type Place } from '../../../client/call.ts'
import type { ProblemError } from '../../../client/problem.ts'
import { Requester, systemTiming } from '../../../client/request.ts'
import { csrfHeader } from '../../../src/contract/header-names.ts'
import type { Translator } from '../i18n/messages.ts'

export interface Api extends Caller {
  /** The address that the console was loaded from, with a slash at its end. */
  base: string
  /** The address of an endpoint, for a link or a stream. */
  address<Name extends EndpointName>(name: Name, place: Place<Name>): string
  /** What the service gave for this session; sent with every change. */
  csrfToken: string | null
  /** Called when the service has answered with what was asked for. */
  onAnswered: () => void
  /** Called when the service no longer knows the session. */
  onSignedOut: () => void
}

const timeoutMs = 30_000

export function createApi(base: string): Api {
  const requester = new Requester({
    baseUrl: base.replace(/\/$/, ''),
    headers: (method) => ({
      accept: 'application/json',
      ...(method === 'GET' || api.csrfToken === null ? {} : { [csrfHeader]: api.csrfToken }),
    }),
    credentials: 'same-origin',
    fetch: (...request) => globalThis.fetch(...request),
    timing: systemTiming,
    retries: 0,
    retryWaitMaxMs: 0,
    timeoutMs,
  })
  const caller = createCaller(requester)
  /** Tells what an answer says of the session. */
  const watched = async <Answer>(name: EndpointName, answer: Promise<Answer>): Promise<Answer> => {
    try {
      const answered = await answer
      api.onAnswered()
      return answered
    } catch (error) {
      // Whether there is a session is what these two ask, and before there was one there is nothing to be signed out of.
      const isOver = name !== 'getSession' && name !== 'signIn' && api.csrfToken !== null
      if (isOver && isStatus(error, 401)) api.onSignedOut()
      throw error
    }
  }
  const api: Api = {
    base,
    csrfToken: null,
    onAnswered: () => {},
    onSignedOut: () => {},
    address: (name, place) => new URL(addressOf(name, place).slice(1), base).href,
    call: (name, ...given) => watched(name, caller.call(name, ...given)),
    page: (name, ...given) => watched(name, caller.page(name, ...given)),
  }
  return api
}

export const isStatus = (error: unknown, ...statuses: number[]): error is ProblemError =>
  error instanceof Error && 'status' in error && statuses.includes(Number(error.status))

/** What the service says is wrong, for people: in their language where it has a word for it, and else in its own. */
export function reasonOf(error: Error, { t, find }: Pick<Translator, 't' | 'find'>): string {
  if (!isProblem(error) || error.status < 400) return t('state.unreachableText')
  const reason = find(`refusal.${error.problem?.reason}`)
  if (reason !== null) return reason
  if (error.status === 429) return t('refusal.wait', { seconds: Math.ceil((error.retryAfterMs ?? 1_000) / 1_000) })
  if (error.status === 503) return t('refusal.unavailable')
  const reasons = error.problem?.errors?.map(({ detail }) => detail) ?? []
  return reasons.length > 0 ? reasons.join('; ') : (error.problem?.detail ?? error.message)
}

const isProblem = (error: Error): error is ProblemError => 'status' in error

const ApiContext = createContext<Api | null>(null)

export const ApiProvider = ApiContext.Provider

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('there is no API above this component')
  return api
}
