// The name under which a receiver has what is told together: that of its first event, and where all of it was over once, with the number of the message by which it
// came back: `ID-NUMBER`. Ids have no dash.
export const threadDash = '-'

/** `number`: that of the message within its event; null: the receiver has nothing of the event yet. */
export function threadName(eventId: string, number: number | null): string {
  return number === null ? eventId : `${eventId}${threadDash}${number}`
}
