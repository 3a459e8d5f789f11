// The secrets of a channel, as its user changes them and as messages are sent with them. Pure.

/** Beside a secret that was made, the one before it: no user gives it, and for a while both count. */
export const oldSecret = 'old'
/** How long that is. */
export const oldSecretMs = 86_400_000

export type Secrets = Readonly<Record<string, string>>

/** What its user has said, without what is kept beside it. */
export function givenSecrets(secrets: Secrets): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => name !== oldSecret))
}

/** A secret that is given replaces the one of its name, null takes it away, and the others stay. The one before a secret is gone with any change. */
export function changedSecrets(
  before: Secrets,
  change: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const left = Object.entries(givenSecrets(before)).filter(([name]) => !Object.hasOwn(change, name))
  const added = Object.entries(change).filter((entry): entry is [string, string] => entry[1] !== null)
  return Object.fromEntries([...left, ...added])
}

/** Those that count now. */
export function secretsNow(secrets: Secrets, oldSecretUntilMs: number | null, nowMs: number): Secrets {
  return oldSecretUntilMs !== null && nowMs < oldSecretUntilMs ? secrets : givenSecrets(secrets)
}
