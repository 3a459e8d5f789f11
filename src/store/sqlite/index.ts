// The store in one SQLite file: write-ahead log, every acknowledged change on the disk. Any number of processes may have it open.
import { randomBytes } from 'node:crypto'
import { changingVerbs } from '../../audit/audit-store.ts'
import type { Clock } from '../../clock.ts'
import type { Store } from '../store.ts'
import { createIdentities } from './accounts/identities.ts'
import { createResealing } from './accounts/resealing.ts'
import { createSecondFactors } from './accounts/second-factors.ts'
import { createSessions } from './accounts/sessions.ts'
import { createSignIn } from './accounts/sign-in.ts'
import { createTokens } from './accounts/tokens.ts'
import { createUsers } from './accounts/users.ts'
import { createAlerts } from './alerts/alerts.ts'
import { createAudit } from './audit/audit.ts'
import { createBaselines } from './baselines.ts'
import { createBindings } from './bindings.ts'
import { Database } from './database.ts'
import { createAttacks } from './events/attacks.ts'
import { ChangeLog } from './events/changes.ts'
import { createCourses } from './events/courses.ts'
import { createEvents } from './events/events.ts'
import { createEventNotes } from './events/notes.ts'
import { createExporterAdmission } from './exporter-admission.ts'
import { createExporters } from './exporters.ts'
import { createIdempotency } from './idempotency.ts'
import { migrate } from './migrate.ts'
import { createObservations } from './observations.ts'
import { createOperations } from './operations.ts'
import { createRemoteReading, type ReadRunner } from './reads/verbs.ts'
import { createGroups } from './sites/groups.ts'
import { createSiteListing } from './sites/listing.ts'
import { createProofs } from './sites/proofs.ts'
import { createSites } from './sites/sites.ts'
import { createStreamStates } from './stream-states.ts'
import { createTraces } from './traces.ts'
import { createTraffic } from './traffic.ts'

export interface SqliteStoreOptions {
  clock: Clock
  /** Makes the ids of users and tokens. */
  newId?: () => string
  /** False: a store of an older schema is refused. Otherwise it is brought up to date, after a copy of it has been put beside it. */
  upgrade?: boolean
  /** Who answers what may look through much. Left out: the thread that asks. */
  readers?: ReadRunner
}

const randomId = () => randomBytes(8).toString('hex')

/** Makes the file and its directory when they are missing. */
export async function openSqliteStore(path: string, options: SqliteStoreOptions): Promise<Store> {
  const { clock, newId = randomId, upgrade = true, readers } = options
  const database = new Database(path)
  try {
    migrate(database, { upgrade })
    const log = new ChangeLog(database, { clock })
    const { verbs: audit, journal } = createAudit(database, { clock })
    const verbs: Store = {
      ...createUsers(database, { clock, newId }),
      ...createTokens(database, { clock, newId }),
      ...createSignIn(database, { clock, journal }),
      ...createSecondFactors(database, { clock }),
      ...createResealing(database),
      ...createIdentities(database, { clock }),
      ...createSessions(database, { clock, newId, journal }),
      ...createSites(database, clock),
      ...createSiteListing(database),
      ...createProofs(database),
      ...createGroups(database, { clock, newId }),
      ...createEvents(database, { clock, log }),
      ...log.verbs,
      ...createAttacks(database),
      ...createCourses(database),
      ...createEventNotes(database, { clock, log }),
      ...createIdempotency(database, { clock }),
      ...createTraffic(database),
      ...createTraces(database),
      ...createBindings(database),
      ...createObservations(database),
      ...createExporters(database),
      ...createExporterAdmission(database),
      ...createStreamStates(database),
      ...createBaselines(database),
      ...createOperations(database),
      ...createAlerts(database, { clock, newId }),
      ...audit,
      ...(readers === undefined ? {} : createRemoteReading(database, readers)),
    }
    const wrap = <Name extends (typeof changingVerbs)[number]>(name: Name) => {
      verbs[name] = journal.changing(verbs[name])
    }
    for (const name of changingVerbs) wrap(name)
    return verbs
  } catch (error) {
    database.close()
    throw error
  }
}
