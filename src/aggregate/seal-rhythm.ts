// When a slot is sealed: four times a second while it holds little, so that what begins is judged at once; once a second when it holds much, since the
// detector looks at all targets of a slot anew.

/** How often it is asked whether to seal. */
export const askEveryMs = 250
export const asksPerSecond = 1000 / askEveryMs
/** Records of a slot that is sealed before its second is over. */
const earlyRecordsMax = 2_000

/** `records`: those of the slot so far. */
export function isSealDue(isSecondOver: boolean, records: number): boolean {
  return isSecondOver || records <= earlyRecordsMax
}
