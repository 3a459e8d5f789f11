// The endpoints that say where names led, what is to be done about the caller's names, and who reports names.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { subjectOf } from '../../access/challenge.ts'
import { stateOf } from '../../access/proof.ts'
import type { Clock } from '../../clock.ts'
import { lookUpRecordsMax, nameFindingsMax } from '../../contract/limits.ts'
import type { NameFindings, NameSources, nameReportEndpoints } from '../../contract/names/report.ts'
import { formatTime } from '../../contract/time.ts'
import type { NameOrAddress } from '../../names/bindings/bindings.ts'
import type { SourceReport } from '../../names/observe/sources.ts'
import type { Outcome } from '../../names/resolve/schedule.ts'
import { formatKey } from '../../net/address.ts'
import type { SavedProof, Store } from '../../store/store.ts'
import type { Handlers } from '../http/endpoints.ts'
import { QueryReader } from '../http/query.ts'
import { Renewed } from '../limits/kept-answer.ts'
import { type Proofs, presentProof } from '../sites/proofs.ts'
import type { SiteWatch } from '../sites/report.ts'
import { NameLookUp, type NameRecords, parseQuestion, sitesOver, united } from './look-up.ts'

export interface NameReportOptions {
  store: Pick<Store, 'bindingsOf' | 'observationsOf' | 'listSites'>
  clock: Clock
  names: NameRecords & {
    /** What became of the name when it was last asked for, as the user knows it; null: it is not asked for. */
    outcomeOf(userId: string, name: string): Outcome | null
    sources(): SourceReport
  }
  siteWatch: Pick<SiteWatch, 'mayWatch' | 'suggestionsFor'>
  proofs: Pick<Proofs, 'all'>
}

const keptMs = 10_000
const sitesAtOnce = 50

type SiteFindings = Pick<NameFindings, 'problems' | 'suggestions'>

export function createNameReportHandlers(options: NameReportOptions): Handlers<keyof typeof nameReportEndpoints> {
  const { store, clock, names } = options
  const lookUp = new NameLookUp({ store, names })

  const found = new Renewed<SiteFindings>({
    clock,
    keptMs,
    find: (userId) => siteFindings(options, userId),
  })

  return {
    getNames: async (_input, { id }) => {
      const { problems, suggestions } = await found.of(id)
      const missing = await missingProofs(options, id)
      const body = {
        problems: problems.slice(0, nameFindingsMax),
        suggestions: suggestions.slice(0, nameFindingsMax),
        proofs: missing.slice(0, nameFindingsMax),
        omitted: {
          problems: Math.max(0, problems.length - nameFindingsMax),
          suggestions: Math.max(0, suggestions.length - nameFindingsMax),
          proofs: Math.max(0, missing.length - nameFindingsMax),
        },
      }
      return { body }
    },

    lookUpNames: async ({ params, query, isAdmin }, caller) => {
      const reader = new QueryReader(query)
      const atMs = reader.time('at')
      reader.check()
      const nowMs = clock.now()
      const known = await lookUp.known(parseQuestion(params.question))
      const shown = isAdmin ? [...known.asked, ...known.observed] : await lookUp.visible(caller, known)
      const records = united(shown)
        .map((each) => ({ ...each, isCurrent: each.validToMs > nowMs }))
        .filter(
          ({ firstMs, confirmedMs, isCurrent }) =>
            atMs === null || (firstMs <= atMs && (confirmedMs >= atMs || (isCurrent && atMs <= nowMs))),
        )
        .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.confirmedMs - a.confirmedMs)
      const body = {
        records: records.slice(0, lookUpRecordsMax).map((each) => ({
          ...{ name: each.name, aliases: each.chain, address: formatKey(each.address), isCurrent: each.isCurrent },
          ...{ firstAt: formatTime(each.firstMs), confirmedAt: formatTime(each.confirmedMs) },
          source: each.isAsked ? ('resolver' as const) : each.source,
          sensor: isAdmin && each.sensor !== '' ? each.sensor : null,
        })),
        omitted: Math.max(0, records.length - lookUpRecordsMax),
        isRefused: await isRefused(options, parseQuestion(params.question), isAdmin ? null : caller.id),
      }
      return { body }
    },

    getNameSources: async () => ({ body: presentSources(names.sources()) }),
  }
}

/** What there is to do or to see about the names of the user's sites. */
async function siteFindings(options: NameReportOptions, userId: string): Promise<SiteFindings> {
  const { store, siteWatch: watch } = options
  const sites = await store.listSites(userId)
  const result: SiteFindings = { problems: [], suggestions: [] }
  for (const [n, { host, record, enabled, createdMs }] of sites.entries()) {
    if (n % sitesAtOnce === sitesAtOnce - 1) await nextTurn()
    if (!enabled || record === null || !watch.mayWatch(userId, record, createdMs)) continue
    if (record.kind === 'fqdn') {
      const problem = problemOf(options, userId, host)
      if (problem !== null) result.problems.push(problem)
    } else if ('network' in record) {
      const suggested = watch.suggestionsFor(userId, record.network)
      for (const { name, address, confirmedMs } of suggested)
        result.suggestions.push({
          ...{ name, address: formatKey(address), site: host, confirmedAt: formatTime(confirmedMs) },
        })
    }
  }
  return { problems: result.problems, suggestions: withoutDoubles(result.suggestions) }
}

/** Whether addresses of the name had no place, as far as the user may know; `userId` null: everything. */
async function isRefused(
  { store, names, siteWatch }: Pick<NameReportOptions, 'store' | 'names' | 'siteWatch'>,
  asked: NameOrAddress,
  userId: string | null,
): Promise<boolean> {
  if (!('name' in asked) || !names.isCrowdedOut(asked.name)) return false
  if (userId === null) return true
  const hosts = new Set(sitesOver(asked.name))
  return (await store.listSites(userId)).some(
    ({ host, record, enabled, createdMs }) =>
      enabled && hosts.has(host) && record !== null && siteWatch.mayWatch(userId, record, createdMs),
  )
}

/** Null: all is well with it, or nobody has asked for it yet. */
function problemOf(
  { names, clock }: Pick<NameReportOptions, 'names' | 'clock'>,
  userId: string,
  host: string,
): SiteFindings['problems'][number] | null {
  const outcome = names.outcomeOf(userId, host)
  if (outcome === 'waiting') return null
  const shown = names.known({ name: host }).asked.filter((binding) => names.mayShow(userId, binding, true))
  const isLed = shown.some(({ validToMs }) => validToMs > clock.now())
  const isUnkept = outcome === null || names.isCrowdedOut(host)
  const reason = outcome === 'failing' ? 'failing' : isUnkept ? 'refused' : isLed ? null : 'absent'
  if (reason === null) return null
  const confirmedMs = shown.reduce((latest, binding) => Math.max(latest, binding.confirmedMs), 0)
  return { host, reason, confirmedAt: confirmedMs === 0 ? null : formatTime(confirmedMs) }
}

/** What the user's sites still have to prove, or prove again. */
async function missingProofs(
  { store, clock, proofs, siteWatch }: Pick<NameReportOptions, 'store' | 'clock' | 'proofs' | 'siteWatch'>,
  userId: string,
): Promise<NameFindings['proofs']> {
  const missing = new Map<string, SavedProof>()
  for (const proof of proofs.all()) {
    if (proof.userId === userId && stateOf(proof) !== 'verified') missing.set(keyOf(proof.subject), proof)
  }
  if (missing.size === 0) return []
  return (await store.listSites(userId)).flatMap(({ host, record, createdMs }) => {
    const subject = record === null ? null : subjectOf(record)
    const proof = subject === null ? undefined : missing.get(keyOf(subject))
    if (record === null || proof === undefined) return []
    // What another proof covers needs none of its own.
    const isCovered = stateOf(proof) === 'pending' && siteWatch.mayWatch(userId, record, createdMs)
    return isCovered ? [] : [{ host, ...presentProof(proof, clock.now()) }]
  })
}

function keyOf({ kind, text }: { kind: string; text: string }): string {
  return `${kind} ${text}`
}

/** Networks may hold each other. */
function withoutDoubles(suggestions: SiteFindings['suggestions']): SiteFindings['suggestions'] {
  return [...new Map(suggestions.map((each) => [`${each.name} ${each.address}`, each])).values()]
}

function presentSources({ resolvers, dnstap, zones, names }: SourceReport): NameSources {
  const { lateMs, ...counts } = names
  return {
    resolvers: resolvers.map(({ label, refusal, ...rest }) => ({ resolver: label, detail: refusal, ...rest })),
    dnstap: {
      ...dnstap,
      sensors: dnstap.sensors.map(({ name, lastMs }) => ({ name, lastAt: formatTime(lastMs) })),
    },
    zones: zones.map(({ checkedMs, ...rest }) => ({
      ...rest,
      checkedAt: checkedMs === null ? null : formatTime(checkedMs),
    })),
    names: { ...counts, lateSeconds: Math.round(lateMs / 1_000) },
  }
}
