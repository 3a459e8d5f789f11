// Whether a rule fits what is to be told about an attack, and if not, why. Pure: rules are compiled once, and then asked for each attack.
import { type HostRecord, readHostRecord } from '../../access/host-record.ts'
import { isSerious, type Severity } from '../../events/severity.ts'
import { type AddressKey, addressFrom } from '../../net/address.ts'
import { isWithin } from '../../net/hostname.ts'
import { contains, containsNetwork } from '../../net/network.ts'
import type { TurnKind } from '../notice.ts'
import type { Rule, RuleCondition, RuleNotice } from './rule.ts'
import { compileWindow } from './time-window.ts'

/** What a rule looks at. */
export interface Occasion {
  kind: TurnKind
  /** The highest so far. */
  severity: Severity
  /** What was told before; null: nothing. */
  severityBefore: Severity | null
  /** Null: of unknown kind. */
  label: string | null
  /** The victim; null: none. */
  address: AddressKey | null
  /** It is simulated. */
  isTest: boolean
  /** Every site that the attack touches, and the groups that they are in. */
  sites: readonly string[]
  groups: readonly string[]
  atMs: number
}

/** What a rule may ask for and not get, in the order in which it is looked at. */
export const unmets = ['notice', 'severity', 'vector', 'site', 'time'] as const
export type Unmet = (typeof unmets)[number]

/** Null: the rule fits. */
export type Judge = (occasion: Occasion) => Unmet | null

export function compileRule({ when, at }: Pick<Rule, 'when' | 'at'>): Judge {
  const window = at === null ? null : compileWindow(at)
  const tests: Record<Unmet, (occasion: Occasion) => boolean> = {
    notice: noticeTest(when),
    severity: ({ severity }) => isAmong(when.severities, severity),
    vector: compileVectors(when.vectors),
    site: compilePlaces(when),
    time: ({ atMs }) => window === null || window.contains(atMs),
  }
  return (occasion) => unmets.find((each) => !tests[each](occasion)) ?? null
}

/** An attack that comes back begins again. */
export const noticeOfKind: Readonly<Record<TurnKind, RuleNotice | null>> = {
  started: 'started',
  resumed: 'started',
  worsened: 'worsened',
  vector: 'vector',
  continues: null,
  escalated: null,
  ended: null,
}

function noticeTest({ notices, severities: asked }: RuleCondition): (occasion: Occasion) => boolean {
  return ({ kind, severity, severityBefore }) => {
    const notice = noticeOfKind[kind]
    if (notice === null || !notices.includes(notice)) return false
    // It is news where it is serious now, or where the rule asked for no such attack before.
    const isNew = severityBefore !== null && !isAmong(asked, severityBefore)
    return notice !== 'worsened' || isNew || isSerious(severity)
  }
}

export function compilePlaces({
  sites,
  groups,
}: Pick<RuleCondition, 'sites' | 'groups'>): (occasion: Occasion) => boolean {
  const hosts = sites.map(readHostRecord).filter((record) => record !== null)
  return anyOf([
    ...hosts.map((record) => (occasion: Occasion) => holds(record, occasion)),
    ...groups.map((id) => (occasion: Occasion) => occasion.groups.includes(id)),
    // A text that cannot be read fits nothing.
    ...(sites.length > hosts.length ? [() => false] : []),
  ])
}

function holds(record: HostRecord, { sites, address }: Occasion): boolean {
  if (sites.includes(record.host)) return true
  if (record.kind === 'fqdn') return false
  if (record.kind === 'wildcard') return sites.some((site) => isWithin(site.replace(/^\*\./, ''), record.zone))
  if (address !== null && contains(record.network, addressFrom(address))) return true
  return sites.map(readHostRecord).some((site) => {
    return (site?.kind === 'ipv4' || site?.kind === 'cidr') && containsNetwork(record.network, site.network)
  })
}

export function compileVectors(patterns: readonly string[]): (occasion: Occasion) => boolean {
  return anyOf(patterns.map(vectorTest))
}

function vectorTest(pattern: string): (occasion: Occasion) => boolean {
  const parts = pattern.toLowerCase().split('*')
  return ({ label }) => fits((label ?? 'unknown').toLowerCase(), parts)
}

/** Whether the parts are in the text one after the other, the first at its beginning and the last at its end. */
function fits(text: string, parts: readonly string[]): boolean {
  const [first, ...others] = parts
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

function isAmong<Value>(asked: readonly Value[], value: Value): boolean {
  return asked.length === 0 || asked.includes(value)
}

function anyOf<Given>(tests: readonly ((given: Given) => boolean)[]): (given: Given) => boolean {
  return tests.length === 0 ? () => true : (given) => tests.some((test) => test(given))
}
