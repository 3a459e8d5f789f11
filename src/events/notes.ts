// What people say of events, and the verbs of the store for it.
import type { classifications } from '../contract/events/classifications.ts'

export type Classification = (typeof classifications)[number]

/** Who did something, by e-mail, and when, Unix milliseconds. */
export interface Saying {
  by: string
  atMs: number
}

export interface EventNote {
  /** Null: nobody has taken note of it. */
  acknowledged: Saying | null
  /** Null: it was not said. */
  classification: Classification | null
  text: string
  /** Who changed the classification last; null: there is none. */
  classified: Saying | null
  /** Who changed classification or text last; null: nobody. */
  said: Saying | null
}

export const noNote: EventNote = {
  acknowledged: null,
  classification: null,
  classified: null,
  text: '',
  said: null,
}

/** What is left out stays as it is. */
export interface NoteChange {
  acknowledged?: boolean
  classification?: Classification | null
  text?: string
}

export interface EventNotes {
  /** The notes on these events of the user, by event id; events without a note are left out. */
  notesOf(userId: string, eventIds: readonly string[]): Promise<Map<string, EventNote>>
  /** Null when the user has no such event. Who has acknowledged it first stays. */
  changeNote(userId: string, eventId: string, change: NoteChange, who: Saying): Promise<EventNote | null>
}
