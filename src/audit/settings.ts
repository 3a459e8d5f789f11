// Settings of the audit log: where it is sent.
import { type Static, Type } from 'typebox'

export const auditSettings = Type.Object(
  {
    syslog: Type.String({
      default: '',
      pattern: '^$|^(udp|tcp|tls)://[^/\\s]+:[0-9]{1,5}$|^unix:/\\S+$',
      description:
        'A syslog receiver (RFC 5424) that gets every entry: `udp://HOST:514`, `tcp://HOST:601`, `tls://HOST:6514`, or `unix:/PATH` for a stream socket. Empty: none.',
    }),
    syslogCaFile: Type.String({
      default: '',
      description:
        'PEM file of the authorities that the certificate of a `tls://` receiver must come from. Empty: those that Node.js knows.',
    }),
    syslogFacility: Type.Integer({
      default: 13,
      minimum: 0,
      maximum: 23,
      description: 'The facility of the messages: 13 is log audit, 10 is authpriv, 16 to 23 are local.',
    }),
  },
  { additionalProperties: false, description: 'The audit log: who has changed what, and what was refused.' },
)

export type AuditSettings = Static<typeof auditSettings>

/** Where a receiver is. */
export type SyslogTarget = { kind: 'udp' | 'tcp' | 'tls'; host: string; port: number } | { kind: 'unix'; path: string }

/** Null: none is set. The pattern of the setting has been checked. */
export function parseSyslog(text: string): SyslogTarget | null {
  if (text === '') return null
  if (text.startsWith('unix:')) return { kind: 'unix', path: text.slice('unix:'.length) }
  const [, kind, host, port] = /^(udp|tcp|tls):\/\/(.+):(\d+)$/.exec(text) ?? []
  if (kind !== 'udp' && kind !== 'tcp' && kind !== 'tls') return null
  return { kind, host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}
