// What a report says of the attacks of its time, as far as its rule is about them.
import { type Severity, severities, severityOf } from '../../events/severity.ts'
import { formatKey } from '../../net/address.ts'
import type { AlertStore, EventToTell } from '../alert-store.ts'
import { heaviestMax, type OtherAttack } from '../bundles/others.ts'
import { occasionsOf } from '../rules/address.ts'
import { compilePlaces, compileVectors, type Occasion } from '../rules/judge.ts'
import type { Rule } from '../rules/rule.ts'
import type { ReportStore } from './report-store.ts'

export interface AttackSummary {
  count: number
  /** How many of them go on. */
  open: number
  /** How many there were besides, which were not looked at: the lightest. */
  more: number
  bySeverity: Readonly<Record<Severity, number>>
  heaviest: readonly OtherAttack[]
  /** The heaviest that go on. */
  goingOn: readonly OtherAttack[]
}

/** Attacks that are looked at for one report, and at once: some milliseconds of the thread. */
const attacksMax = 5_000
const atOnce = 100

export async function summaryOf(
  store: Pick<AlertStore, 'eventsToTell'> & Pick<ReportStore, 'attacksBetween'>,
  rule: Rule,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Promise<AttackSummary> {
  const userId = rule.reach === 'own' ? rule.userId : null
  const { count, heaviest: ids } = await store.attacksBetween({ userId, fromMs, untilMs, limit: attacksMax })
  const isAbout = aboutOf(rule)
  const found: OtherAttack[] = []
  for (let n = 0; n < ids.length; n += atOnce) {
    const events = await store.eventsToTell(ids.slice(n, n + atOnce))
    for (const event of events) if (isAbout(event, untilMs)) found.push(attackOf(event))
    // Others come in between.
    await new Promise((resolve) => setImmediate(resolve))
  }
  found.sort((a, b) => rankOf(b) - rankOf(a) || b.bytesPerSecond - a.bytesPerSecond)
  const goingOn = found.filter(({ isOver }) => !isOver)
  return {
    ...{ count: found.length, open: goingOn.length, more: count - ids.length },
    bySeverity: countedBy(found),
    ...{ heaviest: found.slice(0, heaviestMax), goingOn: goingOn.slice(0, heaviestMax) },
  }
}

const rankOf = ({ severity }: OtherAttack) => severities.indexOf(severity)

function countedBy(attacks: readonly OtherAttack[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { low: 0, medium: 0, high: 0, critical: 0 }
  for (const { severity } of attacks) counts[severity]++
  return counts
}

/** What the rule asks for of an attack, whatever happens to it and at what time. */
function aboutOf({ when, reach }: Rule): (event: EventToTell, atMs: number) => boolean {
  const tests: ((occasion: Occasion) => boolean)[] = [
    ({ severity }) => when.severities.length === 0 || when.severities.includes(severity),
    compilePlaces(when),
    compileVectors(when.vectors),
  ]
  return (event, atMs) => {
    const facts = { severity: severityNow(event), label: event.event.label, before: null }
    const { own, installation } = occasionsOf(event, { kind: 'started', facts, atMs })
    const occasion = reach === 'own' ? own : installation
    return occasion !== null && tests.every((test) => test(occasion))
  }
}

/** The highest so far, where its owner was told. */
function severityNow({ event, told }: EventToTell): Severity {
  return told?.severity ?? severityOf(event)
}

function attackOf(each: EventToTell): OtherAttack {
  const { site, address, worst, endMs } = each.event
  return {
    ...{ site, address: address === null ? '' : formatKey(address), severity: severityNow(each) },
    ...{ bytesPerSecond: worst.bytesPerSecond, isOver: endMs !== null },
  }
}
