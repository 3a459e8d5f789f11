// A program that is told by HTTP POST, signed as Standard Webhooks 1.0.0 has it: the receiver verifies with any of its libraries.
import { createHmac, randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { outcomeOf, outcomeOfError } from '../outgoing/outcome.ts'
import { send } from '../outgoing/request.ts'
import type { OwnNotice } from '../own/text.ts'
import type { AttackSummary } from '../reports/summary.ts'
import { oldSecret } from '../secrets.ts'
import type { ChannelKind, Message } from './kind.ts'

const settings = Type.Object(
  { url: Type.String({ format: 'uri', maxLength: 2_000, description: 'Where it is posted to.' }) },
  { additionalProperties: false },
)

/** 24 to 64 octets in base64 (RFC 4648 section 4), after `whsec_`. */
const letter = '[A-Za-z0-9+/]'
const upTo63 = `(?:${letter}{4}){8,20}(?:${letter}{4}|${letter}{3}=|${letter}{2}==)?`
const just64 = `(?:${letter}{4}){21}${letter}{2}==`
export const webhookSecret = Type.String({
  pattern: `^whsec_(?:${upTo63}|${just64})$`,
  description: 'With which messages are signed.',
})

const secrets = Type.Object({ secret: webhookSecret }, { additionalProperties: false })

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

export const webhook: ChannelKind = {
  kind: 'webhook',
  title: 'Webhook',
  proof: 'the reference library of Standard Webhooks',
  audience: 'programs',
  latestOnly: false,
  settings,
  secrets,
  paceMs: 50,
  complete(given) {
    if (given.secret !== undefined) return { secrets: { ...given }, made: null }
    const made = newSecret()
    return { secrets: { ...given, secret: made }, made }
  },
  rotate({ secret }) {
    const made = newSecret()
    return { secrets: { secret: made, ...(secret !== undefined && { [oldSecret]: secret }) }, made }
  },
  places: (given) => (Value.Check(settings, given) ? [['/settings/url', given.url]] : []),
  async send(message, { settings: given, secrets: keys, nowMs, ...options }) {
    const body = webhookBody(message)
    const signed = signedHeaders({ id: message.id, seconds: Math.floor(nowMs / 1_000), body }, Object.values(keys))
    const headers = { 'content-type': 'application/json', ...signed }
    try {
      const answer = await send({ url: new URL(String(given.url)), method: 'POST', headers, body }, options)
      return outcomeOf(answer, nowMs)
    } catch (error) {
      return outcomeOfError(error)
    }
  },
}

/** What happened, for programs. */
export function webhookBody({ type, number, atMs, facts, event, own, lateSeconds }: Message): string {
  if (own !== undefined) return ownBody(own, { type, atMs, facts })
  return JSON.stringify({
    type,
    timestamp: new Date(atMs).toISOString(),
    data: {
      number,
      severity: facts.severity,
      before: facts.before,
      ...(lateSeconds !== undefined && { lateSeconds }),
      event,
    },
  })
}

function ownBody(own: OwnNotice, { type, atMs, facts }: Pick<Message, 'type' | 'atMs' | 'facts'>): string {
  const { subject, detail, host, sinceMs, untilMs, attacks } = own
  const until = untilMs === null ? null : new Date(untilMs).toISOString()
  const timestamp = new Date(atMs).toISOString()
  if (attacks !== undefined) {
    const times = { since: new Date(sinceMs).toISOString(), until }
    return JSON.stringify({ type, timestamp, data: { rule: subject, host, ...times, ...reportData(attacks) } })
  }
  const data = { severity: facts.severity, subject, detail, host, since: new Date(sinceMs).toISOString(), until }
  return JSON.stringify({ type, timestamp, data })
}

function reportData({ heaviest, goingOn, ...counts }: AttackSummary) {
  const attackOf = ({ site, address, severity, bytesPerSecond, isOver }: AttackSummary['heaviest'][number]) => ({
    ...{ site, address, severity, bitsPerSecond: Math.round(bytesPerSecond * 8), isOver },
  })
  return { ...counts, heaviest: heaviest.map(attackOf), goingOn: goingOn.map(attackOf) }
}

/** Headers by which a receiver knows the sender: one signature a secret. */
function signedHeaders(
  { id, seconds, body }: { id: string; seconds: number; body: string },
  keys: readonly string[],
): Record<string, string> {
  const signatures = keys.map((key) => {
    const octets = Buffer.from(key.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', octets).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}
