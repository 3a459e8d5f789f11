// How long properties and fuzzing go on: `npm test` is brief, `npm run test:long` and whoever sets FUZZ_SECONDS is not.

/** Seconds of each fuzz. */
export const fuzzSeconds = Number(process.env.FUZZ_SECONDS ?? 0.25)

/** Runs of a property that is bounded in number rather than in time: a machine that is busy must not pass for one that has tried. */
export const fuzzRuns = Math.ceil(fuzzSeconds * 8)
