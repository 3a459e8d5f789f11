// The endpoints of users.
import { readNetworks } from '../../access/host-record.ts'
import type { Role } from '../../access/roles.ts'
import type { ListedUser, userEndpoints } from '../../contract/accounts/users.ts'
import type { Body } from '../../contract/endpoints.ts'
import { canonicalHostname } from '../../net/hostname.ts'
import { isEmail } from '../../store/email.ts'
import type { Store, User } from '../../store/store.ts'
import type { Handlers } from '../http/endpoints.ts'
import { refusal } from '../http/problem.ts'
import { badBody, requirePassword, requireUser } from './accounts.ts'
import { presentListedUser } from './present.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import type { TokenEndpoint } from './tokens.ts'

export interface UserHandlerOptions {
  store: Pick<Store, 'listUsers' | 'userById' | 'addUser' | 'updateUser' | 'deleteUser' | 'setPassword' | 'countSites'>
  sessions: Sessions
  signIn: SignIn
  /** How many sites a new user may have. */
  siteQuota: number
  /** Called after what users may watch has changed, before it is answered. */
  onSitesChanged: (userId: string) => void
}

export function createUserHandlers(
  options: UserHandlerOptions,
): Handlers<Exclude<keyof typeof userEndpoints, TokenEndpoint>> {
  const { store, sessions, signIn, siteQuota, onSitesChanged } = options

  const listed = async (id: string): Promise<ListedUser> => {
    const user = await requireUser(store, id)
    return presentListedUser(user, (await store.countSites()).get(id) ?? 0)
  }

  return {
    listUsers: async () => {
      const [users, counts] = [await store.listUsers(), await store.countSites()]
      return { body: { users: users.map((user) => presentListedUser(user, counts.get(user.id) ?? 0)) } }
    },

    addUser: async ({ body }) => {
      const { password, allowed = null, policy = null } = body
      const email = body.email.trim()
      if (!isEmail(email)) throw badBody('/email', 'It is no e-mail address')
      if (password !== undefined) requirePassword(password, email)
      const role = roleOf(body, 'member') ?? 'member'
      const given = { email, siteQuota: body.siteQuota ?? siteQuota, allowed: readAllowed(allowed), policy, role }
      const user = await store.addUser(
        password === undefined ? given : { ...given, passwordHash: await signIn.hash(password) },
      )
      return { body: presentListedUser(user, 0) }
    },

    changeUser: async ({ params, body, deed }, caller) => {
      const user = await requireUser(store, params.id)
      deed.tell({ object: user.email, detail: { before: beforeOf(user, body) } })
      const { password, siteQuota: quota, allowed, policy } = body
      const role = roleOf(body, user.role)
      if (user.id === caller.id && role !== undefined && role !== user.role) {
        throw refusal('own-role', 'CONFLICT', 'Nobody can take their role from themselves')
      }
      if (password !== undefined) requirePassword(password, user.email)
      const change = {
        ...(quota === undefined ? {} : { siteQuota: quota }),
        ...(allowed === undefined ? {} : { allowed: readAllowed(allowed) }),
        ...(policy === undefined ? {} : { policy }),
        ...(role === undefined ? {} : { role }),
      }
      await store.updateUser(user.id, change, { keepAdmin: true })
      sessions.forget((each) => each.user.id === user.id)
      if (password !== undefined) {
        await store.setPassword(user.id, await signIn.hash(password))
        sessions.forget((each) => each.user.id === user.id)
      }
      if (allowed !== undefined || policy !== undefined) onSitesChanged(user.id)
      return { body: await listed(user.id) }
    },

    deleteUser: async ({ params, deed }, caller) => {
      const user = await requireUser(store, params.id)
      deed.tell({ object: user.email })
      if (user.id === caller.id) throw refusal('own-user', 'CONFLICT', 'Nobody can delete themselves')
      const deleted = await store.deleteUser(user.id, { keepAdmin: true })
      sessions.forget((each) => each.user.id === user.id)
      onSitesChanged(user.id)
      return { body: { deleted } }
    },
  }
}

/** What the user had of what is to be changed, and that a password is set. */
function beforeOf(user: User, body: Body<'changeUser'>) {
  const { role, siteQuota, allowed, policy, hasPassword } = user
  const isRole = body.role !== undefined || body.isAdmin !== undefined
  return {
    ...(isRole && { role }),
    ...(body.siteQuota !== undefined && { siteQuota }),
    ...(body.allowed !== undefined && { allowed }),
    ...(body.policy !== undefined && { policy }),
    ...(body.password !== undefined && { hasPassword }),
  }
}

/** The role that is asked for, of a user who has one; undefined: none is. `isAdmin` is the older word. */
function roleOf({ role, isAdmin }: Body<'changeUser'>, had: Role): Role | undefined {
  if (isAdmin === undefined) return role
  if (role !== undefined && (role === 'admin') !== isAdmin) throw badBody('/isAdmin', 'It contradicts `role`')
  if (isAdmin) return 'admin'
  return role ?? (had === 'admin' ? 'member' : had)
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
