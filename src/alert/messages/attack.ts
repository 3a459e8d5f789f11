// Attack types as people name them. The vocabulary is open: a label that has no word is shown as it is.
import type { Writer } from './words.ts'

/** The service that amplifies, as it is written. */
const spelt: Readonly<Record<string, string>> = {
  MEMCACHED: 'Memcached',
  CHARGEN: 'chargen',
  NETBIOS: 'NetBIOS',
  PORTMAP: 'portmap',
  MIDDLEBOX: 'middlebox',
}

/** `udp@attack@amp_flood_target-NTP` -> `NTP amplification`; null: a spike of unknown kind. */
export function attackName(label: string | null, { say, find }: Pick<Writer, 'say' | 'find'>): string {
  if (label === null) return say('attack.unknown')
  const [protocol = '', , rest = ''] = label.split('@')
  const [name, service = ''] = rest.split('-')
  const kind = name.split('_')[0]
  const values = { protocol: protocol.toUpperCase(), service: spelt[service] ?? service }
  return find(`attack.${protocol}.${kind}`, values) ?? find(`attack.any.${kind}`, values) ?? label
}
