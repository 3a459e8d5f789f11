// The names that the certificate of a TLS server shows: those of a zone, of whatever else a stranger's server sends. Nothing is believed by it,
// neither who the server is nor what it says: names are to be confirmed.
import { connect } from 'node:tls'
import { formatKey } from '../../net/address.ts'
import { canonicalHostname, isWithin } from '../../net/hostname.ts'

export interface CertificateQuestion {
  address: number
  port: number
  /** It is asked for by this name (SNI), and of what is shown the names at or below it count. */
  zone: string
  timeoutMs: number
  signal: AbortSignal
}

export interface ShownNames {
  names: string[]
  /** Names of others; broken ones, in odd characters or none; names that there is no room for. */
  foreign: number
  broken: number
  omitted: number
}

/** Bound for the names of one certificate: those of content delivery networks have a hundred. OpenSSL reads at most 100 KiB of certificates. */
const namesMax = 250

/** Null: no TLS server answers in time, or it has no certificate. */
export function readCertificate({
  address,
  port,
  zone,
  timeoutMs,
  signal,
}: CertificateQuestion): Promise<ShownNames | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: formatKey(address), port, servername: zone, rejectUnauthorized: false })
    const finish = (shown: ShownNames | null) => {
      clearTimeout(late)
      signal.removeEventListener('abort', giveUp)
      socket.destroy()
      resolve(shown)
    }
    const giveUp = () => finish(null)
    // The bound is for the whole exchange, not for a pause in it: a server may send an octet at a time.
    const late = setTimeout(giveUp, timeoutMs)
    signal.addEventListener('abort', giveUp)
    socket.on('error', giveUp)
    socket.on('close', giveUp)
    socket.on('secureConnect', () => {
      const text = socket.getPeerX509Certificate()?.subjectAltName
      finish(text === undefined ? null : readNames(text, zone))
    })
  })
}

/**
 * `text`: the alternative names as Node.js writes them, `DNS:www.example.com, IP Address:192.0.2.1`; a name in characters that could be mistaken
 * is in quotation marks.
 */
export function readNames(text: string, zone: string): ShownNames {
  const names = new Set<string>()
  const counts = { foreign: 0, broken: 0, omitted: 0 }
  for (const [, quoted, plain = ''] of text.matchAll(/(?:^|, )DNS:(?:(")|([^",]*)(?=, |$))/g)) {
    // A wildcard is no name that anything leads to.
    if (plain.startsWith('*.')) continue
    const name = quoted === undefined ? canonicalHostname(plain) : null
    if (name === null) counts.broken++
    else if (!isWithin(name, zone)) counts.foreign++
    else if (names.size < namesMax || names.has(name)) names.add(name)
    else counts.omitted++
  }
  return { names: [...names], ...counts }
}
