// What came of telling a simulated attack to channels: whether there is anything to wait for, what to say of each, and how the command ends. Pure.
import type { Simulation } from '../../../client/index.ts'
import type { ToldChannel } from '../../contract/sites/simulations.ts'
import { type ExitStatus, exitStatuses } from '../usage.ts'
import { type Column, formatTime } from './output.ts'

/** `pending`: it is told within seconds; `aside`: it is not told on purpose, and fails nothing. */
type Standing = 'told' | 'failed' | 'pending' | 'aside'

const standings: Readonly<Record<ToldChannel['state'], Standing>> = {
  done: 'told',
  dead: 'failed',
  disabled: 'failed',
  waiting: 'pending',
  failing: 'pending',
  held: 'aside',
  pager: 'aside',
  dropped: 'aside',
}

export function standingOf({ state, heldBy }: Pick<ToldChannel, 'state' | 'heldBy'>): Standing {
  // Others, with which it is told, keep it for seconds.
  return state === 'held' && (heldBy === 'group' || heldBy === 'end') ? 'pending' : standings[state]
}

/** How the command ends; null: something is still to come. */
export function endOf(
  { state, event, alerts }: Pick<Simulation, 'state' | 'event' | 'alerts'>,
  { isLate }: { isLate: boolean },
): ExitStatus | null {
  const channels = (alerts ?? []).map(standingOf)
  if (event === null) return state === 'over' ? 1 : isLate ? 4 : null
  // An attack that becomes more severe may fit a rule yet.
  if (channels.length === 0) return state === 'over' || isLate ? 3 : null
  if (channels.includes('pending')) return isLate ? 4 : null
  if (channels.includes('failed')) return 3
  return channels.includes('told') ? 0 : 5
}

/** Why it does not end well. */
export function reasonOf(status: ExitStatus, { event, alerts }: Pick<Simulation, 'event' | 'alerts'>): string {
  if (event === null) return `${exitStatuses[status]}: there is no event of the attack yet`
  if (status === 3 && (alerts ?? []).length === 0) return 'nobody is told: no rule that fits sends to a channel'
  const wanted: Partial<Record<ExitStatus, Standing>> = { 3: 'failed', 4: 'pending' }
  const names = (alerts ?? []).filter((each) => standingOf(each) === wanted[status]).map(({ channel }) => channel)
  return names.length === 0 ? exitStatuses[status] : `${exitStatuses[status]}: ${names.join(', ')}`
}

const heldByWords: Readonly<Record<NonNullable<ToldChannel['heldBy']>, string>> = {
  silence: 'a silence',
  quiet: 'quiet hours',
  group: 'others, with which it is told',
  end: 'its end, which may be none',
}

function whyOf({ state, heldBy, until, text }: ToldChannel): string {
  if (state === 'held' && heldBy !== null) return `held by ${heldByWords[heldBy]} until ${formatTime(until ?? '')} UTC`
  if (state === 'pager') return 'no rule that fits sends tests to pagers'
  if (state === 'dropped') return 'what held it back lasted longer than the attack'
  return text ?? ''
}

export const toldColumns: Column<ToldChannel>[] = [
  { title: 'STATE', width: 8, text: ({ state }) => state },
  {
    title: 'AFTER',
    width: 7,
    right: true,
    text: ({ afterSeconds }) => (afterSeconds === null ? '-' : `${afterSeconds} s`),
  },
  { title: 'KIND', width: 12, text: ({ kind }) => kind },
  { title: 'CHANNEL', width: 20, text: ({ channel }) => channel },
  { title: 'WHY', width: 0, text: whyOf },
]
