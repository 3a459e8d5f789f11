// Which component answers which check of readiness.
import type { Check } from '../../api/http/health.ts'
import type { Clock } from '../../clock.ts'
import type { StreamReport } from '../../collect/health/report.ts'
import type { CheckName } from '../../contract/checks.ts'
import type { Policy, Store } from '../../store/store.ts'
import { AnsweredNames, type AskedNames } from './answered-names.ts'
import {
  checkDetection,
  checkFlows,
  checkListeners,
  checkWatch,
  type Looked,
  openWarning,
  storeCheck,
} from './checks.ts'
import type { Ask } from './health.ts'
import { checkTemplates } from './waiting-templates.ts'

/** Answers by itself. */
interface Checked {
  check(): Check
}

export interface CheckedParts {
  clock: Clock
  policy: Policy
  /** Only exporters that the operator has listed may send. */
  areListed: () => boolean
  pipeline: Looked
  store: Pick<Store, 'checkWritable'>
  watcher: Checked & { readonly holdersOfNames: number }
  names: AskedNames
  exporters: { reports(): Iterable<StreamReport> }
  places: Checked
  selfTest: Checked
  tables: Checked
  integrity: Checked
  backups: Checked
}

export function checksOf(parts: CheckedParts): Record<CheckName, Ask> {
  const { clock, policy, areListed, pipeline, store, watcher, exporters } = parts
  const isOneParty = policy === 'single'
  const names = new AnsweredNames(parts.names, { holders: () => watcher.holdersOfNames, isOneParty })
  return {
    listeners: () => checkListeners(pipeline),
    flows: () => checkFlows(pipeline, clock.now()),
    detection: () => checkDetection(pipeline, clock.now()),
    watch: () => checkWatch(pipeline, watcher.check()),
    places: () => parts.places.check(),
    selfTest: () => parts.selfTest.check(),
    templates: () => checkTemplates({ streams: exporters.reports(), nowMs: clock.now(), areListed: areListed() }),
    names: () => names.check(clock.now()),
    tables: () => parts.tables.check(),
    store: storeCheck(store, clock),
    integrity: () => parts.integrity.check(),
    backups: () => parts.backups.check(),
    policy: () => (policy === 'open' ? { ok: true, isWarning: true, detail: openWarning } : null),
  }
}
