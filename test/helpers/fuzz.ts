// How long properties and fuzzing go on: `npm test` is brief, `npm run test:long` and whoever sets FUZZ_SECONDS is not.
import fc from 'fast-check'

/** Seconds of each fuzz. */
export const fuzzSeconds = Number(process.env.FUZZ_SECONDS ?? 0.25)

/** Runs of a property that is bounded in number rather than in time: a machine that is busy must not pass for one that has tried. */
export const fuzzRuns = Math.ceil(fuzzSeconds * 8)

/** Holds a property against made-up values for that long, and against one at least: on a busy machine the time may be over before the first. */
export function fuzz<Given>(property: fc.IProperty<Given>, ms = fuzzSeconds * 1_000): void {
  const details = fc.check(property, { numRuns: 1e9, interruptAfterTimeLimit: ms })
  if (details.numRuns === 0) fc.assert(property, { numRuns: 1 })
  else if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
}
