// Who would be told of an attack, and what each rule says of it. Nothing is written or sent.
import type { AlertStore, EventToTell } from '../alert-store.ts'
import { compileRules, type Destination, destinationsOf, type Judgement, judgeAll, occasionsOf } from './address.ts'
import type { Occasion } from './judge.ts'

export interface Previewed {
  told: Destination[]
  judgements: Judgement[]
}

/** `event`: null: the attack is made up. `given` replaces what the event has. Rules and channels are those of the user alone. */
export async function previewOf(
  store: Pick<AlertStore, 'rulesOf' | 'channelsOf'>,
  userId: string,
  { event, given }: { event: EventToTell | null; given: Occasion },
): Promise<Previewed> {
  const rules = compileRules(await store.rulesOf(userId))
  const channels = (await store.channelsOf(userId)).map(({ id, fortune }) => ({ id, userId, ...fortune }))
  const facts = { severity: given.severity, label: given.label, before: null }
  const { installation } =
    event === null ? { installation: given } : occasionsOf(event, { kind: given.kind, facts, atMs: given.atMs })
  const occasions = { own: given, installation: installation && { ...given, ...placesOf(installation) } }
  const own = new Set(channels.map(({ id }) => id))
  const reached = new Set((event?.channelIds ?? []).filter((id) => own.has(id)))
  return { told: destinationsOf(occasions, { rules, channels, reached }), judgements: judgeAll(rules, occasions) }
}

function placesOf({ sites, groups }: Occasion): Pick<Occasion, 'sites' | 'groups'> {
  return { sites, groups }
}
