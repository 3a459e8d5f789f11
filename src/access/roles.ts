// Roles: what each lets a user do. Whoever decides about a right asks this table.

/** What credentials can be good for. None includes another. */
export const scopes = ['read', 'write', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** From the role that may do least. An endpoint of the contract names the least role that may call it, and the scope that a token needs for it. */
const table = {
  /** Sees what is the user's, and changes nothing but how the user signs in. */
  viewer: ['read'],
  /** Watches sites and answers for them. */
  member: ['read', 'write'],
  /** Looks after the installation and its users. */
  admin: ['read', 'write', 'admin'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>

export type Role = keyof typeof table

export const roles = ['viewer', 'member', 'admin'] as const satisfies readonly Role[]

/** What somebody may do who has signed in. */
export function scopesOf(role: Role): readonly Scope[] {
  return table[role]
}

/** What a token is good for now: never for more than its user may do. */
export function scopesWithin(role: Role, given: readonly Scope[]): readonly Scope[] {
  return scopesOf(role).filter((scope) => given.includes(scope))
}

/** Whether the role may do what takes `least`. */
export function reaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}

/** A word that this version does not know, of a newer one, allows least. */
export function roleFrom(word: string): Role {
  return roles.find((role) => role === word) ?? 'viewer'
}
