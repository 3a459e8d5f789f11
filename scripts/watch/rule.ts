// A rule is a row: what it compares, what it says, and how a breach is found. It gives a text for each breach, with the numbers.
import type { Account, EventLook, FullLook, Look } from './looks.ts'

interface Named {
  name: string
  /** What is held against what. */
  compares: string
  text: string
}

/** A rule about one event as it was read in full; `before`: the last time. */
export interface FullRule extends Named {
  breaches: (now: FullLook, before: FullLook | null) => string[]
}

/** A rule about one event by list and stream, in three looks that follow each other. */
export interface EventRule extends Named {
  breaches: (now: EventLook, before: EventLook, earlier: EventLook | null) => string[]
}

/** A rule about all events of a look. */
export interface LookRule extends Named {
  breaches: (now: Look, before: Look | null) => string[]
}

export interface AccountRule extends Named {
  breaches: (account: Account) => string[]
}

/** A text when something is not so. */
export function unless(isSo: boolean, text: () => string): string[] {
  return isSo ? [] : [text()]
}

/** The paths at which two values differ: `total.packets: 15000, then 4500`. */
export function differences(before: unknown, now: unknown, path = ''): string[] {
  if (Object.is(before, now)) return []
  if (!isObject(before) || !isObject(now)) return [`${path}: ${show(before)}, then ${show(now)}`]
  const keys = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...keys].flatMap((key) => differences(before[key], now[key], path === '' ? key : `${path}.${key}`))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

/** What stands at a path such as `total.packets`; undefined: nothing. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((of, key) => (typeof of === 'object' && of !== null ? Object(of)[key] : undefined), value)
}
