// What channels over HTTP have in common: a row says where it goes and what is said; the rest is here.
import { type Static, type TObject, Type } from 'typebox'
import { Value } from 'typebox/value'
import { compileTemplate } from '../messages/template/template.ts'
import { outcomeOf, outcomeOfError } from '../outgoing/outcome.ts'
import { type Answer, type Outgoing, type ReachOptions, send } from '../outgoing/request.ts'
import { isTimeZone } from '../rules/time-window.ts'
import {
  type ChannelFault,
  type ChannelKind,
  type CloseOptions,
  type Message,
  type SendOptions,
  type SendResult,
  unsent,
} from './kind.ts'

type Place = [pointer: string, url: string]

interface HttpRow<Settings extends TObject, Secrets extends TObject>
  extends Pick<ChannelKind, 'kind' | 'title' | 'proof' | 'audience' | 'latestOnly' | 'incidentsOnly' | 'paceMs'> {
  settings: Settings
  secrets: Secrets
  /** Where its requests go. */
  places(settings: Static<Settings>, secrets: Static<Secrets>): Place[]
  /** What is sent, one after the other: each as a body of JSON. Nothing: there is nothing to be said to it. */
  requests(message: Message, given: HttpGiven<Static<Settings>, Static<Secrets>>): JsonRequest[]
  /** What closes what the receiver has under a name, where that stays open else. */
  closing?(thread: string, given: { settings: Static<Settings>; secrets: Static<Secrets> }): JsonRequest
  /** Where an answer says more than its status. */
  outcome?(answer: Answer, nowMs: number): SendResult
}

interface HttpGiven<Settings, Secrets> extends Omit<SendOptions, 'settings' | 'secrets'> {
  settings: Settings
  secrets: Secrets
}

export interface JsonRequest {
  url: string
  headers?: Readonly<Record<string, string>>
  body: unknown
}

/** An address that is a secret as a whole. */
export const secretUrl = (description: string) => Type.String({ format: 'uri', maxLength: 2_000, description })

/** Where a service is that people run themselves, or that has several addresses. */
export const serverUrl = (description: string, standard?: string) =>
  Type.String({ format: 'uri', maxLength: 2_000, description, ...(standard !== undefined && { default: standard }) })

/** Octets of a body; receivers take less than that at any rate. */
const bodyMax = 64 * 1_024

export function httpKind<Settings extends TObject, Secrets extends TObject>({
  places,
  requests,
  closing,
  outcome = outcomeOf,
  ...row
}: HttpRow<Settings, Secrets>): ChannelKind {
  const fits = (settings: unknown, secrets: unknown): settings is Static<Settings> =>
    Value.Check(row.settings, settings) && Value.Check(row.secrets, secrets)
  const sendWith = async (
    options: CloseOptions,
    requestsOf: (given: { settings: Static<Settings>; secrets: Static<Secrets> }) => JsonRequest[],
  ) => {
    const { settings, secrets } = options
    if (!fits(settings, secrets)) return unsent('settings', 'its settings are not complete')
    return sendAll(requestsOf({ settings, secrets: secrets as Static<Secrets> }), options, outcome)
  }
  return {
    ...row,
    complete: (given) => ({ secrets: { ...given }, made: null }),
    places: (settings, secrets) => (fits(settings, secrets) ? places(settings, secrets as Static<Secrets>) : []),
    faults: (settings) => readerFaults(settings),
    send: (message, options) => sendWith(options, (given) => requests(message, { ...options, ...given })),
    ...(closing && { close: (thread, options) => sendWith(options, (given) => [closing(thread, given)]) }),
  }
}

/** Each has to be taken; the first that is not decides. */
export async function sendAll(
  requests: readonly JsonRequest[],
  options: ReachOptions & { nowMs: number },
  outcome: (answer: Answer, nowMs: number) => SendResult = outcomeOf,
): Promise<SendResult> {
  let last: SendResult = { outcome: 'done', pauseMs: null, text: 'nothing had to be said' }
  for (const request of requests) {
    try {
      last = outcome(await send(outgoingOf(request), options), options.nowMs)
    } catch (error) {
      last = outcomeOfError(error)
    }
    if (last.outcome !== 'done') return last
  }
  return last
}

function outgoingOf({ url, headers = {}, body }: JsonRequest): Outgoing {
  const text = JSON.stringify(body)
  if (Buffer.byteLength(text) > bodyMax) throw new Error('the message is too long')
  return { url: new URL(url), method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text }
}

/** A base address with a path behind it, whether or not it ends with a slash. */
export function joined(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}${path}`
}

/** Under which pagers have an event: what goes on and what is over meet there. */
export function alertKeyOf({ report, thread, type, id }: Message): string {
  return type === 'alert.test' ? id : (thread ?? report.id)
}

/** What is wrong with the settings that channels for people have in common. */
export function readerFaults(settings: unknown, at = '/settings'): ChannelFault[] {
  const given: Readonly<Record<string, unknown>> = Object(settings)
  const { timeZone } = given
  const zone = typeof timeZone === 'string' && !isTimeZone(timeZone) ? ['There is no such time zone'] : []
  return [
    ...zone.map((detail) => ({ pointer: `${at}/timeZone`, detail })),
    ...(['titleTemplate', 'textTemplate'] as const).flatMap((name) => templateFaults(`${at}/${name}`, given[name])),
  ]
}

function templateFaults(pointer: string, text: unknown): ChannelFault[] {
  const compiled = typeof text === 'string' ? compileTemplate(text) : null
  return Array.isArray(compiled) ? compiled.map((detail) => ({ pointer, detail })) : []
}
