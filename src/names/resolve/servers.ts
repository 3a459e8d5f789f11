// Which resolvers are asked: those of the settings, or those of the system.
import { X509Certificate } from 'node:crypto'
import { getServers } from 'node:dns'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { AppError } from '../../errors.ts'
import { canonicalHostname } from '../../net/hostname.ts'
import type { NamesSettings } from '../settings.ts'

export interface Server {
  address: string
  port: number
  family: 4 | 6
  /** It is asked over TLS, and its certificate must be for this name or address; left out: over UDP, and TCP where needed. */
  certificateName?: string
}

const serversMax = 8
const tlsScheme = 'tls://'
const plainPort = 53
const tlsPort = 853

/**
 * `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; the same after `tls://`, and then perhaps with `#` and the name that the
 * certificate must be for, in place of the address. Null for any other text.
 */
export function parseServer(text: string): Server | null {
  if (!text.startsWith(tlsScheme)) return parseAddress(text, plainPort)
  const [at, ...names] = text.slice(tlsScheme.length).split('#')
  const server = parseAddress(at, tlsPort)
  if (server === null || names.length > 1) return null
  const certificateName = names.length === 0 ? server.address : canonicalHostname(names[0])
  return certificateName === null ? null : { ...server, certificateName }
}

function parseAddress(text: string, defaultPort: number): Server | null {
  const parts = isIP(text) === 0 ? /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) : null
  const address = parts === null ? text : parts[1]
  const port = parts === null ? defaultPort : Number(parts[2])
  const family = isIP(address)
  if ((family !== 4 && family !== 6) || port < 1 || port > 65_535) return null
  return { address, port, family }
}

export function formatServer({ address, port, family, certificateName }: Server): string {
  const at = family === 6 ? `[${address}]:${port}` : `${address}:${port}`
  return certificateName === undefined ? at : tlsScheme + at
}

export function systemServers(): Server[] {
  return getServers()
    .map(parseServer)
    .filter((server) => server !== null)
    .slice(0, serversMax)
}

/** Throws AppError BAD_CONFIG. */
export function serversOf({ resolvers }: NamesSettings): Server[] {
  if (resolvers.length === 0) return systemServers()
  return resolvers.map((text) => {
    const server = parseServer(text)
    if (server !== null) return server
    throw new AppError('BAD_CONFIG', `names.resolvers: ${text} is not ADDRESS, ADDRESS:PORT or tls://ADDRESS:PORT#NAME`)
  })
}

/** The certificates of `authoritiesFile`; null when there is none. Throws AppError BAD_CONFIG. */
export function readAuthorities({ authoritiesFile }: NamesSettings): string | null {
  if (authoritiesFile === '') return null
  const refuse = (what: string, cause?: unknown) =>
    new AppError('BAD_CONFIG', `names.authoritiesFile: ${authoritiesFile} ${what}`, { cause })
  let text: string
  try {
    text = readFileSync(authoritiesFile, 'utf8')
  } catch (error) {
    throw refuse('cannot be read', error)
  }
  // TLS takes a text without certificates without a word, and then trusts nobody.
  try {
    new X509Certificate(text)
  } catch (error) {
    throw refuse('does not begin with a certificate (PEM) that can be read', error)
  }
  return text
}
