// What every store must do, whatever keeps its data. An adapter's test calls this with the way to open it.
import { describe, type TestContext, test } from 'node:test'
import { type Clock, ManualClock } from '../src/clock.ts'
import type { Store } from '../src/store/store.ts'
import { accountCases } from './store-contract/accounts.ts'
import { addressCases } from './store-contract/alerts/addresses.ts'
import { channelCases } from './store-contract/alerts/channels.ts'
import { deliveryCases } from './store-contract/alerts/deliveries.ts'
import { incidentCases } from './store-contract/alerts/incidents.ts'
import { mailCases } from './store-contract/alerts/mails.ts'
import { ruleCases } from './store-contract/alerts/rules.ts'
import { silenceCases } from './store-contract/alerts/silences.ts'
import { auditCases } from './store-contract/audit.ts'
import { baselineCases } from './store-contract/baselines.ts'
import { changeCases } from './store-contract/changes.ts'
import { episodeCases } from './store-contract/episodes.ts'
import { eventNoteCases } from './store-contract/event-notes.ts'
import { eventSiteCases } from './store-contract/event-sites.ts'
import { eventCases } from './store-contract/events.ts'
import { exporterCases } from './store-contract/exporters.ts'
import { groupCases } from './store-contract/groups.ts'
import { idempotencyCases } from './store-contract/idempotency.ts'
import { isolationCases } from './store-contract/isolation.ts'
import { observationCases } from './store-contract/observations.ts'
import { operationCases } from './store-contract/operations.ts'
import { proofCases } from './store-contract/proofs.ts'
import { identityCases, secondFactorCases } from './store-contract/second-factors.ts'
import { sessionCases } from './store-contract/sessions.ts'
import { siteCases } from './store-contract/sites.ts'
import { streamStateCases } from './store-contract/stream-states.ts'
import { traceCases, trafficCases } from './store-contract/traffic.ts'

export interface StoreAdapter {
  /** A new, empty place for data, that is gone after the test. */
  newPlace(t: TestContext): Promise<string>
  /** A store on the data of the place; several may be open on the same. */
  open(place: string, options: { clock: Clock }): Promise<Store>
}

/** What a case works with: stores of one place, closed after the test. */
export interface StoreTest {
  t: TestContext
  clock: ManualClock
  /** Another store on the same place. */
  open(clock?: Clock): Promise<Store>
}

export interface StoreCase {
  name: string
  run(given: StoreTest): Promise<void>
}

const cases: StoreCase[] = [
  ...accountCases,
  ...auditCases,
  ...sessionCases,
  ...secondFactorCases,
  ...identityCases,
  ...siteCases,
  ...groupCases,
  ...eventCases,
  ...eventSiteCases,
  ...episodeCases,
  ...changeCases,
  ...eventNoteCases,
  ...idempotencyCases,
  ...operationCases,
  ...exporterCases,
  ...isolationCases,
  ...streamStateCases,
  ...trafficCases,
  ...traceCases,
  ...baselineCases,
  ...observationCases,
  ...proofCases,
  ...channelCases,
  ...addressCases,
  ...mailCases,
  ...deliveryCases,
  ...incidentCases,
  ...ruleCases,
  ...silenceCases,
]

/** `skip`: the reason, for each case that the adapter cannot pass. */
export function storeContract(
  name: string,
  adapter: StoreAdapter,
  { skip = {} }: { skip?: Record<string, string> } = {},
) {
  for (const skipped of Object.keys(skip))
    if (!cases.some((each) => each.name === skipped)) throw new Error(`there is no case ${skipped} to skip`)
  describe(`${name} keeps the store's contract`, () => {
    for (const { name: caseName, run } of cases)
      test(caseName, { skip: skip[caseName] ?? false }, async (t) => run(await newTest(t, adapter)))
  })
}

async function newTest(t: TestContext, adapter: StoreAdapter): Promise<StoreTest> {
  const clock = new ManualClock(Date.UTC(2017, 2, 8))
  const place = await adapter.newPlace(t)
  const open = async (other: Clock = clock) => {
    const store = await adapter.open(place, { clock: other })
    t.after(() => store.close())
    return store
  }
  return { t, clock, open }
}
