// What an operator can set about zones that are transferred from their servers.
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { AppError } from '../../errors.ts'
import { canonicalHostname } from '../../net/hostname.ts'
import { parseServer, type Server } from '../resolve/servers.ts'
import { type TsigKey, tsigAlgorithms } from './tsig.ts'

const zone = Type.Object(
  {
    zone: Type.String({ minLength: 1, maxLength: 253 }),
    server: Type.String({ minLength: 2, maxLength: 64 }),
    tsig: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 253 }),
          algorithm: Type.Enum([...tsigAlgorithms]),
          secretFile: Type.String({ minLength: 1, maxLength: 4_096 }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export const zonesSettings = Type.Array(zone, {
  default: [],
  maxItems: 1_000,
  description:
    'Zones whose names are known from their server, by zone transfer (AXFR): zone, server (ADDRESS or ADDRESS:PORT) and, where the server asks for a key, tsig with name, algorithm (hmac-sha256, hmac-sha384 or hmac-sha512) and secretFile, which has the secret in base64.',
})

export type ZonesSettings = Static<typeof zonesSettings>

export interface ZoneSource {
  /** Canonical. */
  zone: string
  server: Server
  key: TsigKey | null
}

/** Reads the secrets. Throws AppError BAD_CONFIG. */
export function zoneSources(settings: ZonesSettings): ZoneSource[] {
  return settings.map((each, i) => {
    const refuse = (what: string, cause?: unknown) => new AppError('BAD_CONFIG', `names.zones[${i}].${what}`, { cause })
    const name = canonicalHostname(each.zone)
    if (name === null) throw refuse(`zone: ${each.zone} is no domain name`)
    const server = parseServer(each.server)
    if (server === null || server.certificateName !== undefined)
      throw refuse(`server: ${each.server} is not ADDRESS or ADDRESS:PORT`)
    const { tsig } = each
    if (tsig === undefined) return { zone: name, server, key: null }
    const keyName = canonicalHostname(tsig.name)
    if (keyName === null) throw refuse(`tsig.name: ${tsig.name} is no domain name`)
    const secret = readSecret(tsig.secretFile, (text, cause) =>
      refuse(`tsig.secretFile: ${tsig.secretFile} ${text}`, cause),
    )
    return { zone: name, server, key: { name: keyName, algorithm: tsig.algorithm, secret } }
  })
}

function readSecret(file: string, refuse: (text: string, cause?: unknown) => Error): Buffer {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw refuse('cannot be read', error)
  }
  const secret = Buffer.from(text, 'base64')
  if (secret.length === 0 || secret.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, ''))
    throw refuse('does not have a secret in base64')
  return secret
}
