// Look-ups in the watch list against a Map by /24 and a Map by dotted text; and the time to compile a list.
// Run: node bench/watch-list.ts

import { compileWatchList, isWatched } from '../src/aggregate/watch-list.ts'
import { formatIpv4 } from '../src/net/ipv4.ts'

const sites = 10_000
const lookups = 4_000_000

/** Deterministic 32-bit numbers (xorshift), so that runs compare. */
function numbers(seed: number, count: number): Uint32Array {
  const out = new Uint32Array(count)
  let state = seed
  for (let i = 0; i < count; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    out[i] = state
  }
  return out
}

function best(runs: number, work: () => number): number {
  let bestMs = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    const startMs = performance.now()
    work()
    bestMs = Math.min(bestMs, performance.now() - startMs)
  }
  return bestMs
}

function report(what: string, count: number, ms: number): void {
  console.log(`${what.padEnd(34)} ${(count / ms / 1_000).toFixed(1).padStart(8)} M/s  ${ms.toFixed(1).padStart(8)} ms`)
}

const watched = numbers(1, sites).toSorted()
const ranges = new Uint32Array(sites * 2)
watched.forEach((address, i) => {
  ranges[i * 2] = address
  ranges[i * 2 + 1] = address
})
const list = compileWatchList(ranges)
const pages = new Map<number, Uint32Array>()
const texts = new Map<string, number>()
for (const address of watched) {
  const page = pages.get(address >>> 8) ?? new Uint32Array(256)
  page[address & 255] = 1
  pages.set(address >>> 8, page)
  texts.set(formatIpv4(address), 1)
}

// Half of the look-ups hit.
const asked = numbers(2, lookups)
for (let i = 0; i < lookups; i += 2) asked[i] = watched[asked[i] % sites]
const askedTexts = Array.from(asked.subarray(0, lookups / 10), formatIpv4)

// One loop a structure: a shared loop over a closure would time the call.
function hitsInList(): number {
  let hits = 0
  for (let i = 0; i < asked.length; i++) if (isWatched(list, asked[i])) hits++
  return hits
}

function hitsInPages(): number {
  let hits = 0
  for (let i = 0; i < asked.length; i++) {
    const page = pages.get(asked[i] >>> 8)
    if (page !== undefined && page[asked[i] & 255] !== 0) hits++
  }
  return hits
}

function hitsInTexts(): number {
  let hits = 0
  for (let i = 0; i < askedTexts.length; i++) if (texts.has(askedTexts[i])) hits++
  return hits
}

report('watch list', lookups, best(7, hitsInList))
report('Map by /24', lookups, best(7, hitsInPages))
report('Map by dotted text', askedTexts.length, best(5, hitsInTexts))
report(
  `compile, ${sites} addresses`,
  sites,
  best(7, () => compileWatchList(ranges).refused),
)
