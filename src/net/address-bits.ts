// A set of addresses of one /24 as text: 64 hexadecimal digits of four addresses each, the lowest address in the highest bit of the first digit.

const digits = 64
const perDigit = 4

/** The text of addresses of the same /24. */
export function addressBits(addresses: Iterable<number>): string {
  const bits = new Uint8Array(digits)
  for (const address of addresses) {
    const place = address & 255
    bits[place >>> 2] |= 8 >>> (place & 3)
  }
  return Array.from(bits, (digit) => digit.toString(16)).join('')
}

/** The addresses of a text, ascending; `network` is the first address of the /24. A character that is no digit adds none. */
export function addressesIn(network: number, bits: string): number[] {
  const found: number[] = []
  for (let i = 0; i < Math.min(bits.length, digits); i++) {
    const digit = Number.parseInt(bits[i], 16) || 0
    for (let j = 0; j < perDigit; j++) if ((digit & (8 >>> j)) !== 0) found.push(network + perDigit * i + j)
  }
  return found
}

export function hasAddress(bits: string, address: number): boolean {
  const place = address & 255
  return ((Number.parseInt(bits[place >>> 2], 16) || 0) & (8 >>> (place & 3))) !== 0
}
