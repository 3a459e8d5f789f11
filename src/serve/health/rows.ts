// THE table of what readiness rests on, with what each check is about and what to do when it fails: the documentation has it as it stands here.
import type { CheckName } from '../../contract/checks.ts'

export interface CheckRow {
  /** What is so while it is well. */
  well: string
  /** What to do while it is not. */
  help: string
  /** It is never a reason not to be ready. */
  isAdvice?: true
}

export const checkRows: Readonly<Record<CheckName, CheckRow>> = {
  listeners: {
    well: 'a port is bound where flows are expected',
    help: 'Set `ingest.netflow`, `ingest.ipfix` or `ingest.sflow`.',
  },
  flows: {
    well: 'always; it says when the last datagram came, and quiet exporters are no reason not to be ready',
    help: 'See [no event at all](#troubleshooting).',
    isAdvice: true,
  },
  detection: {
    well: 'a pass of the detector ended less than 10 seconds ago, and what it judged was received less than 10 seconds before. It warns for 10 minutes when the process or the machine stood still for 5 seconds or more, or the clock was set forward: attacks of that time may be missing',
    help: 'The machine is too slow for what comes, or too busy: `floodgauge_detect_tick_duration_seconds`, `floodgauge_detect_behind_seconds` and the load of the machine say more. Watch fewer addresses (`detect.targetsMax`) or give it a faster processor.',
  },
  watch: {
    well: 'the sites were read less than 10 seconds ago, and every collector has said since that it uses the list made of them',
    help: 'The store cannot be read (see `store`), or a collector is stuck: the log says more. If nothing helps, restart the service.',
  },
  places: {
    well: 'no more addresses are watched than are followed at a time (`detect.targetsMax`); more only warn: the busiest are followed, and a quiet one takes a place when it has traffic. Not ready when addresses with traffic found no place for 10 seconds, in the last 10 minutes; where the users are strangers to each other (`access.policy` is not `single`) that only warns, too',
    help: 'Raise `detect.targetsMax`, if the machine has the memory and the time, or watch fewer addresses: `floodgauge_detect_busy_targets_refused_total` counts those without a place.',
  },
  selfTest: {
    well: 'the last simulated attack that the service sent to itself, at each port, was found within 10 seconds; not ready before the first, and after two in a row that were not',
    help: 'The detail says which port and why: a port that nobody reads, a collector that does not answer, a firewall that drops what the machine sends to itself, a detector that is behind. Restart the service if the other checks say nothing.',
  },
  templates: {
    well: 'no stream that had records waits for its template with all that it sends. Where `ingest.exporters` is empty and others are understood, it only warns: strangers could make such streams up',
    help: 'The finding `no-template` says which exporter. Have it send its templates more often (every minute), or restart its export.',
  },
  names: {
    well: 'a resolver answered in the last 15 minutes, if 20 questions were asked. Names that their own servers do not answer only warn, and so do those of a single user among several',
    help: 'Look at the resolvers (`names.resolvers`, `floodgauge_dns_queries_total`). Meanwhile the last addresses of each name are watched, for `names.staleSeconds`.',
  },
  tables: {
    well: 'no exporter or user whose entries had worked for minutes lost their place in a bounded table in the last half hour',
    help: 'Set `ingest.exporters` to the addresses of your routers; `GET /api/v1/status` says who crowds the table.',
  },
  store: {
    well: 'the store can be written',
    help: 'Free room on the disk, or repair the rights of the data directory.',
  },
  integrity: {
    well: 'the store was looked through for damage at the start and since then once a day, and none was found',
    help: 'Stop the service and restore a backup.',
  },
  backups: {
    well: 'the last scheduled backup was made, and is not overdue by as long again as `store.backup.everyHours`',
    help: 'The log says why: most often the folder (`store.backup.folder`) cannot be written, or its disk is full.',
    isAdvice: true,
  },
  policy: {
    well: '`access.policy` is not `open`, under which every user may watch every address',
    help: 'Set another policy, if your users are strangers to each other.',
    isAdvice: true,
  },
}
