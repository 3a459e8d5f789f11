// E-mail addresses that messages may go to: a strict part of RFC 5321's grammar, without quotes, comments, names, routes or other alphabets. What a mail library would
// read more into, such as a line break or an angle bracket, is refused.

/** As a pattern of JSON Schema. */
export const addressPattern =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$"

const address = new RegExp(addressPattern)
/** RFC 5321 section 4.5.3.1. */
const max = { local: 64, all: 254 } as const

export function isAddress(text: string): boolean {
  // The end of the pattern would take a line break before the end of the text in other dialects; here it does not, and none is in the alphabet.
  return text.length <= max.all && text.lastIndexOf('@') <= max.local && address.test(text)
}

/** Domains are the same in either case; whoever has a mailbox has it in any in practice. */
export function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
