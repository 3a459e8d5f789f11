// What the connections were like that came before those of a window, as the ring still has it: normal tells how many
// packets are usual, not in how many connections.
import { connections as lines } from '../lines/connections.ts'
import { judgement } from '../lines/judgement.ts'
import type { Window } from '../rates/rates.ts'

/** Connections of a window; their records are counted where the exporter does not sample. */
export interface Counted {
  window: Window
  opened: number
}

/** The seconds before a window in which an attack that it shows had hardly begun. */
export function spanBefore({ from }: Pick<Window, 'from'>): { from: number; to: number } {
  const to = from - lines.beforeGapSeconds
  return { from: to - lines.beforeSeconds, to }
}

/**
 * Whether the connections that have been added since are of another kind than those before: each has fewer packets, as
 * those of a program that asks for one thing. A crowd does what visitors did before. False where this is not known:
 * behind sampling, after a start, and while the attack has gone on for long.
 */
export function areShorter(now: Counted, before: Counted, normalPacketsPerSecond: number): boolean {
  const { window } = now
  const isSampled = window.packets > judgement.sampledRatio * window.observed
  const secondsBefore = before.window.to - before.window.from
  const isUsual = before.window.packets <= judgement.quietRatio * normalPacketsPerSecond * secondsBefore
  if (isSampled || !isUsual || before.opened < lines.openingsMin) return false
  const part = (window.to - window.from) / secondsBefore
  const packets = window.packets - part * before.window.packets
  const opened = now.opened - part * before.opened
  if (opened < lines.openingsMin) return false
  return packets / opened < lines.shorterPart * (before.window.packets / before.opened)
}
