// The policies: which host records each lets a user register. What a user is then shown of an address is decided by authority.ts.
import { subjectOf } from './challenge.ts'
import { type Allowed, allowedBy, type HostRecord } from './host-record.ts'
import type { Role } from './roles.ts'

export const policies = ['single', 'assigned', 'verified', 'open'] as const

/**
 * `single`: one organisation, nothing is checked. `assigned`: sites lie in what the operator allowed the user. `verified`: that, and what the
 * user proves to control. `open`: anybody may watch anything.
 */
export type Policy = (typeof policies)[number]

/** The operator's decision about a user. Structurally the store's. */
export interface Allowance {
  /** Null: the installation's. */
  policy: Policy | null
  allowed: Allowed
}

/** Whether the user may have the host record as a site; where it must be proved first, whether it can be. */
export function mayRegister(record: HostRecord, { policy, allowed }: Allowance, installation: Policy): boolean {
  const inForce = policy ?? installation
  if (!hasToHaveSay(inForce)) return allowedBy(allowed, record)
  if (allowed !== null && allowedBy(allowed, record)) return true
  return inForce === 'verified' && subjectOf(record) !== null
}

/** Whether the user may have a network shorter than a /24 as a site: admins, and users to whom the operator gave it. It can't be proved. */
export function mayRegisterWide(record: HostRecord, user: Allowance & { role: Role }, installation: Policy): boolean {
  if (user.allowed !== null && allowedBy(user.allowed, record)) return true
  return user.role === 'admin' && mayRegister(record, user, installation) && !mustProve(record, user, installation)
}

/** Whether users under the policy may watch only what was given to them or proved by them. */
export function hasToHaveSay(policy: Policy): boolean {
  return policy === 'assigned' || policy === 'verified'
}

/** Whether the user must prove the host record before it is watched. */
export function mustProve(record: HostRecord, { policy, allowed }: Allowance, installation: Policy): boolean {
  return (policy ?? installation) === 'verified' && (allowed === null || !allowedBy(allowed, record))
}
