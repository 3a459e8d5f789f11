// The part of the store that keeps second factors: a secret for codes by time, sealed (see secret-box.ts), and recovery codes, as hashes.

export interface SecondFactor {
  /** The secret, sealed for its user. */
  sealedSecret: Uint8Array
  /** The step of the last code that was taken: none of it, or before it, is taken again. */
  usedStep: number
  /** Null: it has been made, and waits for a code that shows that the user has it. */
  confirmedMs: number | null
  recoveryCodesLeft: number
}

export interface SecondFactors {
  /** In place of one that was not confirmed. Throws AppError CONFLICT where one was, and NOT_FOUND. */
  setSecondFactor(userId: string, sealedSecret: Uint8Array): Promise<void>
  secondFactorOf(userId: string): Promise<SecondFactor | null>
  /** With the step of the code that shows it. False: there is none that waits. */
  confirmSecondFactor(userId: string, given: { step: number; codeHashes: readonly Uint8Array[] }): Promise<boolean>
  /** False: a code of that step, or of a later one, was taken before. */
  takeStep(userId: string, step: number): Promise<boolean>
  /** False: there is no such code, or it was taken before. */
  takeRecoveryCode(userId: string, codeHash: Uint8Array): Promise<boolean>
  /** In place of those that there were. Throws AppError NOT_FOUND where there is no second factor. */
  setRecoveryCodes(userId: string, codeHashes: readonly Uint8Array[]): Promise<void>
  /** With its recovery codes. False: there was none. */
  deleteSecondFactor(userId: string): Promise<boolean>
  /** All secrets, as they are sealed. */
  sealedSecrets(): Promise<Uint8Array[]>
}
