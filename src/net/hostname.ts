// DNS names in their one canonical form: lower case, no trailing dot, international labels as A-labels (RFC 5890).
import { domainToASCII } from 'node:url'

/** Letters, digits, hyphens (neither first nor last) and underscores; 1 to 63 octets (RFC 1035 section 2.3.4). */
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
/** Octets of the longest name, as text. */
export const nameMax = 253
const ascii = /^[\x21-\x7e]*$/
/** The characters of a name before its non-ASCII ones are mapped. Others would mislead `domainToASCII`, which reads a URL. */
const plainOrForeign = /^[A-Za-z0-9._\u0080-\u{10ffff}-]*$/u
/** Control, unassigned, private and surrogate code points, and invisible ones but the joiners, which some scripts need. */
export const hiddenCharacters = /(?![\u200c\u200d])\p{C}/u

/** The canonical form, or null when the text is no DNS name. A single label is a name too; so is one that ends in a number. */
export function canonicalHostname(text: string): string | null {
  let name = text
  if (!ascii.test(text)) {
    if (!plainOrForeign.test(text) || hiddenCharacters.test(text)) return null
    name = domainToASCII(text)
  }
  name = name.toLowerCase()
  if (name.endsWith('.')) name = name.slice(0, -1)
  if (name.length > nameMax) return null
  for (const part of name.split('.')) if (!label.test(part)) return null
  return name
}

/** True when the name lies below the zone, or is the zone itself. Both canonical. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || (name.endsWith(zone) && name[name.length - zone.length - 1] === '.')
}

/** The names above this one, nearest first: `a.b.c` gives `b.c`, `c`. */
export function* ancestors(name: string): Generator<string> {
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) yield name.slice(dot + 1)
}
