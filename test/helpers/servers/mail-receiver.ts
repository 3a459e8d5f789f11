// A mail server of tests, of nodemailer's own makers: it keeps what it got, and refuses what it is told to.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { Value } from 'typebox/value'
import { type AlertSettings, alertSettings } from '../../../src/alert/settings.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  user: string | null
  isSecure: boolean
  /** As it came. */
  raw: string
  /** Header fields in lower case, unfolded. */
  headers: Map<string, string[]>
}

export class MailReceiver {
  readonly received: ReceivedMail[] = []
  /** Recipients that are refused, by the code of the answer. */
  readonly refused = new Map<string, number>()
  /** The code with which the next message is answered: what is not 250 is not kept. */
  answer: () => number = () => 250
  readonly #server: SMTPServer

  constructor(options: SMTPServerOptions = {}) {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'word' ? done(null, { user: username }) : done(new Error('no')),
      onRcptTo: ({ address }, _session, done) => {
        const code = this.refused.get(address)
        done(code === undefined ? null : Object.assign(new Error('refused'), { responseCode: code }))
      },
      onData: (stream, session, done) => {
        const parts: Buffer[] = []
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => {
          const responseCode = this.answer()
          if (responseCode !== 250) return done(Object.assign(new Error('refused'), { responseCode }))
          const raw = Buffer.concat(parts).toString('utf8')
          const { mailFrom, rcptTo } = session.envelope
          this.received.push({
            ...{ from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address) },
            ...{ user: session.user ?? null, isSecure: session.secure === true, raw, headers: headersOf(raw) },
          })
          done()
        })
      },
      ...options,
    })
    this.#server.on('error', () => {})
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server.server, 'listening')
    return this
  }

  /** The settings of an installation that sends here. */
  settings(given: Partial<AlertSettings['smtp']> = {}): AlertSettings['smtp'] {
    return smtpTo((this.#server.server.address() as AddressInfo).port, given)
  }

  stop(): Promise<void> {
    return new Promise((done) => this.#server.close(() => done()))
  }
}

/** The settings of an installation whose mail server is at a port of this machine. */
export function smtpTo(port: number, given: Partial<AlertSettings['smtp']> = {}): AlertSettings['smtp'] {
  const plain = Value.Create(alertSettings).smtp
  return { ...plain, host: '127.0.0.1', port, tls: 'none', from: 'floodgauge@example.net', ...given }
}

function headersOf(raw: string): Map<string, string[]> {
  const [head] = raw.split('\r\n\r\n')
  const fields = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map<string, string[]>()
  for (const field of fields) {
    const colon = field.indexOf(':')
    const name = field.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), field.slice(colon + 1).trim()])
  }
  return headers
}
