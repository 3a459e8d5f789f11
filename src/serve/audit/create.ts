// The keeper of the audit log, as the configuration wants it.
import { hostname } from 'node:os'
import { parseSyslog } from '../../audit/settings.ts'
import { authoritiesIn, createSender } from '../../audit/syslog/sender.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../log.ts'
import { storeFileOf } from '../../store/data-directory.ts'
import type { Store } from '../../store/store.ts'
import { AuditKeeper } from './keeper.ts'
import { auditFaultIn } from './verification.ts'

interface Given {
  config: Pick<Config, 'audit' | 'store'>
  store: Store
  clock: Clock
  log: Logger
  version: string
}

export function createAuditKeeper({
  config: { audit, store: settings },
  store,
  clock,
  log,
  version,
}: Given): AuditKeeper {
  const target = parseSyslog(audit.syslog)
  return new AuditKeeper({
    sender: target === null ? null : createSender(target, authoritiesIn(audit.syslogCaFile)),
    facility: audit.syslogFacility,
    host: hostname(),
    pid: process.pid,
    verify: (signal) => auditFaultIn(storeFileOf(settings.dir), signal),
    ...{ store, clock, log, version },
  })
}
