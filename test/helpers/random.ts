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

/** How many come (Poisson) when `mean` come on average. */
export function poisson(random: Random, mean: number): number {
  const uniform = () => (random(2 ** 30) + 0.5) / 2 ** 30
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  const least = Math.exp(-mean)
  let count = 0
  for (let product = uniform(); product > least; product *= uniform()) count++
  return count
}
