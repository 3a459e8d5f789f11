// An entry of the audit log as a message of syslog (RFC 5424), with structured data. Everything in it comes from outside: what would end a value or a
// message is escaped, and each part is cut short.
import type { AuditRow } from '../chain.ts'
import { plainText } from '../entry.ts'

/** RFC 5424 section 6.2.1. */
const severity = { notice: 5, warning: 4 } as const
/** 32473 is the number that RFC 5612 sets aside for examples: an enterprise number of its own the program has not. */
const dataId = 'audit@32473'
/** RFC 5424 section 6.1: receivers should take 2048 octets. */
export const messageBytesMax = 2_048

export interface MessageOptions {
  facility: number
  /** The name of this machine. */
  host: string
  pid: number
}

export function syslogMessage(row: AuditRow, { facility, host, pid }: MessageOptions): Buffer {
  const level = row.outcome === 'done' ? severity.notice : severity.warning
  const time = new Date(row.atMs).toISOString()
  const head = `<${facility * 8 + level}>1 ${time} ${headerText(host, 255)} floodgauge ${pid} ${headerText(row.kind, 32)}`
  const text = Buffer.from(`${head} [${dataId}${paramsOf(row)}] ${sentenceOf(row)}`, 'utf8')
  return text.length <= messageBytesMax ? text : whole(text.subarray(0, messageBytesMax))
}

function paramsOf({ sequence, kind, actor, object, outcome, count, hash }: AuditRow): string {
  const params: Record<string, string | number | null> = {
    ...{ sequence, kind, actor: actor.kind, user: actor.userId, name: actor.name, credential: actor.credential },
    ...{ address: actor.address, object, outcome, count, hash },
  }
  return Object.entries(params)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ` ${name}="${escaped(plainText(String(value), 300))}"`)
    .join('')
}

/** RFC 5424 section 6.3.3. */
function escaped(value: string): string {
  return value.replaceAll(/[\\"\]]/g, '\\$&')
}

/** Printable ASCII without spaces, or the sign for nothing: section 6.2. */
function headerText(text: string, max: number): string {
  return text.replaceAll(/[^!-~]/g, '_').slice(0, max) || '-'
}

/** For people who read the log as it is. The mark says that it is UTF-8. */
function sentenceOf({ kind, actor, object, outcome, count, detailText }: AuditRow): string {
  const who = actor.name === '' ? actor.kind : actor.name
  const many = count === 1 ? '' : ` (${count} times)`
  const what = `${kind}${object === '' ? '' : ` ${object}`}`
  return `\ufeff${plainText(`${who}: ${what}: ${outcome}${many} ${detailText}`, messageBytesMax)}`
}

/** Without the part of a character that was cut through at its end. */
function whole(octets: Buffer): Buffer {
  let end = octets.length
  while (end > 0 && (octets[end - 1] & 0xc0) === 0x80) end--
  const lead = octets[end - 1] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return octets.length - (end - 1) >= length ? octets : octets.subarray(0, end - 1)
}
