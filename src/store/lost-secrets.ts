// Secrets that cannot be opened here: those of a store that was put in place without the key that lay beside it.

import type { SecondFactors } from './second-factors.ts'
import type { SecretBox } from './secret-box.ts'

/** A sentence for the operator; null: the key of every secret is here. */
export async function lostSecrets(
  store: Pick<SecondFactors, 'sealedSecrets'>,
  secrets: SecretBox,
): Promise<string | null> {
  const lost = (await store.sealedSecrets()).filter((sealed) => !secrets.hasKeyOf(sealed)).length
  if (lost === 0) return null
  const who = lost === 1 ? 'The second factor of one user' : `The second factors of ${lost} users`
  return `${who} cannot be checked: their key is not in ${secrets.file}. Put it back from where the store came from; until then they sign in with recovery codes, or \`floodgauge user reset-second-factor EMAIL\` takes the second factor away`
}
