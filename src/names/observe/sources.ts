// How those who tell of names do: resolvers, senders of dnstap, servers of zones.
import type { Clock } from '../../clock.ts'
import type { DnstapListener } from '../dnstap/listener.ts'
import type { Names } from '../names.ts'
import type { Resolver } from '../resolve/resolver.ts'
import { formatServer } from '../resolve/servers.ts'
import type { Zones } from '../zones/zones.ts'

/** Times are Unix milliseconds. */
export interface SourceReport {
  resolvers: {
    label: string
    state: 'ok' | 'silent' | 'refused'
    refusal: string | null
    asked: number
    unanswered: number
    failed: number
    foreign: number
  }[]
  dnstap: {
    listeners: string[]
    connections: number
    frames: number
    answers: number
    refused: { reason: string; count: number }[]
    sensors: { name: string; lastMs: number }[]
  }
  zones: {
    zone: string
    server: string
    serial: number | null
    /** Null: never. */
    checkedMs: number | null
    failure: string | null
    names: number
    omitted: number
  }[]
  names: { resolved: number; failing: number; observed: number; bindings: number; lateMs: number }
}

export interface NameSourcesOptions {
  names: Names
  dnstap: DnstapListener
  zones: Zones
  clock: Clock
}

export function reportSources({ names, dnstap, zones, clock }: NameSourcesOptions): SourceReport {
  const { schedule, observed, bindings } = names
  return {
    resolvers: names.resolvers.map(reportResolver),
    dnstap: {
      listeners: dnstap.listeners,
      connections: dnstap.connections,
      frames: dnstap.counts.frames,
      answers: dnstap.counts.answers,
      refused: Object.entries(dnstap.refused).flatMap(([reason, count]) => (count === 0 ? [] : [{ reason, count }])),
      sensors: Array.from(dnstap.sensors.list(), ([name, lastMs]) => ({ name, lastMs })),
    },
    zones: zones.zones.map(({ zone, server, serial, checkedMs, failure, observations, omitted }) => ({
      ...{ zone, server: formatServer(server), serial, failure, names: observations.length, omitted },
      checkedMs: checkedMs === 0 ? null : checkedMs,
    })),
    names: {
      resolved: schedule.size,
      failing: schedule.failing,
      observed: observed.size,
      bindings: bindings.size + observed.bindings.size,
      lateMs: schedule.lateMs(clock.now()),
    },
  }
}

function reportResolver({ label, queries, foreign, refusal, isSilent }: Resolver): SourceReport['resolvers'][number] {
  const { NOERROR: answered, NXDOMAIN: absent, TIMEOUT: unanswered, ...failures } = queries
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0)
  const state = refusal !== null ? 'refused' : isSilent ? 'silent' : 'ok'
  const asked = answered + absent + unanswered + failed
  return { label, state, refusal, asked, unanswered, failed, foreign }
}
