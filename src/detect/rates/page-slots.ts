// The slots of a page: how amounts are added to them, read from them, and kept less exactly when they are old.
import { hasImpossibleSource } from '../../aggregate/marks.ts'
import { at, boundAt, emptyPage, pageSeconds, type RatePages, slotWidth } from './rate-pages.ts'
import type { Window } from './rates.ts'

/** Adds the amounts and marks of a slot, as often as it has seconds in the window. */
export function addSlot(window: Window, numbers: Float32Array, bits: Uint32Array, slot: number, seconds: number): void {
  window.packets += seconds * numbers[slot + at.packets]
  window.bytes += seconds * numbers[slot + at.bytes]
  window.flows += seconds * numbers[slot + at.flows]
  window.observed += seconds * numbers[slot + at.observed]
  window.sources |= bits[slot + at.sources]
  window.ports |= bits[slot + at.ports]
}

/** Raises `count` slots from `slot` on, and the bounds of their page. */
export function raiseSlots(
  numbers: Float32Array,
  slot: number,
  count: number,
  bounds: number,
  packets: number,
  bytes: number,
  flows: number,
  observed: number,
): void {
  let mostPackets = numbers[bounds]
  let mostBytes = numbers[bounds + 1]
  let mostFlows = numbers[bounds + 2]
  for (let i = 0; i < count; i++, slot += slotWidth) {
    const packetsNow = numbers[slot] + packets
    const bytesNow = numbers[slot + 1] + bytes
    const flowsNow = numbers[slot + 2] + flows
    numbers[slot] = packetsNow
    numbers[slot + 1] = bytesNow
    numbers[slot + 2] = flowsNow
    numbers[slot + 3] += observed
    if (packetsNow > mostPackets) mostPackets = packetsNow
    if (bytesNow > mostBytes) mostBytes = bytesNow
    if (flowsNow > mostFlows) mostFlows = flowsNow
  }
  numbers[bounds] = mostPackets
  numbers[bounds + 1] = mostBytes
  numbers[bounds + 2] = mostFlows
}

/** Moves a page to a coarse one, if there is one left, and gives it back. */
export function coarsened({ fine, coarse }: RatePages, page: number): number {
  const made = coarse.take()
  if (made === emptyPage) return page
  const [from, to] = [fine.numbersOf(page), coarse.numbersOf(made)]
  const [fromBits, toBits] = [fine.bitsOf(page), coarse.bitsOf(made)]
  const [start, madeStart] = [fine.startOf(page), coarse.startOf(made)]
  const n = coarse.secondsPerSlot
  const bounds = madeStart + coarse.boundsOffset
  for (let i = 0; i < pageSeconds; i++) {
    const slot = start + fine.offsets[i]
    const madeSlot = madeStart + coarse.offsets[i]
    const flows = from[slot + at.flows] / n
    const observed = from[slot + at.observed] / n
    raiseSlots(to, madeSlot, 1, bounds, from[slot + at.packets] / n, from[slot + at.bytes] / n, flows, observed)
    toBits[madeSlot + at.sources] |= fromBits[slot + at.sources]
    toBits[madeSlot + at.ports] |= fromBits[slot + at.ports]
  }
  for (let i = 0; i < pageSeconds; i += n)
    if (hasImpossibleSource(toBits[madeStart + coarse.offsets[i] + at.sources])) to[bounds + boundAt.forgedSeconds] += n
  // As bits: a number of 32 bits does not keep every pattern.
  for (let i = 0; i < slotWidth; i++) toBits[madeStart + coarse.sumOffset + i] = fromBits[start + fine.sumOffset + i]
  to[bounds + boundAt.sampling] = from[start + fine.boundsOffset + boundAt.sampling]
  fine.give(page)
  return -made
}
