// Decides when a slot is sealed: four times a second while it holds little, so that the beginning of an attack is judged at once; once a second when it
// holds much, since the detector goes through all targets of every slot.

/** How often a collector may seal, milliseconds. */
export const sealEveryMs = 250
export const sealsPerSecond = 1000 / sealEveryMs
/** A slot with more records than this waits for the end of its second. */
const earlyRecordsMax = 2_000

/** `records`: those of the slot so far. */
export function isSealDue(isSecondOver: boolean, records: number): boolean {
  return isSecondOver || records <= earlyRecordsMax
}
