// What tells whether an attack would be seen: the test of the whole way, the checks of its parts, and the backups.
import { ownHealthMetrics } from '../../alert/own/metrics.ts'
import type { Clock } from '../../clock.ts'
import type { ExporterHealth } from '../../collect/health/exporter.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../log.ts'
import type { Pipeline } from '../../pipeline/pipeline.ts'
import { findBackups } from '../../store/sqlite/backup/backup-folder.ts'
import type { Store } from '../../store/store.ts'
import type { Telling } from '../alerts.ts'
import { Backups, backupMetrics } from '../backups/backups.ts'
import { backupMaker } from '../backups/run-backup.ts'
import type { Components } from '../components.ts'
import { Heartbeat, heartbeatMetrics } from '../heartbeat.ts'
import { OwnProblems } from '../own-problems.ts'
import type { ProofKeeper } from '../proof-keeper.ts'
import { type CheckedParts, checksOf } from './checks-of.ts'
import { FollowedPlaces } from './followed-places.ts'
import { Readiness, readinessMetrics } from './health.ts'
import type { Probes } from './probe.ts'
import { SelfTest, selfTestDelay, selfTestMetrics } from './self-test.ts'

interface Base {
  config: Config
  clock: Clock
  log: Logger
  parts: Components
  store: Store
}

type Given = Pick<CheckedParts, 'watcher' | 'names' | 'exporters' | 'tables' | 'integrity'> & {
  pipeline: Pipeline
  watcher: { readonly watched: number }
  probes: Probes
  telling: Telling
  proofs: ProofKeeper
  exporters: { list(): ExporterHealth[] }
  /** Who may send flows. */
  admission: { readonly admission: { readonly entries: readonly string[] } }
}

export async function startHealth({ config, clock, log, parts, store }: Base, given: Given) {
  const { pipeline, probes, watcher } = given
  const make = backupMaker(config.store)
  const settings = config.store.backup
  const find = () => findBackups(settings.folder)
  const backups = await parts.start(new Backups({ settings, find, make, clock, log }), backupMetrics)
  const delays = parts.metrics.histogram(selfTestDelay)
  const tested = { pipeline, probes, store, clock, log, onDelay: (seconds: number) => delays.observe(seconds) }
  const selfTest = await parts.start(new SelfTest(tested), selfTestMetrics)
  const places = await parts.start(
    new FollowedPlaces({
      targetsMax: config.detect.targetsMax,
      watched: () => watcher.watched,
      refused: () => pipeline.busyRefused,
      isOneParty: config.access.policy === 'single',
      ...{ clock, log },
    }),
  )
  const own = { clock, policy: config.access.policy, areListed: () => given.admission.admission.entries.length > 0 }
  const checks = checksOf({ ...given, ...own, store, places, selfTest, backups })
  const readiness = await parts.start(new Readiness({ checks, clock, log }), readinessMetrics)
  const heard = { health: () => readiness.recent(), lastDatagramMs: () => pipeline.lastDatagramMs }
  const { heartbeat } = config.alerts
  const resolve = given.telling.hostNames.of('heartbeat')
  await parts.start(new Heartbeat({ settings: heartbeat, store, ...heard, resolve, clock, log }), heartbeatMetrics)
  const { exporters, proofs } = given
  const problems = new OwnProblems({
    ...{ store, exporters, proofs, clock },
    lastDatagramMs: heard.lastDatagramMs,
    lastAway: () => pipeline.lastAway,
  })
  await problems.start()
  await parts.start(given.telling.alerts.ownHealth(problems), ownHealthMetrics)
  return { selfTest, readiness }
}
