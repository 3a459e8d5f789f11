// The endpoint that says how the service itself is.
import type { Clock } from '../../clock.ts'
import { type CheckName, checkNames } from '../../contract/checks.ts'
import type { Status, Table } from '../../contract/overview.ts'
import { formatTime } from '../../contract/time.ts'
import type { CrowdedTable } from '../../fair-table.ts'
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../http/endpoints.ts'
import type { CheckState, Health } from '../http/health.ts'

type Installed = NonNullable<Status['installation']>

/** What there is to know of the service as a whole. */
export interface Installation {
  version: string
  /** Unix milliseconds. */
  startedMs: number
  retentionDays: { events: number; series: number; bindings: number; audit: number }
  /** Where flows are expected, as bound. */
  listeners(): { protocol: 'netflow' | 'ipfix' | 'sflow'; host: string; port: number }[]
  /** Addresses of this machine without loopback. */
  addresses(): string[]
  /** The bounded tables that strangers or users fill. */
  tables(): CrowdedTable[]
  /** The last self-test that has found its attack; null: none has. */
  selfTest(): { atMs: number; seconds: number } | null
}

export interface StatusParts {
  store: Pick<Store, 'sizeBytes' | 'userById'>
  clock: Clock
  health: () => Health | Promise<Health>
  installation: Installation
}

export function createStatusHandlers({ store, clock, health, installation }: StatusParts): Handlers<'getStatus'> {
  return {
    getStatus: async ({ isAdmin }) => {
      const { version, startedMs, retentionDays } = installation
      const { ready, checks } = await health()
      const own: Status['installation'] = isAdmin
        ? {
            checks: checkNames.flatMap((name) => presentCheck(name, checks[name])),
            listeners: installation.listeners(),
            addresses: installation.addresses(),
            tables: await Promise.all(installation.tables().map((table) => presentTable(store, table))),
            retentionDays,
            storeBytes: await store.sizeBytes(),
          }
        : null
      const uptimeSeconds = Math.max(0, Math.floor((clock.now() - startedMs) / 1000))
      const tested = installation.selfTest()
      const selfTest =
        tested === null ? null : { at: formatTime(tested.atMs), seconds: Math.round(tested.seconds * 100) / 100 }
      return { body: { version, startedAt: formatTime(startedMs), uptimeSeconds, ready, selfTest, installation: own } }
    },
  }
}

function presentCheck(name: CheckName, check: CheckState | undefined): Installed['checks'] {
  if (check === undefined) return []
  const { ok, isWarning, detail, sinceMs } = check
  return [{ name, ok, warning: ok && isWarning, detail, since: sinceMs === null ? null : formatTime(sinceMs) }]
}

async function presentTable(store: Pick<Store, 'userById'>, table: CrowdedTable): Promise<Table> {
  const { name, size, max, gaveWay, provenGaveWay, gaveWayMs, holder, holds } = table
  const lastGaveWay = gaveWayMs === null ? null : formatTime(gaveWayMs)
  // Tables of exporters are held by addresses, those of names by users.
  const holders = holder?.split(' ').filter((id) => id !== '') ?? []
  const named = holders.map(async (id) => (await store.userById(id))?.email ?? id)
  return {
    name,
    used: size,
    max,
    gaveWay,
    provenGaveWay,
    lastGaveWay,
    crowdedBy: holders.length === 0 ? null : (await Promise.all(named)).join(', '),
    holds,
  }
}
