// A certified OpenID Connect provider (the package `oidc-provider`) as a program of its own on loopback: whoever types a name at it is that person, with
// the claims that the test gives. Prints its issuer when it listens.
import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import type { ProviderGiven } from './provider.ts'

const given: ProviderGiven = JSON.parse(process.argv[2])
const server = createServer()
server.listen(given.port ?? 0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('it listens at no port')
const issuer = `http://127.0.0.1:${address.port}`

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: given.clientId,
      client_secret: given.clientSecret,
      redirect_uris: [`${given.publicUrl}/sign-on`],
      post_logout_redirect_uris: [`${given.publicUrl}/sign-in`],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
  scopes: ['openid', 'email', 'groups'],
  pkce: { required: () => true },
  cookies: { keys: ['a key of the test'] },
  findAccount: (_context: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, ...given.people[id] }),
  }),
})
server.on('request', provider.callback())
process.stdout.write(`${issuer}\n`)
