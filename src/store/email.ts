// E-mail addresses as account names.

/** Octets of the longest address that mail can have (RFC 5321 section 4.5.3.1.3, less the angle brackets). */
const emailMax = 254

/** One local part, one domain; no spaces, controls or quotes. Whether mail arrives is not for us to know. */
const email = /^[^\s\p{C}@"(),:;<>[\\\]]+@[^\s\p{C}@"(),:;<>[\\\]]+$/u

/** The form in which two e-mail addresses are compared: without case. */
export function emailKey(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Whether the text can name an account. */
export function isEmail(text: string): boolean {
  return Buffer.byteLength(text) <= emailMax && email.test(text)
}
