// The endpoints of simulated attacks: one is begun on a site, looked at, and stopped.

import { type ChannelOutcome, type OutcomeOptions, outcomesOf } from '../../alert/simulated/outcomes.ts'
import type { Clock } from '../../clock.ts'
import { simulationRates, simulationSeconds } from '../../contract/limits.ts'
import { type SimulationVectorName, simulationVectors } from '../../contract/simulation-vectors.ts'
import type { simulationEndpoints, Simulation as WireSimulation } from '../../contract/sites/simulations.ts'
import { formatTime } from '../../contract/time.ts'
import { AppError } from '../../errors.ts'
import { formatKey, parseKey } from '../../net/address.ts'
import type { Store, User } from '../../store/store.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import type { Targets } from '../targets/targets.ts'
import { type OwnSite, ownSite } from './own-site.ts'
import type { SiteWatch } from './report.ts'

export interface Simulation {
  vector: SimulationVectorName
  /** IPv4 address of the victim. */
  address: number
  packetsPerSecond: number
  /** Unix milliseconds: when it began, and until when it is sent. */
  startedMs: number
  endsMs: number
  /** It is sent, or what was sent is still looked at. */
  isRunning: boolean
  /** It is told as a real attack is. */
  isTold: boolean
  /** What came of it; null: nothing yet. */
  event: { id: string; createdMs: number } | null
}

export type WantedSimulation = Pick<Simulation, 'vector' | 'address' | 'packetsPerSecond' | 'isTold'> & {
  user: Pick<User, 'id' | 'email'>
  /** Its host record. */
  site: string
  seconds: number
}

/** Who simulates attacks. */
export interface Simulations {
  /** The last on the user's site; null: none is known. */
  of(userId: string, site: string): Simulation | null
  /** Rejects with AppError CONFLICT, TOO_MANY_REQUESTS or DETECTION_BUSY. */
  start(wanted: WantedSimulation): Promise<Simulation>
  /** Sends no more of it. */
  stopAt(userId: string, site: string): Simulation | null
}

export interface SimulationHandlerOptions {
  store: Pick<Store, 'sitesAmong'> & OutcomeOptions['store']
  clock: Clock
  siteWatch: Pick<SiteWatch, 'addressesOf' | 'mayWatch'>
  targets: Pick<Targets, 'stateOf'>
  simulations: Simulations
}

type SimulationHandlers = Handlers<keyof typeof simulationEndpoints>

/** Packets a second where an attack is seen as soon as it is by default. */
const usualRate = 100_000
const busySeconds = 10

export function createSimulationHandlers(options: SimulationHandlerOptions): SimulationHandlers {
  const { store, clock, siteWatch: watch, targets, simulations } = options

  const victimOf = (caller: User, { site, record }: OwnSite, asked: string | undefined) => {
    if (!site.enabled) throw new ProblemError('CONFLICT', 'The site is disabled: nothing would be seen')
    if (!watch.mayWatch(caller.id, record, site.createdMs)) {
      throw new ProblemError('CONFLICT', 'The site is not watched: see what there is to be proved')
    }
    // For any other address the event would reveal whether somebody else may manage it.
    const own = watch.addressesOf(caller.id, record, site).addresses.filter(({ isOwn }) => isOwn)
    const addresses = own.map(({ address }) => address)
    if (addresses.length === 0) {
      throw new ProblemError('CONFLICT', 'The site leads to no address that is yours')
    }
    if (asked === undefined) return addresses[0]
    const address = parseKey(asked)
    if (address !== null && addresses.includes(address)) return address
    const detail = 'It must be an address of the site'
    throw new ProblemError('BAD_REQUEST', 'The body is not valid', [{ pointer: '/address', detail }])
  }

  /** How much is seen for certain, by the settings that hold there. */
  const rateFor = async (address: number): Promise<number> => {
    const { values, limits } = (await targets.stateOf(address, 0)).settings
    if (!values.enabled) throw new ProblemError('CONFLICT', 'By the settings of the operator the address is not judged')
    return Math.min(simulationRates.max, Math.ceil(usualRate / Math.min(1, limits.sensitivity)))
  }

  const answerOf = async (userId: string, simulation: Simulation | null) => {
    if (simulation === null) return { body: { simulation: null } }
    const { event, isTold } = simulation
    const nowMs = clock.now()
    const outcomes = isTold && event !== null ? await outcomesOf({ id: event.id, userId }, { store, nowMs }) : []
    return { body: { simulation: present(simulation, outcomes) } }
  }

  return {
    startSimulation: async ({ params, body }, caller) => {
      const found = await ownSite(store, caller, params.host)
      const address = victimOf(caller, found, body.address)
      const usual = await rateFor(address)
      const { vector = 'ntp', seconds = simulationSeconds.default, packetsPerSecond = usual, alerts = false } = body
      const attack = { address, vector, seconds, packetsPerSecond, isTold: alerts }
      try {
        const begun = await simulations.start({ ...attack, user: caller, site: found.site.host })
        return await answerOf(caller.id, begun)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'TOO_MANY_REQUESTS') throw error
        throw new ProblemError('TOO_MANY_REQUESTS', 'Too many attacks are being simulated', [], busySeconds)
      }
    },

    getSimulation: async ({ params }, caller) => {
      const { site } = await ownSite(store, caller, params.host)
      return answerOf(caller.id, simulations.of(caller.id, site.host))
    },

    stopSimulation: async ({ params }, caller) => {
      const { site } = await ownSite(store, caller, params.host)
      return answerOf(caller.id, simulations.stopAt(caller.id, site.host))
    },
  }
}

function present(simulation: Simulation, outcomes: readonly ChannelOutcome[]): WireSimulation {
  const { vector, address, packetsPerSecond, startedMs, endsMs, isRunning, isTold, event } = simulation
  const secondsUntil = (ms: number) => Math.max(0, Math.round((ms - startedMs) / 100) / 10)
  return {
    state: isRunning ? 'running' : 'over',
    vector,
    attackType: simulationVectors[vector],
    address: formatKey(address),
    packetsPerSecond,
    startedAt: formatTime(startedMs),
    endsAt: formatTime(endsMs),
    event: event === null ? null : { id: event.id, afterSeconds: secondsUntil(event.createdMs) },
    alerts: isTold
      ? outcomes.map(({ channel, state, doneMs, held, text }) => ({
          ...{ channelId: channel.id, channel: channel.name, kind: channel.kind, state, text },
          afterSeconds: doneMs === null ? null : secondsUntil(doneMs),
          heldBy: held?.by ?? null,
          until: held === null ? null : formatTime(held.untilMs),
        }))
      : null,
  }
}
