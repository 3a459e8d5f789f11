// The verbs that write events and tell what happened to them: what the recorder, and whoever reports events, needs of a store.
import type { ChangesRead, EventChange } from './changes.ts'
import type { EventDetail, EventReturn, EventUpdate, NewEvent, OwnerUpdate } from './records.ts'

/** What is written in one transaction. The order of the properties is that in which they take effect. */
export interface Recording {
  /**
   * Events that came back after their end was recorded, whose update is among the updates. Each gets another entry in the list of the interface, dated as a new event is;
   * an id that is there already changes nothing.
   */
  returns?: readonly EventReturn[]
  /** What changes in an incident's event of one user. */
  ofOwners?: readonly OwnerUpdate[]
  /** What changes in an incident's events of every user. */
  updates?: readonly EventUpdate[]
  /**
   * New events. One whose id is there already is left as it is: to write it again after a failure is safe. One of a user who has been deleted
   * is left out. A test is classified as one.
   */
  made?: readonly NewEvent[]
  /** Events that were last seen before this are closed, Unix milliseconds; those without an end end where they were last seen. */
  closeSeenBeforeMs?: number
}

export interface Recorded {
  /** The new events, as they are stored. */
  made: EventDetail[]
  /** What happened, as the log of changes has it now. */
  changes: EventChange[]
}

export interface EventStore {
  /**
   * Writes events and what happened to them, all or none. A loss of power may undo a recording that only brings events up to date. No reading of
   * a list that is over lacks an event of its window: an event whose `createdMs` has passed when its transaction begins is dated at the next
   * whole second of the store's clock, and a list waits for the transactions that go on, in whichever process.
   */
  record(recording: Recording): Promise<Recorded>
  /**
   * The first changes after a place in the log, at most `limit`. A change that a reader has not seen never gets a place before one that it has. Of
   * several updates of an event the log keeps the latest.
   */
  changesAfter(sequence: number, limit: number): Promise<ChangesRead>
  /** The place of the latest change there was; 0: there was none. */
  lastChange(): Promise<number>
  /** Deletes changes from before then, and of more than `max` the earliest; gives how many. */
  pruneChanges(limits: { beforeMs: number; max: number }): Promise<number>
  /**
   * Events of everybody that were last seen then or later, whether they have an end or not: what goes on after a restart. Statistics and
   * course of an incident's first event, which has had every report, stand for those of its others: the first that is shown all, if any.
   */
  eventsSeenAfter(ms: number): Promise<EventDetail[]>
}
