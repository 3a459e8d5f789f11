// A steady pace of datagrams from this process.
import { setTimeout as delay } from 'node:timers/promises'

export interface Pace {
  perSecond: number
  seconds: number
}

export interface Paced {
  sent: number
  /** From the first to the last. */
  seconds: number
}

/** How far a sender that fell behind may catch up in one burst. */
const catchUpMs = 50

/** Calls `send` with 0, 1, 2, … as each is due, those of a millisecond together; while `isFull`, none. */
export async function paced(
  { perSecond, seconds }: Pace,
  send: (index: number) => void,
  isFull: () => boolean,
): Promise<Paced> {
  const perMs = perSecond / 1000
  const beganMs = performance.now()
  let sent = 0
  let elapsedMs = 0
  while (elapsedMs < seconds * 1000) {
    const due = Math.min(Math.floor(elapsedMs * perMs), sent + Math.ceil(catchUpMs * perMs))
    while (sent < due && !isFull()) send(sent++)
    await delay(1)
    elapsedMs = performance.now() - beganMs
  }
  return { sent, seconds: elapsedMs / 1000 }
}
