// What people have said of events.

import type { Clock } from '../../../clock.ts'
import { classifications } from '../../../contract/events/classifications.ts'
import { type Classification, type EventNote, type EventNotes, noNote, type Saying } from '../../../events/notes.ts'
import type { Database } from '../database.ts'
import { numberOrNull, type Row, text, textOrNull } from '../rows.ts'
import type { ChangeLog } from './changes.ts'
import { nextPlace } from './sequence.ts'

const columns = 'acknowledged_by, acknowledged_ms, classification, note, said_by, said_ms, classified_by, classified_ms'

export function createEventNotes(database: Database, { clock, log }: { clock: Clock; log: ChangeLog }): EventNotes {
  const touchEvent = database.prepare(`UPDATE events SET updated_ms = ?, sequence = ${nextPlace} WHERE id = ?`)
  const selectEvent = database.prepare('SELECT 1 FROM events WHERE id = ? AND user_id = ?')
  const selectNote = database.prepare(`
    SELECT ${columns} FROM event_notes JOIN events ON id = event_id WHERE event_id = ? AND user_id = ?`)
  const saveNote = database.prepare(`
    INSERT INTO event_notes (event_id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (event_id) DO UPDATE SET acknowledged_by = excluded.acknowledged_by,
      acknowledged_ms = excluded.acknowledged_ms, classification = excluded.classification, note = excluded.note,
      said_by = excluded.said_by, said_ms = excluded.said_ms,
      classified_by = excluded.classified_by, classified_ms = excluded.classified_ms`)

  function noteOf(userId: string, eventId: string): EventNote | null {
    const row = selectNote.get(eventId, userId)
    return row === undefined ? null : noteFrom(row)
  }

  return {
    async notesOf(userId, eventIds) {
      return database.read(() => {
        const notes = new Map<string, EventNote>()
        for (const id of eventIds) {
          const note = noteOf(userId, id)
          if (note !== null) notes.set(id, note)
        }
        return notes
      })
    },

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
