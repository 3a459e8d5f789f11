// The secrets of a channel, as its user changes them and as messages are sent with them. Pure.

/** Beside a secret that was made, the one before it: no user gives it, and for a while both count. */
export const oldSecret = 'old'
/** How long that is. */
export const oldSecretMs = 86_400_000

export type Secrets = Readonly<Record<string, string>>

/** What its user has said, without the one before it: that is gone with any change. */
export function givenSecrets(secrets: Secrets): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => name !== oldSecret))
}

/** Those that count now. */
export function secretsNow(secrets: Secrets, oldSecretUntilMs: number | null, nowMs: number): Secrets {
  return oldSecretUntilMs !== null && nowMs < oldSecretUntilMs ? secrets : givenSecrets(secrets)
}
