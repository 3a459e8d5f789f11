// One-time links by which a user signs in to the console and sets a password: made on the data directory, printed once.
import { systemClock } from '../clock.ts'
import type { Store, User } from '../store/store.ts'
import { hashTokenSecret, newTokenSecret } from '../store/token-secret.ts'
import { writeLine } from './text/output.ts'
import { UsageError } from './usage.ts'

const hourMs = 3_600_000
export const linkHours = { default: 24, max: 720 }

/** `--hours`. */
export function parseHours(text: string): number {
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (hours < 1 || hours > linkHours.max)
    throw new UsageError(`--hours must be a whole number from 1 to ${linkHours.max}: ${text}`)
  return hours
}

interface LinkOptions {
  /** The address of the service, without a slash at the end. */
  base: string
  hours: number
  /** The page signs in at once; without it, it asks for a password first. */
  isDirect?: boolean
}

/** Takes the place of the link that the user had. What is secret stands behind `#`: browsers send that to no server, and proxies log it nowhere. */
export async function makeSignInLink(
  store: Pick<Store, 'setSignInLink'>,
  { id, email }: User,
  { base, hours, isDirect = false }: LinkOptions,
): Promise<string> {
  const code = newTokenSecret()
  const expiresMs = systemClock.now() + hours * hourMs
  await store.setSignInLink(id, { codeHash: hashTokenSecret(code), expiresMs })
  const parts = new URLSearchParams({ email, code, ...(isDirect ? { direct: '' } : {}) })
  return `${base}/link#${parts}`
}

/** The link alone goes to standard output, so that a script can take it. */
export async function writeSignInLink(link: string, hours: number): Promise<void> {
  process.stderr.write(
    `\nOpen this link in a browser to sign in (it works once, for ${hours === 1 ? 'an hour' : `${hours} hours`}):\n\n`,
  )
  await writeLine(`  ${link}`)
  process.stderr.write('\n')
}
