// Addresses and prefixes of both IP versions as settings list them: exporters, senders of dnstap, monitors.
import { isIP } from 'node:net'

export interface AddressRange {
  address: string
  /** Bits; null: one address. */
  length: number | null
  family: 'ipv4' | 'ipv6'
}

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`; null for any other text. */
export function parseAddressRange(text: string): AddressRange | null {
  const [address, bits, ...more] = text.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  if (version === 0 || more.length > 0) return null
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (bits === undefined) return { address, length: null, family }
  const length = /^(0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) : Number.NaN
  return length <= (version === 4 ? 32 : 128) ? { address, length, family } : null
}
