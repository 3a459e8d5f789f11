// Another key in place of the one that secrets are sealed with. The order is what makes it safe: the next key is on the disk before anything is sealed with it,
// everything is sealed again in one transaction, and only then is the other key gone. Killed anywhere, all is sealed with a key that is here.
import type { SealedStore, SecretBox } from '../secret-box.ts'

/** What was sealed again, and what was left as it is, since it cannot be opened. */
export interface Resealed {
  resealed: number
  left: number
}

export interface Resealing {
  /** All secrets, in one transaction. `again`: a secret as it is sealed, and whom it opens for; null: it stays as it is. */
  resealAll(again: (sealed: Uint8Array, owner: string) => Uint8Array | null): Promise<Resealed>
}

export type RekeyStore = SealedStore & Resealing

/** Not beside a service: it would go on sealing with the key that is given up. */
export async function rekey(store: RekeyStore, secrets: SecretBox): Promise<Resealed> {
  await settleKeys(store, secrets)
  secrets.makeNext()
  const resealed = await store.resealAll((sealed, owner) => secrets.resealed(sealed, owner))
  secrets.takeNext()
  return resealed
}

/** Ends a change of keys that was broken off: all secrets that can be opened are sealed with the one, or with the other. */
export async function settleKeys(store: SealedStore, secrets: SecretBox): Promise<void> {
  if (!secrets.hasNext()) return
  const sealed = [...(await store.sealedSecrets()), ...(await store.sealedChannels())]
  if (sealed.some((each) => secrets.isOfNext(each))) secrets.takeNext()
  else secrets.dropNext()
}
