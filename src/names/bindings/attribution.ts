// Whose event an attack on an address is: for each user the one best site, the name that led there, and the DNS evidence. Pure. A user
// is shown only what follows from sites of their own, as if nobody else had any.

import { formatKey } from '../../net/address.ts'
import { ancestors } from '../../net/hostname.ts'
import { addressLength, formatNetworkKey, networkOf } from '../../net/network.ts'
import { Foremost } from '../observe/foremost.ts'
import { lastingAfterMs } from '../observe/name-group.ts'
import type { Binding } from './bindings.ts'
import type { Newcomers } from './newcomers.ts'
import {
  addressLengths,
  addressSites,
  createUsersAbove,
  isSince,
  nameSite,
  type SiteIndex,
  sinceAbove,
  sinceOf,
} from './site-index.ts'
import { orderedSites, TouchedNames } from './touched-sites.ts'

/** What leads to an address. */
export interface Leading {
  /** As our resolvers answered: for those on whose account they were asked. */
  asked: Iterable<Binding>
  /** As resolvers elsewhere were told (see observed-names.ts): for those who have a site at or above the name. */
  observed: Iterable<Binding>
}

/** A name as it led to the address; times are Unix milliseconds of the last confirmation. */
export interface DnsSnapshot {
  domain: string
  a: Record<string, number>
  /** The alias target that the name has, empty when it has the address itself. */
  cname: Record<string, number>
}

export interface Match {
  userId: string
  /** The best of `sites`. */
  site: string
  /** Every site of the user that the attack touches, the best first (see touched-sites.ts). */
  sites: string[]
  /** The name that led to the address; `""` when none of the user's did. */
  domain: string
  dns: DnsSnapshot[]
  /** Since when the address is the user's, Unix milliseconds: what came before is not theirs, whoever had it counted. */
  sinceMs: number
}

export interface Attack {
  address: number
  fromMs: number
  toMs: number
}

/** What is known of the users and of the time. */
export interface Knowing {
  newcomers: Pick<Newcomers, 'fromMs'>
  /** Times of sites that are later say nothing: the clock was set back. */
  nowMs: number
}

const knowingAll: Knowing = { newcomers: { fromMs: () => 0 }, nowMs: Number.POSITIVE_INFINITY }

/** A name of a user that led to the address. */
interface Lead {
  name: string
  /** The user has it resolved; it is no mere alias target. */
  root: boolean
  /** Another name of the user is an alias of it. */
  isTarget: boolean
  fromMs: number
  confirmedMs: number
  /** It is no name that was asked for once: such are made up by the thousand where any name leads somewhere. */
  lasting: boolean
  /** Number of observations by other resolvers. */
  count: number
  /** Alias targets by time. */
  targets: Map<string, number>
  /** The user's best name site for it. */
  site: string | null
}

/** A binding by which a name of a user led to the address. */
interface Candidate {
  binding: Binding
  lasting: boolean
  count: number
}

const snapshotsMax = 50
/** Bound for a user's names of each kind: where any name leads to the address, or a provider has all its names there, there are tens of thousands. */
const candidatesMax = 500

/** Two names confirmed within this of each other are equally recent: each is asked again only so often. */
const recheckMs = 600_000

/** One match a user, in order of user. `leading`: the bindings of the address. */
export function attribute(attack: Attack, index: SiteIndex, leading: Leading, knowing = knowingAll): Match[] {
  const leads = leadsByUser(attack, index, leading, knowing)
  const byAddress = addressSites(index, attack.address)
  const lengths = addressLengths(index, attack.address)
  const matches: Match[] = []
  for (const userId of [...new Set([...byAddress.keys(), ...leads.keys()])].toSorted()) {
    const known = leads.get(userId)
    const own = [...(known?.leads.values() ?? [])].toSorted(compareLeads(attack))
    const ofAddress = byAddress.get(userId)
    const length = ofAddress?.length
    const best = length === undefined ? bestByName(own) : own[0]
    const site = length === undefined ? best?.site : addressSite(attack.address, length)
    if (site === null || site === undefined) continue
    const ofUser = lengths.filter(([, users]) => users.has(userId))
    const holding = ofUser.map(([each]) => addressSite(attack.address, each))
    const dns = own.toSorted((a, b) => Number(b === best) - Number(a === best)).slice(0, snapshotsMax)
    matches.push({
      userId,
      site,
      sites: orderedSites(site, [...holding, ...(known?.sites ?? [])]),
      domain: best?.name ?? '',
      dns: dns.map((lead) => snapshot(lead, attack)),
      sinceMs: Math.min(
        known?.sinceMs ?? Number.POSITIVE_INFINITY,
        ofAddress === undefined ? Number.POSITIVE_INFINITY : sinceOf(ofAddress.sinceMs, knowing),
      ),
    })
  }
  return matches
}

/** A site that an address belongs to. */
export interface Way {
  site: string
  /** Since when it leads there, Unix milliseconds; 0: as long as it is a site. */
  sinceMs: number
}

/**
 * Every site of the user that an address belongs to at a moment, each once; none by name where the address is not the user's. `leading`: the
 * bindings of the address.
 */
export function waysTo(
  { address, atMs, userId }: { address: number; atMs: number; userId: string },
  index: SiteIndex,
  leading: Leading,
  { newcomers, nowMs } = knowingAll,
): Way[] {
  const lengths = addressLengths(index, address).filter(([, users]) => users.has(userId))
  const byAddress = lengths.map(([length]) => ({ site: addressSite(address, length), sinceMs: 0 }))
  if (!index.authority.hasAddress(userId, address)) return byAddress
  const byName = new Map<string, number>()
  const add = ({ name: root, chain, fromMs, validToMs }: Binding) => {
    if (fromMs > atMs || validToMs < atMs) return
    for (const name of [root, ...chain]) {
      const site = nameSite(index, userId, name)
      if (site !== null) byName.set(site, Math.min(fromMs, byName.get(site) ?? fromMs))
    }
  }
  for (const binding of leading.asked)
    if (index.roots.get(binding.name)?.has(userId) === true && isSince(binding, newcomers.fromMs(userId, binding.name)))
      add(binding)
  for (const binding of leading.observed) {
    const sinceMs = sinceAbove(index, userId, binding.name)
    if (sinceMs !== null && isSince(binding, sinceOf(sinceMs, { nowMs }))) add(binding)
  }
  return [...byAddress, ...Array.from(byName, ([site, sinceMs]) => ({ site, sinceMs }))]
}

/** The names that led to the address during the attack or not long before, for each user who may know of them. */
function leadsByUser(
  attack: Attack,
  index: SiteIndex,
  { asked, observed }: Leading,
  knowing: Knowing,
): Map<string, KnownLeads> {
  const candidates = new Map<string, Candidates>()
  const views = new Map<string, boolean>()
  /** `users`: since when each has a site for the name, and since when each may know where it leads. */
  const add = (users: Iterable<[string, Since]>, kind: CandidateKind, candidate: Candidate) => {
    for (const [userId, { sinceMs, fromMs }] of users) {
      if (!isSince(candidate.binding, fromMs)) continue
      const mayKnow = views.get(userId) ?? index.authority.viewOf(userId, attack.address) !== null
      views.set(userId, mayKnow)
      if (!mayKnow) continue
      const ofUser = candidates.get(userId) ?? newCandidates(attack, new TouchedNames(index, userId))
      candidates.set(userId, ofUser)
      ofUser[kind].add(candidate)
      ofUser.sinceMs = Math.min(ofUser.sinceMs, Math.max(sinceMs, candidate.binding.fromMs))
      ofUser.touched.add(candidate.binding)
    }
  }
  function* usersAsking(name: string): Generator<[string, Since]> {
    for (const [userId, addedMs] of index.roots.get(name) ?? []) {
      const fromMs = knowing.newcomers.fromMs(userId, name)
      yield [userId, { sinceMs: Math.max(sinceOf(addedMs, knowing), fromMs), fromMs }]
    }
  }
  const isOf = ({ fromMs, validToMs }: Binding) => fromMs <= attack.toMs && validToMs >= attack.fromMs
  for (const binding of asked)
    if (isOf(binding)) add(usersAsking(binding.name), 'asked', { binding, lasting: true, count: 0 })
  const usersAbove = createUsersAbove(index)
  function* usersOver(name: string): Generator<[string, Since]> {
    for (const [userId, addedMs] of usersAbove(name)) {
      const sinceMs = sinceOf(addedMs, knowing)
      yield [userId, { sinceMs, fromMs: sinceMs }]
    }
  }
  for (const binding of observed) {
    const { name, count, firstMs, confirmedMs } = binding
    const lasting = confirmedMs - firstMs >= lastingAfterMs
    if (isOf(binding)) add(usersOver(name), lasting ? 'lasting' : 'passing', { binding, lasting, count })
  }
  return new Map(
    Array.from(candidates, ([userId, ofUser]) => {
      return [userId, { leads: leadsOf(ofUser, index, userId), sites: ofUser.touched.sites, sinceMs: ofUser.sinceMs }]
    }),
  )
}

/** The names and sites of a user that led to the address. */
interface KnownLeads {
  leads: Map<string, Lead>
  /** The sites of all these names, also of names beyond the bound for leads. */
  sites: ReadonlySet<string>
  /** Since when the first of them does. */
  sinceMs: number
}

interface Since {
  sinceMs: number
  fromMs: number
}

/** The kinds of names that have bounds of their own: else a flood of names asked for once would take the places of all others. */
interface Candidates {
  asked: Foremost<Candidate>
  lasting: Foremost<Candidate>
  passing: Foremost<Candidate>
  touched: TouchedNames
  sinceMs: number
}

type CandidateKind = Exclude<keyof Candidates, 'touched' | 'sinceMs'>

function newCandidates({ fromMs }: Attack, touched: TouchedNames): Candidates {
  const compare = (a: Candidate, b: Candidate) => compareCandidates(a, b, fromMs)
  const none = () => new Foremost(candidatesMax, compare)
  return { asked: none(), lasting: none(), passing: none(), touched, sinceMs: Number.POSITIVE_INFINITY }
}

function leadsOf({ asked, lasting, passing }: Candidates, index: SiteIndex, userId: string): Map<string, Lead> {
  const leads = new Map<string, Lead>()
  for (const candidate of [...asked.list(), ...lasting.list(), ...passing.list()])
    addPath(leads, candidate, (name) => nameSite(index, userId, name))
  collapse(leads)
  return leads
}

/** Names that were asked for once are no more than the wildcard record that leads them there. */
function collapse(leads: Map<string, Lead>): void {
  if (![...leads.keys()].some((name) => name.startsWith('*.'))) return
  for (const { name, lasting, site } of [...leads.values()]) {
    if (lasting || site === name || name.startsWith('*.')) continue
    if (ancestors(name).some((zone) => leads.has(`*.${zone}`))) leads.delete(name)
  }
}

function addPath(
  leads: Map<string, Lead>,
  { binding, lasting, count }: Candidate,
  siteOf: (name: string) => string | null,
): void {
  const { name: root, chain, fromMs, confirmedMs } = binding
  const path = [root, ...chain]
  path.forEach((name, i) => {
    const lead = leads.get(name) ?? newLead(name, siteOf(name))
    leads.set(name, lead)
    lead.root ||= i === 0
    lead.isTarget ||= i > 0
    lead.fromMs = Math.min(lead.fromMs, fromMs)
    lead.confirmedMs = Math.max(lead.confirmedMs, confirmedMs)
    lead.lasting ||= lasting
    lead.count += count
    if (i + 1 < path.length) lead.targets.set(path[i + 1], Math.max(lead.targets.get(path[i + 1]) ?? 0, confirmedMs))
  })
}

function newLead(name: string, site: string | null): Lead {
  const unknown = {
    root: false,
    isTarget: false,
    fromMs: Number.POSITIVE_INFINITY,
    confirmedMs: 0,
    lasting: false,
    count: 0,
  }
  return { name, ...unknown, targets: new Map(), site }
}

/**
 * Orders names by relevance: the user's own names before alias targets, names before wildcard records, registered names first, then names that
 * no other is an alias of, then the more recent, the lasting, the more often observed, the shorter; the alphabet decides last.
 */
function compareLeads({ fromMs }: Attack): (a: Lead, b: Lead) => number {
  return (a, b) =>
    Number(b.root) - Number(a.root) ||
    Number(a.name.startsWith('*.')) - Number(b.name.startsWith('*.')) ||
    Number(b.site === b.name) - Number(a.site === a.name) ||
    Number(a.isTarget) - Number(b.isTarget) ||
    recentMs(b, fromMs) - recentMs(a, fromMs) ||
    Number(b.lasting) - Number(a.lasting) ||
    b.count - a.count ||
    a.name.length - b.name.length ||
    (a.name < b.name ? -1 : 1)
}

/** As leads are, as far as can be said of one binding by itself; wildcard records come first, since there are few and they stand for others. */
function compareCandidates(a: Candidate, b: Candidate, fromMs: number): number {
  const [{ name }, { name: other }] = [a.binding, b.binding]
  return (
    Number(other.startsWith('*.')) - Number(name.startsWith('*.')) ||
    recentMs(b.binding, fromMs) - recentMs(a.binding, fromMs) ||
    b.count - a.count ||
    name.length - other.length ||
    (name < other ? -1 : 1)
  )
}

function recentMs({ confirmedMs }: { confirmedMs: number }, fromMs: number): number {
  return Math.min(confirmedMs, fromMs - recheckMs)
}

/** A registered name before a wildcard, a longer wildcard before a shorter one; among equals the first. */
function bestByName(leads: readonly Lead[]): Lead | undefined {
  const rank = ({ site }: Lead) => (site === null ? -1 : site.startsWith('*.') ? site.length : Number.POSITIVE_INFINITY)
  return leads.reduce<Lead | undefined>(
    (best, lead) => (best === undefined || rank(lead) > rank(best) ? lead : best),
    undefined,
  )
}

function addressSite(address: number, length: number): string {
  return length === addressLength
    ? formatKey(address)
    : formatNetworkKey({ network: networkOf(address, length), length })
}

/** What was confirmed after the attack led there at its end, too: of the time after it the evidence says nothing. */
function snapshot({ name, confirmedMs, targets }: Lead, { address, toMs }: Attack): DnsSnapshot {
  const within = (ms: number) => Math.min(ms, toMs)
  return {
    domain: name,
    a: { [formatKey(address)]: within(confirmedMs) },
    cname: Object.fromEntries(Array.from(targets, ([target, ms]) => [target, within(ms)])),
  }
}
