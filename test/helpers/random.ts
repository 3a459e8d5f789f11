// Random numbers that are the same in every run.

/** Gives an integer from 0, and always less than was asked for. */
export type Random = (below: number) => number

export function createRandom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
