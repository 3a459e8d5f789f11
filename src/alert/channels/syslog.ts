// A syslog receiver (RFC 5424): over UDP, over TCP behind the length of each message (RFC 6587), over TLS (RFC 5425). What follows the structured data is a
// sentence, or what programs of security look for: CEF, LEEF, JSON.
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parseSyslog } from '../../audit/settings.ts'
import { rfc5424 } from '../../audit/syslog/rfc5424.ts'
import { createSender } from '../../audit/syslog/sender.ts'
import { closed } from '../../contract/shapes.ts'
import { cleanText } from '../messages/clean.ts'
import { ratesOf, siemTexts, typeOf } from '../messages/siem.ts'
import { textOf } from '../messages/text.ts'
import { outcomeOfError } from '../outgoing/outcome.ts'
import { hostAddresses } from '../outgoing/request.ts'
import { urgencyOf } from './colors.ts'
import { type ChannelFault, type ChannelKind, type Message, type SendOptions, unsent } from './kind.ts'

const settings = Type.Object(
  {
    target: Type.String({
      maxLength: 300,
      pattern: '^(udp|tcp|tls)://[^/\\s]+:[0-9]{1,5}$',
      description: '`udp://HOST:514`, `tcp://HOST:601` or `tls://HOST:6514`.',
    }),
    format: Type.Optional(
      Type.Enum(['text', 'cef', 'leef', 'json'], {
        default: 'text',
        description: 'What follows the structured data: a sentence, or what ArcSight, QRadar or a program reads.',
      }),
    ),
    facility: Type.Optional(
      Type.Integer({ default: 16, minimum: 0, maximum: 23, description: '16 to 23 are local, 4 is security.' }),
    ),
    ca: Type.Optional(
      Type.String({
        maxLength: 20_000,
        pattern: '^-----BEGIN CERTIFICATE-----',
        description: 'The authorities that the certificate of a `tls://` receiver must come from, PEM.',
      }),
    ),
  },
  closed,
)

/** RFC 5425 section 4.3.1: receivers should take so much; what is longer than a datagram takes is cut by the way. */
const bytesMax = 8_192

export const syslog: ChannelKind = {
  kind: 'syslog',
  title: 'syslog',
  proof: 'rsyslog 8.2302, syslog-ng 3.38',
  audience: 'programs',
  latestOnly: false,
  paceMs: 50,
  settings,
  secrets: Type.Object({}, closed),
  complete: () => ({ secrets: {}, made: null }),
  places: () => [],
  faults: (_given, { reach }) => (reach === 'any' ? [] : adminsOnly('/settings/target')),
  async send(message, options) {
    const { settings: given, reach, nowMs, installation } = options
    const target = Value.Check(settings, given) ? parseSyslog(given.target) : null
    if (target === null || target.kind === 'unix' || !Value.Check(settings, given))
      return unsent('settings', 'its settings are not complete')
    if (reach !== 'any') return unsent('rights', adminsOnly('')[0].detail)
    try {
      const [{ address }] = await hostAddresses(target.host, target.port, options)
      await handOver([syslogOf(message, given, { host: installation.host, nowMs })], { target, address, ca: given.ca })
      return { outcome: 'done', pauseMs: null, text: 'handed over' }
    } catch (error) {
      return outcomeOfError(error)
    }
  },
}

const adminsOnly = (pointer: string): ChannelFault[] => [
  { pointer, detail: 'Only admins may send to receivers of syslog' },
]

async function handOver(
  messages: readonly Buffer[],
  { target, address, ca }: { target: Parameters<typeof createSender>[0]; address: string; ca: string | undefined },
): Promise<void> {
  const sender = createSender(target, { authorities: () => ca, address })
  try {
    await sender.send(messages)
  } finally {
    sender.close()
  }
}

function syslogOf(
  message: Message,
  { format = 'text', facility = 16 }: Static<typeof settings>,
  { host, nowMs }: Pick<SendOptions, 'nowMs'> & { host: string },
): Buffer {
  const { report, facts, type, id, number } = message
  const { title } = textOf(message, {}, '')
  return rfc5424({
    ...{ facility, severity: urgencyOf(message).syslog, atMs: nowMs, host, pid: process.pid, messageId: type },
    dataId: 'alert',
    params: {
      ...{ id, number, event: report.id, severity: facts.severity, attackType: typeOf(report) },
      ...{ site: cleanText(report.site, 300), address: report.address, start: report.start, end: report.end },
      ...ratesOf(message),
    },
    text: siemTexts[format](message, title),
    bytesMax,
  })
}
