// Baselines: what is normal for the targets of each /24.
import type { SavedBaselines } from '../detect/normal/saved-baselines.ts'

export interface KnownBaselines {
  /** The latest of each network stays. */
  saveBaselines(baselines: SavedBaselines[]): Promise<void>
  /** Baselines of networks with traffic since then, the latest first; `unreadable`: rows that are not as they were written, and are left out. */
  loadBaselines(since: { heardSinceMs: number }): Promise<{ baselines: SavedBaselines[]; unreadable: number }>
  /** Deletes networks without traffic since then, and those silent longest while there are more than `networksMax`; gives how many. */
  pruneBaselines(limits: { heardBeforeMs: number; networksMax: number }): Promise<number>
}
