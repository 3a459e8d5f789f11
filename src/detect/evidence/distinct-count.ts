// Counts different numbers of 32 bits in 4 KiB, however many they are: a HyperLogLog (Flajolet et al. 2007) with the estimator of
// Ertl 2017 ("New cardinality estimation algorithms for HyperLogLog sketches", section 2), which needs no corrections for few or many.

/** Bits of the hash that choose a register; the others make its rank. */
const registerBits = 12
const registers = 1 << registerBits
const rankBits = 32 - registerBits

export class DistinctCount {
  /** Relative standard error of the estimate: one estimate in a hundred is off by more than 2.6 times as much. */
  static readonly error = 1.04 / Math.sqrt(registers)
  /** The highest rank of the numbers that came to the register. */
  readonly #ranks = new Uint8Array(registers)

  add(value: number): void {
    const hash = mixed(value)
    const rank = Math.min(Math.clz32(hash << registerBits), rankBits) + 1
    const register = hash >>> rankBits
    if (rank > this.#ranks[register]) this.#ranks[register] = rank
  }

  estimate(): number {
    const withRank = new Uint32Array(rankBits + 2)
    for (const rank of this.#ranks) withRank[rank]++
    let sum = registers * tau(1 - withRank[rankBits + 1] / registers)
    for (let rank = rankBits; rank >= 1; rank--) sum = (sum + withRank[rank]) / 2
    sum += registers * sigma(withRank[0] / registers)
    return (registers * registers) / (2 * Math.LN2 * sum)
  }
}

/** For registers that nothing came to. */
function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY
  let sum = share
  let power = share
  for (let weight = 1, before = Number.NaN; sum !== before; weight *= 2) {
    before = sum
    power *= power
    sum += power * weight
  }
  return sum
}

/** For registers with the highest rank that there is. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0
  let sum = 1 - share
  let root = share
  for (let weight = 0.5, before = Number.NaN; sum !== before; weight /= 2) {
    before = sum
    root = Math.sqrt(root)
    sum -= (1 - root) ** 2 * weight
  }
  return sum / 3
}

/** Every bit of the value changes every bit of the hash with probability one half (the finalizer of MurmurHash3). */
function mixed(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
