// What people have said of events, as it is read.
import { classifications } from '../../../contract/events/classifications.ts'
import type { Classification, EventNote, EventNotes, Saying } from '../../../events/notes.ts'
import type { Database } from '../database.ts'
import { numberOrNull, type Row, text, textOrNull } from '../rows.ts'

export const noteColumns =
  'acknowledged_by, acknowledged_ms, classification, note, said_by, said_ms, classified_by, classified_ms'

export function createNotesReading(database: Database): Pick<EventNotes, 'notesOf'> {
  const select = database.prepare(`
    SELECT event_id, ${noteColumns} FROM json_each(?) AS wanted
    CROSS JOIN event_notes ON event_id = wanted.value JOIN events ON events.id = event_id WHERE user_id = ?`)
  return {
    async notesOf(userId, eventIds) {
      const rows = database.read(() => select.all(JSON.stringify(eventIds), userId))
      return new Map(rows.map((row) => [text(row, 'event_id'), noteFrom(row)]))
    },
  }
}

/** Reads the note of one event of a user; null: there is none. */
export function noteReader(database: Database): (userId: string, eventId: string) => EventNote | null {
  const select = database.prepare(`
    SELECT ${noteColumns} FROM event_notes JOIN events ON id = event_id WHERE event_id = ? AND user_id = ?`)
  return (userId, eventId) => {
    const row = select.get(eventId, userId)
    return row === undefined ? null : noteFrom(row)
  }
}

function noteFrom(row: Row): EventNote {
  return {
    acknowledged: sayingFrom(row, 'acknowledged'),
    classification: classificationFrom(textOrNull(row, 'classification')),
    classified: sayingFrom(row, 'classified'),
    text: text(row, 'note'),
    said: sayingFrom(row, 'said'),
  }
}

function sayingFrom(row: Row, what: string): Saying | null {
  const [by, atMs] = [textOrNull(row, `${what}_by`), numberOrNull(row, `${what}_ms`)]
  return by === null || atMs === null ? null : { by, atMs }
}

/** A word of a newer version is left out. */
function classificationFrom(word: string | null): Classification | null {
  return classifications.find((each) => each === word) ?? null
}
