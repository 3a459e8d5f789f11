// Hands messages to the mail server of the installation, one connection a message. Users who look after nothing but their own sites send to themselves, and
// a bounded number within 24 hours, which the store counts.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Clock } from '../../clock.ts'
import type { SendResult } from '../channels/kind.ts'
import type { Resolve } from '../outgoing/host-names.ts'
import type { AlertSettings } from '../settings.ts'
import { afterDeferral, type Deferral, leftOf } from './deferrals.ts'
import type { MailStore } from './mail-store.ts'

const times = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000, dnsTimeout: 5_000 } as const
/** Addresses of the mail server that are tried. */
const addressesMax = 2
/** Messages within 24 hours of a user who is no admin. */
export const perDay = 100
const stops = 'the service stops'

export interface Mail {
  to: readonly string[]
  subject: string
  text: string
  html: string
  /** Without angle brackets and domain: those that the messages of an event have in common make a thread of them. */
  id: string
  /** The first of the thread; null: it is this one. */
  threadId: string | null
  /** For whom it is still to be sent is kept as long as there is the channel; null: it has one recipient, and belongs to none. */
  channelId: string | null
}

export interface MailerParts {
  store: MailStore
  /** Looks up the mail server. */
  resolve: Resolve
  clock: Clock
}

export class Mailer {
  /** Messages that were put off, since their user had sent too many within 24 hours. */
  refused = 0
  readonly #settings: AlertSettings['smtp']
  readonly #parts: MailerParts

  constructor(settings: AlertSettings['smtp'], parts: MailerParts) {
    this.#settings = settings
    this.#parts = parts
  }

  /** Null: there is none. */
  static of(settings: AlertSettings['smtp'], parts: MailerParts): Mailer | null {
    return settings.host === '' || settings.from === '' ? null : new Mailer(settings, parts)
  }

  /**
   * Sends a mail of a user who may send a limited number. It counts before it is sent: if the process is killed meanwhile, it may have arrived. Null: it is one
   * too many, and was not sent.
   */
  async sendCounted(userId: string, mail: Mail, signal: AbortSignal): Promise<SendResult | null> {
    const id = await this.#parts.store.countMail(userId, perDay)
    if (id === null) {
      this.refused++
      return null
    }
    const takenBefore = (await this.#deferralOf(mail))?.taken ?? 0
    const result = await this.send(mail, signal)
    const isTaken =
      result.outcome === 'done' ||
      (result.outcome === 'partly' && ((await this.#deferralOf(mail))?.taken ?? 0) > takenBefore)
    if (!isTaken) await this.#parts.store.uncountMail(id)
    return result
  }

  /** Rejects where the store does. A mail that the server took for some of its recipients goes to the others alone when it is sent again. */
  async send(mail: Mail, signal: AbortSignal): Promise<SendResult> {
    const before = await this.#deferralOf(mail)
    const to = leftOf(mail.to, before)
    // It goes to none of those any more whom the server has put off.
    const answer: Answer = to.length === 0 ? { taken: 0, refusals: [] } : await this.#attempt(mail, to, signal)
    if (!('error' in answer)) return this.#settle(mail, { ...answer, before })
    const refusals = before === null ? [] : refusalsIn(answer.error)
    return refusals.length > 0
      ? this.#settle(mail, { taken: 0, refusals, before })
      : resultOf(answer.error, this.#settings)
  }

  async #deferralOf({ id, channelId }: Mail): Promise<Deferral | null> {
    return channelId === null ? null : this.#parts.store.deferralOf(id)
  }

  async #attempt(mail: Mail, to: readonly string[], signal: AbortSignal): Promise<Answer> {
    const { from } = this.#settings
    const domain = from.slice(from.lastIndexOf('@') + 1)
    const idOf = (id: string) => `<${id}@${domain}>`
    const thread = mail.threadId === null ? {} : { inReplyTo: idOf(mail.threadId), references: idOf(mail.threadId) }
    const stopped = stopOf(signal)
    try {
      const sent = this.#handOver({
        // The envelope is what the server goes by: nothing is read out of headers.
        envelope: { from, to: [...to] },
        from: { name: 'Floodgauge', address: from },
        to: mail.to.map((address) => ({ name: '', address })),
        ...{ subject: mail.subject, text: mail.text, html: mail.html, messageId: idOf(mail.id), ...thread },
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        ...{ textEncoding: 'quoted-printable', disableFileAccess: true, disableUrlAccess: true },
      })
      const { accepted, rejectedErrors } = await Promise.race([sent, stopped.rejects])
      return { taken: accepted.length, refusals: rejectedErrors ?? [] }
    } catch (error) {
      return { error }
    } finally {
      stopped.forget()
    }
  }

  /** Who is put off (4xx, RFC 5321 section 4.2.1) is tried again; who is refused is not. */
  async #settle(
    { id, channelId, to }: Mail,
    { taken, refusals, before }: Taken & { before: Deferral | null },
  ): Promise<SendResult> {
    const { store, clock } = this.#parts
    const left = refusals.flatMap(({ recipient, responseCode = 0 }) =>
      responseCode < 500 && recipient !== undefined ? [recipient] : [],
    )
    const all = (before?.taken ?? 0) + taken
    const next = channelId === null ? null : afterDeferral(before, { taken, left }, clock.now())
    if (channelId !== null && (before !== null || next !== null))
      await store.keepDeferral({ id, channelId }, next?.deferral ?? null)
    const text = all === to.length ? 'the server has it' : `the server has it for ${all} of ${to.length}`
    if (next === null) return { outcome: 'done', pauseMs: null, text }
    return { outcome: 'partly', pauseMs: next.pauseMs, text: `${text} and puts off ${left.length}` }
  }

  /** To the first address that can be connected to. */
  async #handOver(message: SendMailOptions) {
    const { host } = this.#settings
    const addresses = isIP(host) === 0 ? (await this.#parts.resolve(host)).slice(0, addressesMax) : [{ address: host }]
    for (const { address } of addresses.slice(0, -1)) {
      try {
        return await this.#transport(address).sendMail(message)
      } catch (error) {
        const { command, responseCode } = Object(error)
        if (command !== 'CONN' || responseCode !== undefined) throw error
      }
    }
    const last = addresses.at(-1)?.address ?? host
    return this.#transport(last).sendMail(message)
  }

  #transport(address: string) {
    const { host, port, tls, caFile, user, password } = this.#settings
    return createTransport({
      ...{ host: address, port, ...times },
      // The certificate has to be that of the host, whatever address was connected to.
      ...(isIP(host) === 0 && { servername: host }),
      secure: tls === 'tls',
      requireTLS: tls === 'starttls',
      ignoreTLS: tls === 'none',
      tls: { minVersion: 'TLSv1.2', ...(caFile !== '' && { ca: readFileSync(caFile) }) },
      ...(user !== '' && { auth: { user, pass: password } }),
    })
  }
}

/** Recipients that the server has taken a mail for, and what it said to others. */
interface Taken {
  taken: number
  refusals: readonly Refusal[]
}

type Answer = Taken | { error: unknown }

/** What the server said to one recipient. */
interface Refusal {
  recipient?: string | undefined
  responseCode?: number | undefined
}

/** Where it has taken the mail for nobody. */
function refusalsIn(error: unknown): readonly Refusal[] {
  return error instanceof Error && 'rejectedErrors' in error && Array.isArray(error.rejectedErrors)
    ? error.rejectedErrors
    : []
}

const faults: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server does not know us',
  ETLS: 'the mail server does not encrypt as it should',
  ECONNECTION: 'no connection to the mail server',
  ECONNREFUSED: 'no connection to the mail server',
  ESOCKET: 'the connection to the mail server was broken off',
  EDNS: 'the mail server cannot be found',
  ENOTFOUND: 'the mail server cannot be found',
  EAI_AGAIN: 'the mail server cannot be found now',
  ETIMEDOUT: 'the mail server took too long',
}

/** `rejects` when the service stops: the server's time limits end the connection. `forget`: nobody waits for it any more. */
function stopOf(signal: AbortSignal): { rejects: Promise<never>; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  // Nobody waits for it where nothing was sent.
  promise.catch(() => {})
  const stop = () => reject(new Error(stops))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return { rejects: promise, forget: () => signal.removeEventListener('abort', stop) }
}

/** See host-names.ts. */
const shortName = ': alerts.smtp.host needs the full name, since no search domain is put behind it'

/** They are about the recipients, or the message. */
const refusals: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE'])

/** A reply of 5xx to the message is an answer (RFC 5321 section 4.2.1); anything else may be better another time. */
function resultOf(error: unknown, { host }: Pick<AlertSettings['smtp'], 'host'>): SendResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reply = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  const said = reply === 0 ? '' : ` (${reply})`
  if (error instanceof Error && error.message === stops) return { outcome: 'failed', pauseMs: null, text: stops }
  const isShort = code === 'ENOTFOUND' && !host.includes('.')
  const text = `${faults[code] ?? 'the mail server did not take it'}${said}${isShort ? shortName : ''}`
  return { outcome: reply >= 500 && refusals.has(code) ? 'refused' : 'failed', pauseMs: null, text }
}
