// Which events are of one attack, in SQL: owners who know different parts of an incident have events under ids of their own (see events/known-part.ts).
import { separator } from '../../../events/known-part.ts'

/** Ids of parts lie between the two, in the order of text. */
const [first, behind] = [separator, String.fromCharCode(separator.charCodeAt(0) + 1)]

/** That of the incident whose part it may be. */
const wholeOf = (incident: string) =>
  `iif(instr(${incident}, '${first}') = 0, ${incident}, substr(${incident}, 1, instr(${incident}, '${first}') - 1))`

/** Two events: whoever's they are, and whatever these know of it. The first one is found by the index of incidents. */
export const isSameAttack = (found: string, given: string) => {
  const whole = wholeOf(`${given}.incident`)
  // One range of the index, and within it the whole and its parts alone.
  return `(${found}.incident >= ${whole} AND ${found}.incident < ${whole} || '${behind}'
    AND (${found}.incident = ${whole} OR ${found}.incident > ${whole} || '${first}'))`
}

/** The order in which events stand for their attack: the first one does, and of those made at once who knows all of it. */
export const standingOrder = (event: string) => `${event}.created_ms, ${event}.incident, ${event}.id`

/** The id of the event that stands for the attack of the one given. */
export const standingFor = (given: string) =>
  `(SELECT f.id FROM events f WHERE ${isSameAttack('f', given)} ORDER BY ${standingOrder('f')} LIMIT 1)`
