// The endpoints of silences.
import { randomBytes } from 'node:crypto'
import type { KeptSilence } from '../../alert/rules/silence-store.ts'
import type { Silence, silenceEndpoints } from '../../contract/alerts/silences.ts'
import { formatTime, parseTime } from '../../contract/time.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError, refuseFaults } from '../http/problem.ts'
import type { AlertParts } from './parts.ts'
import { hostFaults, spelling } from './rules.ts'

const silencesMax = 100
const longestMs = 30 * 86_400_000

export function silenceHandlers({ store, alerts, clock }: AlertParts): Handlers<keyof typeof silenceEndpoints> {
  return {
    listSilences: async (_input, { id }) => ({
      body: { silences: (await store.silencesOf(id)).map(presentSilence) },
    }),

    addSilence: async ({ body: { reason, sites = [], groups = [], vectors = [], from, until } }, { id: userId }) => {
      refuseFaults(hostFaults(sites, '/sites'))
      const nowMs = clock.now()
      const times = timesOf({ from, until }, nowMs)
      const about = { sites: sites.map(spelling), groups, vectors }
      const id = randomBytes(8).toString('hex')
      return { body: presentSilence(await store.addSilence(userId, { id, reason, ...about, ...times }, silencesMax)) }
    },

    endSilence: async ({ params }, { id }) => {
      const deleted = await store.endSilence(id, params.id)
      if (!deleted) throw new ProblemError('NOT_FOUND', 'The caller has no such silence that has not ended')
      alerts.wake()
      return { body: { deleted } }
    },
  }
}

function timesOf({ from, until }: { from?: string | undefined; until: string }, nowMs: number) {
  const fromMs = from === undefined ? nowMs : (parseTime(from) ?? nowMs)
  const untilMs = parseTime(until) ?? nowMs
  const wrong = (detail: string) => new ProblemError('BAD_REQUEST', detail, [{ pointer: '/until', detail }])
  if (untilMs <= Math.max(fromMs, nowMs)) throw wrong('It must be later than now, and than the beginning')
  if (untilMs > fromMs + longestMs) throw wrong('It must be at most 30 days after the beginning')
  return { fromMs, untilMs }
}

function presentSilence({ id, reason, fromMs, untilMs, attacks, openAttacks, ...about }: KeptSilence): Silence {
  const { sites, groups, vectors } = about
  return {
    ...{ id, reason, attacks, openAttacks },
    ...{ sites: [...sites], groups: [...groups], vectors: [...vectors] },
    from: formatTime(fromMs),
    until: formatTime(untilMs),
  }
}
