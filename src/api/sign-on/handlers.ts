// The endpoints of single sign-on.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { signOnEndpoints } from '../../contract/accounts/sign-on.ts'
import { addressBlock, partyBlocks } from '../../net/address-block.ts'
import type { Identities } from '../accounts/identity.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Handlers } from '../http/endpoints.ts'
import { signOnCookie } from '../http/peer.ts'
import { ProblemError, refusal } from '../http/problem.ts'
import { BackOff } from '../limits/back-off.ts'
import { isRefusal, type PeopleOptions, userOf } from './people.ts'
import type { Provider } from './provider.ts'
import type { SignOnSettings } from './settings.ts'
import { issueTicket, readTicket } from './ticket.ts'

/** How long somebody may take at the provider. */
const ticketSeconds = 900

export interface SignOnHandlerOptions {
  store: PeopleOptions['store']
  clock: Clock
  sessions: Sessions
  identities: Identities
  /** Null: none is configured. */
  provider: Provider | null
  signOn: SignOnSettings
  siteQuota: number
}

export function createSignOnHandlers(options: SignOnHandlerOptions): Handlers<keyof typeof signOnEndpoints> {
  const { store, clock, sessions, identities, provider, signOn, siteQuota } = options
  /** Answers that come to nothing make the service ask the provider for a stranger. */
  const failures = new BackOff({ free: 20, firstMs: 1_000, mostMs: 60_000 })

  const requireProvider = (): Provider => {
    if (provider === null) throw refusal('sign-on-off', 'CONFLICT', 'Single sign-on is not configured')
    return provider
  }

  return {
    getSignOn: async () => ({
      body: { passwords: signOn.passwords, provider: provider === null ? null : { label: provider.label } },
    }),

    startSignOn: async ({ body, peer, deed }) => {
      // It changes nothing here.
      deed.withdraw()
      const chosen = requireProvider()
      const secret = randomBytes(32).toString('hex')
      const expiresMs = clock.now() + ticketSeconds * 1000
      const location = await chosen.begin(issueTicket(secret, { next: body.next ?? '/', expiresMs }))
      return { body: { location }, headers: { 'set-cookie': signOnCookie(peer, secret, ticketSeconds) } }
    },

    finishSignOn: async ({ body, peer, deed }) => {
      const chosen = requireProvider()
      const network = addressBlock(peer.address, partyBlocks)
      const waitMs = failures.take(network, clock.now())
      if (waitMs > 0)
        throw new ProblemError('TOO_MANY_REQUESTS', 'Too many failed attempts', [], Math.ceil(waitMs / 1000))
      const query = new URLSearchParams(body.query)
      const ticket = peer.signOn === null ? null : readTicket(peer.signOn, query.get('state') ?? '', clock.now())
      if (ticket === null)
        throw refusal('sign-on-stale', 'FORBIDDEN', 'This browser did not ask for it, or it was too long ago')
      const person = await chosen.finish(query, ticket).catch((error: unknown) => {
        // That the provider is down, or busy, is nobody's guess.
        if (error instanceof ProblemError && error.code !== 'FORBIDDEN') failures.forgive(network, { entirely: false })
        throw error
      })
      const { issuer, subject } = person
      deed.tell({ object: subject, detail: { issuer } })
      const user = await userOf(person, {
        store,
        settings: signOn.oidc,
        siteQuota,
        onKnown: (known) => deed.identify(known),
        actor: () => deed.entry.actor,
      })
      failures.forgive(network, { entirely: false })
      sessions.forget((each) => isRefusal(user) || each.user.id === user.id)
      if (isRefusal(user)) throw refusal(user.reason, 'FORBIDDEN', user.refusal)
      const { body: identity, headers } = await identities.begin(user, peer, 'provider')
      return {
        body: { identity, next: ticket.next },
        headers: { 'set-cookie': [...headers['set-cookie'], signOnCookie(peer, '', 0)] },
      }
    },
  }
}
