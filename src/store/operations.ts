// What is done to the store as a whole.

export interface Operations {
  /** Deletes older rows in short transactions, until the signal ends it; returns how many rows were deleted. `seriesMs` is for traces and sights, too. */
  prune(before: { eventsMs: number; seriesMs: number; bindingsMs: number }, signal?: AbortSignal): Promise<number>
  /** The time that was followed when rows were last deleted for their age, Unix milliseconds: see `noteFollowed`. 0: nothing is known of it. */
  followedMs(): Promise<number>
  noteFollowed(ms: number): Promise<void>
  /** Throws AppError STORE_UNAVAILABLE when a write would fail. */
  checkWritable(): Promise<void>
  /** How much room it takes, in bytes. */
  sizeBytes(): Promise<number>
  /** A consistent copy, made while others read and write. Throws AppError CONFLICT when the file exists. */
  backup(toFile: string): Promise<void>
  close(): Promise<void>
}
