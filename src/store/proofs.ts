// Proofs: what users show or have shown to control.
import type { SavedProof } from '../access/proof.ts'

export interface Proofs {
  /** By user, kind and subject. */
  loadProofs(): Promise<SavedProof[]>
  /** The latest of each user and subject stays; those of users who are gone are passed over. */
  saveProofs(proofs: readonly SavedProof[]): Promise<void>
  deleteProofs(proofs: readonly Pick<SavedProof, 'userId' | 'subject'>[]): Promise<void>
}
