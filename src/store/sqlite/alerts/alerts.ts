// Alerts in SQLite: channels, what was found to be told, and what became of it.
import type { AlertStore } from '../../../alert/alert-store.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../database.ts'
import { createAddresses } from './addresses.ts'
import { createBundles } from './bundles.ts'
import { createChannels, createChannelWrites } from './channels.ts'
import { createClockSteps } from './clock-steps.ts'
import { createConditions } from './conditions.ts'
import { createDeliveries } from './deliveries.ts'
import { createClosings } from './ends/closings.ts'
import { createEscalations } from './escalations.ts'
import { createGivingUp } from './giving-up.ts'
import { createImport } from './import.ts'
import { createMails } from './mails.ts'
import { createReports } from './reports.ts'
import { createRouting } from './routing.ts'
import { createRules, createRuleWrites } from './rules.ts'
import { createSettling } from './settling.ts'
import { createSilences } from './silences.ts'
import { createTurns } from './turns.ts'

export function createAlerts(database: Database, parts: { clock: Clock; newId: () => string }): AlertStore {
  const [channels, rules] = [createChannelWrites(database, parts), createRuleWrites(database)]
  return {
    ...createChannels(database, { clock: parts.clock, writes: channels }),
    ...createRules(database, rules),
    ...createImport(database, { channels, rules }),
    ...createSilences(database, parts),
    ...createBundles(database),
    ...createEscalations(database),
    ...createReports(database),
    ...createRouting(database, parts),
    ...createTurns(database),
    ...createClockSteps(database),
    ...createGivingUp(database, parts),
    ...createSettling(database, parts),
    ...createConditions(database, parts),
    ...createClosings(database),
    ...createDeliveries(database, parts),
    ...createAddresses(database, parts),
    ...createMails(database, parts),
  }
}
