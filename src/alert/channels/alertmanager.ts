// Prometheus Alertmanager, by its API (version 2): an event is an alert that is said again each minute, and ends by itself five minutes after it is not. All of a
// cluster are told, as they do not tell each other; what one of them has missed it hears with the next repetition.
import { Type } from 'typebox'
import { closed } from '../../contract/shapes.ts'
import type { Attempt } from '../attempts.ts'
import { cleanText } from '../messages/clean.ts'
import { factLines, textOf } from '../messages/text.ts'
import { httpKind, type JsonRequest, joined, sendAll, serverUrl } from './http.ts'
import { type ChannelKind, isOver, type Message, type SendOptions, type SendResult, unsent } from './kind.ts'

/** How long an alert lives that is not repeated. */
const livesMs = 5 * 60_000
const labelMax = 300

const settings = Type.Object(
  {
    urls: Type.Array(serverUrl('http://127.0.0.1:9093'), {
      minItems: 1,
      maxItems: 10,
      description: 'Each Alertmanager of the cluster.',
    }),
  },
  closed,
)
const secrets = Type.Object(
  {
    authorization: Type.Optional(
      Type.String({
        pattern: '^[!-~]+( [!-~]+)?$',
        maxLength: 2_000,
        description: 'The header of that name, where a proxy asks for it: `Bearer …`, `Basic …`.',
      }),
    ),
  },
  closed,
)

const plain = httpKind({
  kind: 'alertmanager',
  title: 'Prometheus Alertmanager',
  proof: 'Alertmanager 0.25',
  audience: 'programs',
  incidentsOnly: true,
  latestOnly: true,
  paceMs: 50,
  settings,
  secrets,
  places: ({ urls }) => urls.map((url, index) => [`/settings/urls/${index}`, url]),
  requests: (message, given) => given.settings.urls.map((url) => requestTo(url, [message], given)),
})

export const alertmanager: ChannelKind = {
  ...plain,
  send: (message, options) => tellAll([message], options),
  repeat: (messages, options) => tellAll(messages, options),
}

async function tellAll(messages: readonly Message[], options: SendOptions): Promise<SendResult> {
  const [first] = messages
  if (first === undefined) return { outcome: 'done', pauseMs: null, text: 'nothing had to be said' }
  const places = plain.places(options.settings, options.secrets)
  const requests = places.map(([, url]) => requestTo(url, messages, options))
  const results = await Promise.all(requests.map((request) => sendAll([request], options)))
  const taken = results.filter(({ outcome }) => outcome === 'done').length
  const best = results.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))[0]
  if (best === undefined) return unsent('settings', 'its settings are not complete')
  return results.length === 1 ? best : { ...best, text: `${best.text} (${taken} of ${results.length} have it)` }
}

/** One that has it is enough for now; one that may take it later is better than one that never will. */
const order: readonly Attempt['outcome'][] = ['done', 'busy', 'failed', 'refused', 'gone']

function requestTo(
  url: string,
  messages: readonly Message[],
  { secrets: given, installation, nowMs }: Pick<SendOptions, 'installation' | 'nowMs'> & { secrets: unknown },
): JsonRequest {
  const authorization = authorizationIn(given)
  return {
    url: joined(url, '/api/v2/alerts'),
    ...(authorization !== null && { headers: { authorization } }),
    body: messages.map((message) => alertOf(message, installation.publicUrl, nowMs)),
  }
}

function authorizationIn(given: unknown): string | null {
  return typeof given === 'object' && given !== null && 'authorization' in given ? String(given.authorization) : null
}

function alertOf(message: Message, publicUrl: string, nowMs: number) {
  const { report, facts, type } = message
  const text = textOf(message, {}, publicUrl)
  const ended = isOver(message)
  return {
    labels: {
      alertname: message.own === undefined ? 'DDoS' : 'Floodgauge',
      event: report.id,
      site: cleanText(report.site, labelMax),
      address: report.address,
      attack_type: cleanText(report.attackType ?? 'unknown', labelMax),
      severity: facts.severity,
      ...((type === 'alert.test' || report.isTest) && { test: 'true' }),
    },
    annotations: {
      summary: text.title,
      description: factLines(text).join('\n'),
      bits_per_second: String(Math.round(report.average.bytesPerSecond * 8)),
      packets_per_second: String(Math.round(report.average.packetsPerSecond)),
    },
    startsAt: report.start,
    endsAt: ended
      ? (report.end ?? report.lastSeen)
      : new Date(nowMs + (type === 'alert.test' ? 60_000 : livesMs)).toISOString(),
    ...(text.link !== null && { generatorURL: text.link.url }),
  }
}
