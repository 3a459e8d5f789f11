// Names and the addresses that they led to.
import type { NameOrAddress, SavedBinding, SavedObservation } from '../names/bindings/bindings.ts'

/** The last known bindings, so that a restart knows them before the first answer. */
export interface KnownBindings {
  /** The latest confirmation of each (name, address) stays. */
  saveBindings(bindings: SavedBinding[]): Promise<void>
  loadBindings(): Promise<SavedBinding[]>
  /** At most `max` bindings of a name or an address, those confirmed last first. */
  bindingsOf(asked: NameOrAddress, max: number): Promise<SavedBinding[]>
}

/** Names that resolvers elsewhere were asked for. */
export interface Observations {
  /** The latest confirmation of each (name, address) stays, with the earliest `firstMs` and the highest `count`, in whichever order they come. */
  saveObservations(observations: SavedObservation[]): Promise<void>
  /** The `max` confirmed last, of those confirmed since then; the one confirmed longest ago first. */
  loadObservations(since: { confirmedSinceMs: number; max: number }): Promise<SavedObservation[]>
  /** At most `max` bindings of a name or an address, those confirmed last first. */
  observationsOf(asked: NameOrAddress, max: number): Promise<SavedObservation[]>
  /** Deletes what was not confirmed since then, and of more than `max` those confirmed longest ago; gives how many. */
  pruneObservations(limits: { confirmedBeforeMs: number; max: number }): Promise<number>
}
