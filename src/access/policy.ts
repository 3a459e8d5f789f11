// The policies: which host records each lets a user register. What a user is then shown of an address is decided by authority.ts.
import { subjectOf } from './challenge.ts'
import { type Allowed, compileAllowed, type HostRecord } from './host-record.ts'
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

/** What a user may register. */
export interface Registrar {
  /** Whether the user may have the host record as a site; where it must be proved first, whether it can be. */
  mayRegister(record: HostRecord): boolean
  /** Whether the user may have a network shorter than a /24 as a site: admins, and users to whom the operator gave it. It can't be proved. */
  mayRegisterWide(record: HostRecord): boolean
  /** Whether the user must prove the host record before it is watched. */
  mustProve(record: HostRecord): boolean
}

/** Compiled once for all records of a request: a user may have a thousand domains, and a request a thousand hosts. */
export function createRegistrar(user: Allowance & { role: Role }, installation: Policy): Registrar {
  const inForce = user.policy ?? installation
  const isAllowed = compileAllowed(user.allowed)
  const isGiven = (record: HostRecord) => user.allowed !== null && isAllowed(record)
  const mustProve = (record: HostRecord) => inForce === 'verified' && !isGiven(record)
  const mayRegister = (record: HostRecord) => {
    if (!hasToHaveSay(inForce)) return isAllowed(record)
    return isGiven(record) || (inForce === 'verified' && subjectOf(record) !== null)
  }
  const mayRegisterWide = (record: HostRecord) =>
    isGiven(record) || (user.role === 'admin' && mayRegister(record) && !mustProve(record))
  return { mayRegister, mayRegisterWide, mustProve }
}

/** Whether users under the policy may watch only what was given to them or proved by them. */
export function hasToHaveSay(policy: Policy): boolean {
  return policy === 'assigned' || policy === 'verified'
}
