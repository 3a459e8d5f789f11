// Protocol Buffers, as far as dnstap needs them: the fields of a message one after another, without a schema. Pure.

/** `from` and `to`: where the octets of a field of variable length lie. `value`: of a varint; 0 for others. */
export type VisitField = (field: number, from: number, to: number, value: number) => void

const varint = 0
const eightOctets = 1
const lengthDelimited = 2
const fourOctets = 5

/** False when the octets are no message; some of its fields may have been visited then. */
export function walkFields(octets: Uint8Array, visit: VisitField): boolean {
  let at = 0
  /** The varint there, at most 2^53; NaN when it has no end. */
  const readVarint = (): number => {
    let value = 0
    for (let scale = 1, length = 0; length < 10 && at < octets.length; length++, scale *= 128) {
      const octet = octets[at++]
      value += (octet & 0x7f) * scale
      if (octet < 0x80) return Math.min(value, Number.MAX_SAFE_INTEGER)
    }
    return Number.NaN
  }
  while (at < octets.length) {
    const tag = readVarint()
    const field = Math.floor(tag / 8)
    const wire = tag % 8
    if (wire === varint) {
      const from = at
      const value = readVarint()
      if (Number.isNaN(value)) return false
      visit(field, from, at, value)
      continue
    }
    const length =
      wire === lengthDelimited ? readVarint() : wire === eightOctets ? 8 : wire === fourOctets ? 4 : Number.NaN
    if (!(length <= octets.length - at)) return false
    visit(field, at, at + length, 0)
    at += length
  }
  return true
}
