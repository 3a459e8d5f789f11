// An entry of the audit log as a message of syslog (RFC 5424), with structured data. Everything in it comes from outside: each part is cut short.
import type { AuditRow } from '../chain.ts'
import { plainText } from '../entry.ts'
import { messageBytesMax, rfc5424 } from './rfc5424.ts'

/** RFC 5424 section 6.2.1. */
const severity = { notice: 5, warning: 4 } as const

export interface MessageOptions {
  facility: number
  /** The name of this machine. */
  host: string
  pid: number
}

export function syslogMessage(row: AuditRow, options: MessageOptions): Buffer {
  return rfc5424({
    ...options,
    severity: row.outcome === 'done' ? severity.notice : severity.warning,
    atMs: row.atMs,
    messageId: row.kind,
    dataId: 'audit',
    params: paramsOf(row),
    text: sentenceOf(row),
  })
}

function paramsOf({ sequence, kind, actor, object, outcome, count, hash }: AuditRow) {
  const params: Record<string, string | number | null> = {
    ...{ sequence, kind, actor: actor.kind, user: actor.userId, name: actor.name, credential: actor.credential },
    ...{ address: actor.address, object, outcome, count, hash },
  }
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value === null ? null : plainText(String(value), 300)]),
  )
}

/** For people who read the log as it is. */
function sentenceOf({ kind, actor, object, outcome, count, detailText }: AuditRow): string {
  const who = actor.name === '' ? actor.kind : actor.name
  const many = count === 1 ? '' : ` (${count} times)`
  const what = `${kind}${object === '' ? '' : ` ${object}`}`
  return plainText(`${who}: ${what}: ${outcome}${many} ${detailText}`, messageBytesMax)
}
