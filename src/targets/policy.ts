// Who may watch what: the policies, and which host records each lets a user register. What of an address a user is then shown is settled
// where names are (names/authority.ts).
import { subjectOf } from './challenge.ts'
import { type Allowed, allowedBy, type HostRecord } from './site.ts'

export const policies = ['single', 'assigned', 'verified', 'open'] as const

/**
 * `single`: one organisation, nothing is checked. `assigned`: sites lie in what the operator allowed the user. `verified`: that, and what the
 * user proves to control. `open`: anybody may watch anything.
 */
export type Policy = (typeof policies)[number]

/** What the operator decided about a user. Structurally the store's. */
export interface Allowance {
  /** Null: the installation's. */
  policy: Policy | null
  allowed: Allowed
}

/** Whether the user may have the host record as a site. Of one that is to be proved this says that it can be. */
export function mayRegister(record: HostRecord, { policy, allowed }: Allowance, installation: Policy): boolean {
  const inForce = policy ?? installation
  if (!hasToHaveSay(inForce)) return allowedBy(allowed, record)
  if (allowed !== null && allowedBy(allowed, record)) return true
  return inForce === 'verified' && subjectOf(record) !== null
}

/** Whether the user may have a network shorter than a /24 as a site: who looks after the installation, and whoever was given it. It can't be proved. */
export function mayRegisterWide(
  record: HostRecord,
  user: Allowance & { isAdmin: boolean },
  installation: Policy,
): boolean {
  if (user.allowed !== null && allowedBy(user.allowed, record)) return true
  return user.isAdmin && mayRegister(record, user, installation) && !mustProve(record, user, installation)
}

/** Whether users under the policy may watch only what they have a say over. */
export function hasToHaveSay(policy: Policy): boolean {
  return policy === 'assigned' || policy === 'verified'
}

/** Whether the user has to prove the host record before it is watched. */
export function mustProve(record: HostRecord, { policy, allowed }: Allowance, installation: Policy): boolean {
  return (policy ?? installation) === 'verified' && (allowed === null || !allowedBy(allowed, record))
}
