// Rules about the ways to read events: no way misses what another one shows, and a return is news for a client that asks every five minutes.
import { type Account, msOf, type Sent } from './looks.ts'
import { type AccountRule, type LookRule, unless } from './rule.ts'

/** A client of `/open` asks so often. */
export const pollEveryMs = 300_000
/** Clocks and whole seconds. */
const slackMs = 2_000
/** What was sent and what is reported may differ by so much. */
const sentTolerance = 0.02

export const lookRules: readonly LookRule[] = [
  {
    name: 'changes-missed',
    compares: 'changedSince with the list of events',
    text: 'changedSince has every event of the list whose sequence is higher than what was read before.',
    breaches: ({ listed, changed, place }) => {
      const places = new Map(changed.map(({ id, sequence }) => [id, sequence]))
      return [...listed.values()].flatMap(({ id, sequence }) =>
        unless(
          sequence <= place || (places.get(id) ?? 0) >= sequence,
          () => `${id} has ${sequence}, after ${place}, and is not named`,
        ),
      )
    },
  },
  {
    name: 'changes-in-order',
    compares: 'the sequences of changedSince with each other, and with what was asked for',
    text: 'Changes come in the order of their sequence, after that which was asked for.',
    breaches: ({ changed, place }) =>
      changed.flatMap(({ id, sequence }, i) => {
        const before = changed[i - 1]?.sequence ?? place
        return unless(sequence > before, () => `${id} has ${sequence}, after ${before}`)
      }),
  },
  {
    name: 'entries-belong',
    compares: 'the list under /open with the episodes of all events',
    text: 'Each entry under /open is an episode of an event.',
    breaches: ({ atMs, entries, episodeIds }) =>
      [...entries.values()].flatMap(({ _id, cts }) =>
        unless(episodeIds.has(_id) || msOf(cts) >= atMs - slackMs, () => `${_id} is of no event`),
      ),
  },
  {
    name: 'events-have-entries',
    compares: 'the list of events with the list under /open',
    text: 'Each event is under /open, unless it was simulated.',
    breaches: ({ listed, entries }) =>
      [...listed.values()].flatMap(({ id, isTest }) =>
        unless(isTest !== entries.has(id), () => `${id} is ${isTest ? '' : 'not '}there`),
      ),
  },
  {
    name: 'dated-when-listed',
    compares: 'cts of a new entry with the time of the look before',
    text: 'An entry is not dated before it could be listed: whoever asks from a moment on misses none.',
    breaches: ({ entries }, before) =>
      before === null
        ? []
        : [...entries.values()].flatMap(({ _id, cts }) =>
            unless(
              before.entries.has(_id) || msOf(cts) >= before.atMs - slackMs || msOf(cts) < before.fromMs,
              () => `${_id} has ${cts}, and was not listed at ${new Date(before.atMs).toISOString()}`,
            ),
          ),
  },
  {
    name: 'polls-see-all',
    compares: 'what a client sees that asks every five minutes for the last ten with the list under /open',
    text: 'A client that polls sees each beginning and each return.',
    breaches: ({ entries, polled, pollsFromMs, polledMs }) =>
      [...entries.values()].flatMap(({ _id, cts }) =>
        unless(
          polled.has(_id) || msOf(cts) < pollsFromMs || msOf(cts) > polledMs - slackMs,
          () => `${_id} of ${cts} was not seen`,
        ),
      ),
  },
  {
    name: 'nothing-vanishes',
    compares: 'the events and entries of the look before with those of this one',
    text: 'What was listed stays listed until retention forgets it.',
    breaches: (now, before) => {
      const keptFromMs = Math.max(now.fromMs, now.atMs - now.retentionMs)
      const events = [...(before?.listed.values() ?? [])].flatMap(({ id, createdAt }) =>
        unless(now.listed.has(id) || msOf(createdAt) < keptFromMs, () => `event ${id} of ${createdAt} is gone`),
      )
      const entries = [...(before?.entries.values() ?? [])].flatMap(({ _id, cts }) =>
        unless(now.entries.has(_id) || msOf(cts) < keptFromMs, () => `entry ${_id} of ${cts} is gone`),
      )
      return [...events, ...entries]
    },
  },
]

export const accountRules: readonly AccountRule[] = [
  {
    name: 'as-sent',
    compares: 'packets and bytes of the events of each victim with what was sent to it',
    text: 'Events have what was sent, within two percent.',
    breaches: ({ sent, reports }) =>
      [...Map.groupBy(sent, ({ victim }) => victim)].flatMap(([victim, parts]) => ofVictim(victim, parts, reports)),
  },
]

function ofVictim(victim: string, parts: readonly Sent[], reports: Account['reports']): string[] {
  const [fromMs, toMs] = [
    Math.min(...parts.map(({ startMs }) => startMs)),
    Math.max(...parts.map(({ endMs }) => endMs)),
  ]
  const own = reports.filter(
    ({ address, start, lastSeen }) => address === victim && msOf(start) <= toMs && msOf(lastSeen) >= fromMs,
  )
  if (own.length === 0) return [`${victim}: there is no event`]
  return (['packets', 'bytes'] as const).flatMap((metric) => {
    const sent = parts.reduce((all, each) => all + each[metric], 0)
    const told = own.reduce((all, { total }) => all + total[metric], 0)
    return unless(
      Math.abs(told - sent) <= sentTolerance * sent,
      () => `${victim}: ${sent} ${metric} sent, ${told} reported`,
    )
  })
}
