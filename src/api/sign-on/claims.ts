// What the provider says of somebody, as far as it matters here. Pure.
import { type Role, roles } from '../../access/roles.ts'
import type { RefusalReason } from '../../errors.ts'
import { emailKey, isEmail } from '../../store/email.ts'
import type { OidcSettings } from './settings.ts'

export type Claims = Readonly<Record<string, unknown>>

/** Why somebody does not come in; told to them. */
export type Refusal = { refusal: string; reason: RefusalReason }

const groupsMax = 10_000

/** A claim by its name, or else by the way to it through objects: `realm_access.roles`. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.entries(found).find(([key]) => key === part)?.[1]
  }
  return found
}

/** The e-mail that the provider vouches for. */
export function emailOf(claims: Claims, settings: OidcSettings): string | Refusal {
  const email = claimOf(claims, settings.emailClaim)
  if (typeof email !== 'string' || !isEmail(email))
    return { refusal: 'The provider does not tell your e-mail', reason: 'email-unknown' }
  const verified = claimOf(claims, settings.verifiedClaim)
  if (![true, 'true', 1, '1'].some((yes) => yes === verified))
    return { refusal: 'The provider does not say that your e-mail is verified', reason: 'email-unverified' }
  const domain = emailKey(email).split('@')[1]
  const isAllowed = settings.domains.length === 0 || settings.domains.some((each) => each.toLowerCase() === domain)
  return isAllowed ? email : { refusal: 'E-mails of your domain are not let in here', reason: 'email-domain' }
}

/** The role that the groups give; undefined: groups do not matter here. */
export function roleOf(claims: Claims, { groups, groupsClaim }: OidcSettings): Role | Refusal | undefined {
  const roleOfGroup = new Map(Object.entries(groups))
  if (roleOfGroup.size === 0) return undefined
  const told = [claimOf(claims, groupsClaim)].flat().slice(0, groupsMax)
  const given = new Set(told.flatMap((group) => (typeof group === 'string' ? [roleOfGroup.get(group)] : [])))
  return (
    roles.findLast((role) => given.has(role)) ?? {
      refusal: 'You are in none of the groups that are let in here',
      reason: 'no-group',
    }
  )
}

/** What else has to be asked of the provider. */
export function isComplete(claims: Claims, { emailClaim, verifiedClaim, groupsClaim, groups }: OidcSettings): boolean {
  const needed = [emailClaim, verifiedClaim, ...(Object.keys(groups).length === 0 ? [] : [groupsClaim])]
  return needed.every((name) => claimOf(claims, name) !== undefined)
}
