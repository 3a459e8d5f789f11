// The endpoints of users and of tokens.

import { readNetworks } from '../../access/host-record.ts'
import type { Clock } from '../../clock.ts'
import type { ListedUser, userEndpoints } from '../../contract/accounts/users.ts'
import { canonicalHostname } from '../../net/hostname.ts'
import { isEmail } from '../../store/email.ts'
import type { Store, User } from '../../store/store.ts'
import { hashTokenSecret, newTokenSecret } from '../../store/token-secret.ts'
import type { Handlers, Input } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { badBody, requirePassword } from './accounts.ts'
import { presentListedUser, presentToken } from './present.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'

export interface UserHandlerOptions {
  store: Pick<
    Store,
    | 'listUsers'
    | 'userById'
    | 'addUser'
    | 'updateUser'
    | 'deleteUser'
    | 'setPassword'
    | 'countSites'
    | 'listTokens'
    | 'addToken'
    | 'revokeToken'
  >
  clock: Clock
  sessions: Sessions
  signIn: SignIn
  /** How many sites a new user may have. */
  siteQuota: number
  /** Called after what users may watch has changed, before it is answered. */
  onSitesChanged: (userId: string) => void
}

const tokensMax = 100
const dayMs = 86_400_000
/** In place of the id of a user. */
const everybody = 'all'

export function createUserHandlers(options: UserHandlerOptions): Handlers<keyof typeof userEndpoints> {
  const { store, clock, sessions, signIn, siteQuota, onSitesChanged } = options

  const requireUser = async (id: string): Promise<User> => {
    const user = await store.userById(id)
    if (user === null) throw new ProblemError('NOT_FOUND', 'There is no such user')
    return user
  }

  const listed = async (id: string): Promise<ListedUser> => {
    const user = await requireUser(id)
    return presentListedUser(user, (await store.countSites()).get(id) ?? 0)
  }

  return {
    listUsers: async () => {
      const [users, counts] = [await store.listUsers(), await store.countSites()]
      return { body: { users: users.map((user) => presentListedUser(user, counts.get(user.id) ?? 0)) } }
    },

    addUser: async ({ body }) => {
      const { password, allowed = null, policy = null, isAdmin = false } = body
      const email = body.email.trim()
      if (!isEmail(email)) throw badBody('/email', 'It is no e-mail address')
      if (password !== undefined) requirePassword(password, email)
      const given = { email, siteQuota: body.siteQuota ?? siteQuota, allowed: readAllowed(allowed), policy, isAdmin }
      const user = await store.addUser(
        password === undefined ? given : { ...given, passwordHash: await signIn.hash(password) },
      )
      return { body: presentListedUser(user, 0) }
    },

    changeUser: async ({ params, body }, caller) => {
      const user = await requireUser(params.id)
      const { password, siteQuota: quota, allowed, policy, isAdmin } = body
      if (user.id === caller.id && isAdmin === false) {
        throw new ProblemError('CONFLICT', 'Nobody can take the care of the installation from themselves')
      }
      if (password !== undefined) requirePassword(password, user.email)
      await store.updateUser(user.id, {
        ...(quota === undefined ? {} : { siteQuota: quota }),
        ...(allowed === undefined ? {} : { allowed: readAllowed(allowed) }),
        ...(policy === undefined ? {} : { policy }),
        ...(isAdmin === undefined ? {} : { isAdmin }),
      })
      if (password !== undefined) await store.setPassword(user.id, await signIn.hash(password))
      sessions.forget((each) => each.user.id === user.id)
      if (allowed !== undefined || policy !== undefined) onSitesChanged(user.id)
      return { body: await listed(user.id) }
    },

    deleteUser: async ({ params }, caller) => {
      const user = await requireUser(params.id)
      if (user.id === caller.id) throw new ProblemError('CONFLICT', 'Nobody can delete themselves')
      const deleted = await store.deleteUser(user.id)
      sessions.forget((each) => each.user.id === user.id)
      onSitesChanged(user.id)
      return { body: { deleted } }
    },

    listTokens: async ({ query, isAdmin }, caller) => {
      const { user = caller.id } = query
      if (typeof user !== 'string') throw badUser('It is given more than once')
      if (user !== caller.id && !isAdmin) throw new ProblemError('FORBIDDEN', 'Tokens of others are for `admin`')
      const owners = user === everybody ? await store.listUsers() : [await requireUser(user)]
      const tokens = await Promise.all(
        owners.map(async (owner) => (await store.listTokens(owner.id)).map((token) => presentToken(token, owner))),
      )
      return { body: { tokens: tokens.flat() } }
    },

    addToken: async (input, caller) => {
      const { name, expiresInDays = null } = input.body
      const scopes = scopesOf(input)
      if ((await store.listTokens(caller.id)).length >= tokensMax) {
        throw new ProblemError('CONFLICT', `A user has at most ${tokensMax} tokens`)
      }
      const expiresMs = expiresInDays === null ? null : clock.now() + expiresInDays * dayMs
      const secret = newTokenSecret()
      const token = await store.addToken({ userId: caller.id, name, scopes, expiresMs }, hashTokenSecret(secret))
      return { body: { token: presentToken(token, caller), secret } }
    },

    revokeToken: async ({ params, isAdmin }, caller) => {
      const deleted = await (isAdmin ? store.revokeToken(params.id) : store.revokeToken(params.id, caller.id))
      if (!deleted) throw new ProblemError('NOT_FOUND', 'There is no such token')
      return { body: { deleted } }
    },
  }
}

/** A token must not beget one that is good for more, or for longer. */
function scopesOf({ body, session, isAdmin, scopes }: Input<'addToken'>): Input<'addToken'>['body']['scopes'] {
  if (session === null && !isAdmin) throw new ProblemError('FORBIDDEN', 'Tokens are made by who has signed in')
  const wanted = [...new Set(body.scopes)]
  const lacking = wanted.find((scope) => !scopes.includes(scope))
  if (lacking !== undefined) throw new ProblemError('FORBIDDEN', `The caller lacks the scope \`${lacking}\``)
  return wanted
}

/** In canonical form. */
function readAllowed(allowed: User['allowed']): User['allowed'] {
  if (allowed === null) return null
  const networks = allowed.networks.map((text, i) => {
    if (readNetworks([text]).length === 0) throw badBody(`/allowed/networks/${i}`, 'It is no IPv4 network')
    return text
  })
  const domains = allowed.domains.map((text, i) => {
    const domain = canonicalHostname(text.replace(/^\*\./, ''))
    if (domain === null) throw badBody(`/allowed/domains/${i}`, 'It is no domain')
    return domain
  })
  return { networks, domains }
}

function badUser(detail: string): ProblemError {
  return new ProblemError('BAD_REQUEST', 'The query is not valid', [{ parameter: 'user', detail }])
}
