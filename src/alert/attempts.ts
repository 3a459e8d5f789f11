// When a message is tried again, when it is given up, and when a channel that fails is left in peace. Pure: times in, times out.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Whom a channel reaches decides how long a message is worth something: a person wants it now, a program wants all of them. */
export type Audience = 'people' | 'programs'

interface Persistence {
  /** Pauses after the first, second, … attempt that failed; the last one is repeated. */
  pausesMs: readonly number[]
  /** A message that is older is given up. */
  untilMs: number
}

export const persistence: Readonly<Record<Audience, Persistence>> = {
  people: {
    pausesMs: [5 * second, 15 * second, minute, 5 * minute, 15 * minute, 30 * minute],
    untilMs: 24 * hour,
  },
  programs: {
    pausesMs: [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour],
    untilMs: 28 * hour,
  },
}

/** The same for an end whose beginning the receiver was told: until it hears of it a pager rings. */
export const endUntilMs = 30 * day

/** How long a message is worth an attempt. */
export function worthMs(audience: Audience, { isAwaited }: Pick<Sending, 'isAwaited'>): number {
  return isAwaited ? endUntilMs : persistence[audience].untilMs
}

/** Pauses are longer or shorter by up to this part, so that what failed together does not come back together. */
const jitter = 0.2
/** The longest pause that a receiver may ask for. */
const askedPauseMaxMs = hour
/** No attempt is put off for longer, and no channel closed. */
export const pauseMaxMs = Math.max(...Object.values(persistence).flatMap(({ pausesMs }) => pausesMs)) * (1 + jitter)
export const closedMaxMs = askedPauseMaxMs
/** Attempts at a message that its receiver refuses (`refused`), unless it is an end that the receiver waits for. */
const refusedMax = 3
/** Failures in a row after which a channel is only probed. */
const failuresMax = 5
const probeEveryMs = minute

/**
 * `done`: the receiver has it. `busy`: it asks to wait (429, 503 with `Retry-After`). `refused`: it will not take this message. `gone`: it wants no message any
 * more (410). `partly`: some of those whom it reaches have it, the others are to be tried again. `unready`: nobody may be sent to yet, and nobody misses it if that stays so. `failed`: anything else; another attempt may work.
 */
export type Outcome = 'done' | 'busy' | 'refused' | 'gone' | 'partly' | 'unready' | 'failed'

export interface Attempt {
  outcome: Outcome
  /** What the receiver asked to wait, milliseconds; null: nothing. */
  pauseMs: number | null
}

/** A message on its way to one channel. */
export interface Sending {
  /** Attempts that failed and count. */
  attempts: number
  /** When it was first due, Unix milliseconds. */
  createdMs: number
  /** It ends what the receiver has. */
  isAwaited: boolean
}

/** Whether a channel works. After failures in a row it is only probed, as a circuit breaker does. */
export interface ChannelHealth {
  /** Attempts in a row that failed, of whichever messages. */
  failures: number
  /** Since when; null: it works. */
  failingSinceMs: number | null
  /** Nothing is sent before, Unix milliseconds. */
  closedUntilMs: number
  isDisabled: boolean
}

export const goodHealth: ChannelHealth = { failures: 0, failingSinceMs: null, closedUntilMs: 0, isDisabled: false }

/** The same channel after the clock was set. */
export function movedBy(stepMs: number, { failingSinceMs, closedUntilMs, ...health }: ChannelHealth): ChannelHealth {
  const sinceMs = failingSinceMs === null ? null : failingSinceMs + stepMs
  return { ...health, failingSinceMs: sinceMs, closedUntilMs: closedUntilMs === 0 ? 0 : closedUntilMs + stepMs }
}

export interface Next {
  /** `dead`: it is given up. `superseded`: it was for nobody. */
  state: 'done' | 'due' | 'dead' | 'superseded'
  attempts: number
  /** When it is tried again, or was settled; Unix milliseconds. */
  dueMs: number
  health: ChannelHealth
  /** The channel was only probed, and works again: all that waits is due. */
  isBack: boolean
}

/** What comes of an attempt. `random`: from 0 to 1. */
export function afterAttempt(
  { outcome: answer, pauseMs }: Attempt,
  { audience, sending, health }: { audience: Audience; sending: Sending; health: ChannelHealth },
  { nowMs, random }: { nowMs: number; random: number },
): Next {
  const wasProbed = health.failures >= failuresMax
  // Whoever waits for an end needs it: what refuses it may be put right.
  const isTriedOn = answer === 'refused' && sending.isAwaited
  const outcome = isTriedOn ? 'failed' : answer
  const isBack = wasProbed && (outcome === 'done' || outcome === 'refused' || outcome === 'partly')
  if (outcome === 'done') {
    return { state: 'done', attempts: sending.attempts, dueMs: nowMs, health: goodHealth, isBack }
  }
  const wait = pauseMs === null ? null : Math.min(pauseMs, askedPauseMaxMs)
  const next = healthAfter(outcome, health, { nowMs, wait })
  if (outcome === 'gone' && !sending.isAwaited) {
    return { state: 'dead', attempts: sending.attempts + 1, dueMs: nowMs, health: next, isBack }
  }
  // What comes after a refused end waits behind it, for half an hour at most.
  const { pausesMs } = persistence[isTriedOn ? 'people' : audience]
  // While a channel is only probed, it is the channel that fails, not the message.
  const counts = outcome !== 'busy' && outcome !== 'unready' && outcome !== 'partly' && !wasProbed
  const attempts = sending.attempts + (counts ? 1 : 0)
  const pause = wait ?? pausesMs[Math.min(Math.max(attempts, 1), pausesMs.length) - 1] * (1 + jitter * (2 * random - 1))
  const dueMs = nowMs + Math.round(pause)
  const isDead =
    dueMs > sending.createdMs + worthMs(audience, sending) || (outcome === 'refused' && attempts >= refusedMax)
  const lost = outcome === 'unready' ? 'superseded' : 'dead'
  return { state: isDead ? lost : 'due', attempts, dueMs: isDead ? nowMs : dueMs, health: next, isBack }
}

function healthAfter(
  outcome: Outcome,
  health: ChannelHealth,
  { nowMs, wait }: { nowMs: number; wait: number | null },
): ChannelHealth {
  // The receiver answers: it may take other messages.
  if (outcome === 'refused' || outcome === 'partly') return { ...health, failures: 0, failingSinceMs: null }
  // The channel is well: only nobody may be sent to yet.
  if (outcome === 'unready') return health
  if (outcome === 'busy') return { ...health, closedUntilMs: nowMs + (wait ?? probeEveryMs) }
  const failures = health.failures + 1
  return {
    failures,
    failingSinceMs: health.failingSinceMs ?? nowMs,
    closedUntilMs: failures >= failuresMax ? nowMs + probeEveryMs : health.closedUntilMs,
    isDisabled: outcome === 'gone',
  }
}
