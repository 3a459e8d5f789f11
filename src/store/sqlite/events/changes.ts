// The log of what happened to events. Transactions that write it hold the database's lock from their beginning, so that places are in the order of commits.
import type { Clock } from '../../../clock.ts'
import { changeKinds, type EventChange, type LoggedChange } from '../../../events/changes.ts'
import type { Store } from '../../store.ts'
import { deletedPerChunk, untilDone } from '../chunks.ts'
import type { Database } from '../database.ts'
import { number, numberOrNull, type Row, text } from '../rows.ts'

export class ChangeLog {
  readonly verbs: Pick<Store, 'changesAfter' | 'lastChange' | 'pruneChanges'>
  readonly #clock: Clock
  readonly #selectLast
  readonly #insert
  readonly #updateLast

  constructor(database: Database, { clock }: { clock: Clock }) {
    this.#clock = clock
    this.#selectLast = database.prepare('SELECT last FROM event_change_marks')
    this.#insert = database.prepare(`
      INSERT INTO event_changes (sequence, user_id, event_id, change, at_ms) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (event_id) WHERE change = 'updated' DO UPDATE SET sequence = excluded.sequence, at_ms = excluded.at_ms`)
    this.#updateLast = database.prepare('UPDATE event_change_marks SET last = ?')
    this.verbs = createVerbs(database)
  }

  /**
   * Within the transaction that changes the events. Places begin at the time where that is ahead: a change that a loss of power has undone, and that
   * somebody has read, leaves its place to no later one.
   */
  add(changes: readonly EventChange[]): void {
    if (changes.length === 0) return
    const nowMs = this.#clock.now()
    let last = Math.max(nowMs, number(this.#selectLast.get() ?? {}, 'last'))
    for (const { userId, id, change } of changes) this.#insert.run(++last, userId, id, change, nowMs)
    this.#updateLast.run(last)
  }
}

function createVerbs(database: Database): ChangeLog['verbs'] {
  const selectAfter = database.prepare(`
    SELECT sequence, user_id, event_id, change FROM event_changes WHERE sequence > ? ORDER BY sequence LIMIT ?`)
  const selectMarks = database.prepare('SELECT last, deleted FROM event_change_marks')
  const selectByCount = database.prepare('SELECT sequence FROM event_changes ORDER BY sequence DESC LIMIT 1 OFFSET ?')
  const selectByTime = database.prepare('SELECT min(sequence) AS sequence FROM event_changes WHERE at_ms >= ?')
  const selectChunk = database.prepare(`
    SELECT max(sequence) AS sequence, count(*) AS changes FROM (
      SELECT sequence FROM event_changes WHERE sequence < ? ORDER BY sequence LIMIT ${deletedPerChunk})`)
  const deleteChunk = database.prepare('DELETE FROM event_changes WHERE sequence <= ?')
  const updateDeleted = database.prepare('UPDATE event_change_marks SET deleted = ?')

  return {
    async changesAfter(sequence, limit) {
      // The mark is read last: what is deleted in between may be missing, and is told.
      const changes = database.read(() => selectAfter.all(sequence, limit)).map(changeFrom)
      const marks = database.read(() => selectMarks.get()) ?? {}
      return { changes, isIncomplete: sequence < number(marks, 'deleted') }
    },

    async lastChange() {
      return number(database.read(() => selectMarks.get()) ?? {}, 'last')
    },

    async pruneChanges({ beforeMs, max }) {
      const keptFrom = database.read(() => {
        const young = numberOrNull(selectByTime.get(beforeMs) ?? {}, 'sequence') ?? Number.MAX_SAFE_INTEGER
        const surplus = selectByCount.get(max)
        return surplus === undefined ? young : Math.max(young, number(surplus, 'sequence') + 1)
      })
      const step = () => {
        const chunk = selectChunk.get(keptFrom) ?? {}
        const [through, changes] = [numberOrNull(chunk, 'sequence'), number(chunk, 'changes')]
        if (through === null) return null
        deleteChunk.run(through)
        updateDeleted.run(through)
        return changes
      }
      return untilDone(() => database.write(step, { durable: false }))
    },
  }
}

function changeFrom(row: Row): LoggedChange {
  const word = text(row, 'change')
  return {
    sequence: number(row, 'sequence'),
    userId: text(row, 'user_id'),
    id: text(row, 'event_id'),
    // Something happened that a newer version has a word for.
    change: changeKinds.find((each) => each === word) ?? 'updated',
  }
}
