// Attack types as people name them. The vocabulary is open: a label that has no message is taken apart as far as it goes.
import type { Translator } from '../../shared/i18n/messages.ts'

export type Family =
  | 'amplification'
  | 'syn'
  | 'connection'
  | 'tcp'
  | 'udp'
  | 'icmp'
  | 'fragment'
  | 'protocol'
  | 'unknown'

/** `udp@attack@amp_flood_target-NTP` -> `NTP amplification`; null, a spike of unknown kind, has a name as well. */
export function attackName(attackType: string | null, { t, find }: Pick<Translator, 't' | 'find'>): string {
  if (attackType === null) return t('attack.unknown')
  const { protocol, kind, service } = partsOf(attackType)
  const values = { protocol: protocol.toUpperCase(), service: serviceName(service) }
  return find(`attack.${protocol}.${kind}`, values) ?? find(`attack.any.${kind}`, values) ?? attackType
}

export function familyOf(attackType: string | null): Family {
  if (attackType === null) return 'unknown'
  const { protocol, kind } = partsOf(attackType)
  if (kind === 'amp') return 'amplification'
  if (kind === 'frag') return 'fragment'
  if (kind === 'proto') return 'protocol'
  if (kind === 'conn' || kind === 'slow') return 'connection'
  if (protocol === 'tcp') return kind === 'syn' || kind === 'synack' ? 'syn' : 'tcp'
  return protocol === 'udp' || protocol === 'icmp' ? protocol : 'unknown'
}

/** The service that amplifies, as it is written. */
function serviceName(service: string): string {
  const spelt: Record<string, string> = {
    MEMCACHED: 'Memcached',
    CHARGEN: 'chargen',
    NETBIOS: 'NetBIOS',
    PORTMAP: 'portmap',
    MIDDLEBOX: 'middlebox',
  }
  return spelt[service] ?? service
}

function partsOf(attackType: string): { protocol: string; kind: string; service: string } {
  const [protocol = '', , rest = ''] = attackType.split('@')
  const [name, service = ''] = rest.split('-')
  return { protocol, kind: name.split('_')[0], service }
}
