// What people say of events.

import type { Clock } from '../../../clock.ts'
import { type Classification, type EventNote, type EventNotes, noNote, type Saying } from '../../../events/notes.ts'
import type { Database } from '../database.ts'
import type { ChangeLog } from './changes.ts'
import { createNotesReading, noteColumns, noteReader } from './notes-reading.ts'
import { nextPlace } from './sequence.ts'

export function createEventNotes(database: Database, { clock, log }: { clock: Clock; log: ChangeLog }): EventNotes {
  const touchEvent = database.prepare(`UPDATE events SET updated_ms = ?, sequence = ${nextPlace} WHERE id = ?`)
  const selectEvent = database.prepare('SELECT 1 FROM events WHERE id = ? AND user_id = ?')
  const noteOf = noteReader(database)
  const saveNote = database.prepare(`
    INSERT INTO event_notes (event_id, ${noteColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (event_id) DO UPDATE SET acknowledged_by = excluded.acknowledged_by,
      acknowledged_ms = excluded.acknowledged_ms, classification = excluded.classification, note = excluded.note,
      said_by = excluded.said_by, said_ms = excluded.said_ms,
      classified_by = excluded.classified_by, classified_ms = excluded.classified_ms`)

  return {
    ...createNotesReading(database),

    async changeNote(userId, eventId, change, who) {
      return database.write(() => {
        if (selectEvent.get(eventId, userId) === undefined) return null
        const before = noteOf(userId, eventId) ?? noNote
        const isSaid = change.classification !== undefined || change.text !== undefined
        const note: EventNote = {
          acknowledged: acknowledgedBy(before.acknowledged, change.acknowledged, who),
          classification: change.classification === undefined ? before.classification : change.classification,
          classified: classifiedBy(before, change.classification, who),
          text: change.text ?? before.text,
          said: isSaid ? who : before.said,
        }
        const { acknowledged, classification, classified, said } = note
        const of = (each: Saying | null) => [each?.by ?? null, each?.atMs ?? null]
        saveNote.run(eventId, ...of(acknowledged), classification, note.text, ...of(said), ...of(classified))
        touchEvent.run(clock.now(), clock.now(), eventId)
        log.add([{ userId, id: eventId, change: 'updated' }])
        return note
      })
    },
  }
}

function acknowledgedBy(before: Saying | null, wanted: boolean | undefined, who: Saying): Saying | null {
  if (wanted === undefined) return before
  return wanted ? (before ?? who) : null
}

/** To say the same again changes nothing. */
function classifiedBy(before: EventNote, wanted: Classification | null | undefined, who: Saying): Saying | null {
  if (wanted === undefined || wanted === before.classification) return before.classified
  return wanted === null ? null : who
}
