// Which user somebody is whom the provider vouches for: bound to the provider's own name for them, never to an e-mail alone.
import type { Role } from '../../access/roles.ts'
import { Deed } from '../../audit/deed.ts'
import type { Actor } from '../../audit/entry.ts'
import { AppError } from '../../errors.ts'
import type { Store, User } from '../../store/store.ts'
import { emailOf, type Refusal, roleOf } from './claims.ts'
import type { Person } from './provider.ts'
import type { OidcSettings } from './settings.ts'

export interface PeopleOptions {
  store: Pick<
    Store,
    | ('userOfIdentity' | 'bindIdentity' | 'refuseIdentities' | 'acceptIdentities')
    | 'answerFor'
    | ('userByEmail' | 'userById' | 'addUser' | 'updateUser')
  >
  settings: OidcSettings
  /** How many sites a new user may have. */
  siteQuota: number
  /** Called with who it is, before anything is changed. */
  onKnown: (user: User) => void
  /** Who it is in the audit log. */
  actor: () => Actor
}

/** The user, with the role that the groups give now. */
export async function userOf(person: Person, options: PeopleOptions): Promise<User | Refusal> {
  const { store, settings } = options
  const known = await store.userOfIdentity(person)
  if (known !== null) options.onKnown(known)
  const role = roleOf(person.claims, settings)
  const email = emailOf(person.claims, settings)
  const turnAway = async (refusal: Refusal) => {
    // Who was let in before is not any more.
    if (known !== null) await noted('service.suspendTokens', known, options, () => store.refuseIdentities(known.id))
    return refusal
  }
  if (isRefusal(role)) return turnAway(role)
  if (isRefusal(email)) return turnAway(email)
  const user = known ?? (await firstTime(person, { email, role }, options))
  if (isRefusal(user)) return user
  await noted('service.resumeTokens', user, options, () => store.acceptIdentities(user.id))
  if (role === undefined || role === user.role) return user
  return (await setRole(user, role, store)) ? { ...user, role } : user
}

/** With a row of its own in the audit log, where it changes anything: the row of the sign-in says only whether that was refused. */
async function noted(kind: string, user: User, { store, actor }: PeopleOptions, change: () => Promise<boolean>) {
  const deed = new Deed({ kind, actor: actor(), object: user.email })
  await store.answerFor(deed, async () => {
    if (!(await change())) deed.withdraw()
  })
}

/** False: nobody would look after the installation any more, and so the role stays. */
async function setRole(user: User, role: Role, store: Pick<Store, 'updateUser'>): Promise<boolean> {
  try {
    await store.updateUser(user.id, { role }, { keepAdmin: true })
    return true
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
    return false
  }
}

export function isRefusal(found: unknown): found is Refusal {
  return typeof found === 'object' && found !== null && 'refusal' in found
}

async function firstTime(
  person: Person,
  { email, role = 'member' }: { email: string; role: Role | undefined },
  { store, settings, siteQuota, onKnown }: PeopleOptions,
): Promise<User | Refusal> {
  const same = await store.userByEmail(email)
  if (same !== null && !settings.linkByEmail)
    return {
      refusal: 'A user has your e-mail already, and is not linked to the provider: ask your administrator',
      reason: 'email-taken',
    }
  if (same === null && !settings.createUsers)
    return { refusal: 'You are no user here: ask your administrator', reason: 'no-user' }
  if (same !== null) onKnown(same)
  try {
    const user = same ?? (await store.addUser({ email, siteQuota, allowed: null, role }))
    await store.bindIdentity(user.id, person)
    return { ...user, hasIdentity: true }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
    // The same person in another tab was first; or the user is somebody else's at the provider.
    const bound = await store.userOfIdentity(person)
    return (
      bound ?? {
        refusal: 'The user of your e-mail is another one at the provider: ask your administrator',
        reason: 'email-elsewhere',
      }
    )
  }
}
