// IPv4 addresses as unsigned 32-bit integers, the only form that the data plane knows.

const dottedQuad = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/

/** Strict dotted quad (no leading zeros, no short forms) to an unsigned 32-bit integer; null for any other text. */
export function parseIpv4(text: string): number | null {
  const parts = dottedQuad.exec(text)
  if (parts === null) return null
  let address = 0
  for (let i = 1; i <= 4; i++) {
    const octet = Number(parts[i])
    if (octet > 255) return null
    address = address * 256 + octet
  }
  return address
}

/** 16843009 -> `1.1.1.1`. */
export function formatIpv4(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`
}
