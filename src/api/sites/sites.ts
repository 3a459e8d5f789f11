// The site endpoints: host records in, one outcome a host.

import {
  type HostRecord,
  isWide,
  type ParsedHost,
  parseHostRecord,
  parseOpenHostRecord,
} from '../../access/host-record.ts'
import { createRegistrar, type Registrar } from '../../access/policy.ts'
import type { AccessSettings } from '../../access/settings.ts'
import type { Clock } from '../../clock.ts'
import { hostsMax } from '../../contract/limits.ts'
import type { BatchOutcome, openSiteEndpoints } from '../../contract/sites/open.ts'
import type { Store, User } from '../../store/store.ts'
import { type HostOutcome, presentAdded, presentChanged } from '../events/present-open.ts'
import type { Answer, Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { SiteLists } from './lists.ts'

export interface SiteHandlerOptions {
  store: Pick<Store, 'listSites' | 'sitesVersion' | 'addSites' | 'setEnabled' | 'deleteSites'>
  clock: Clock
  /** `policy` holds for users who have none of their own. */
  access: Pick<AccessSettings, 'policy'>
  /** Called after a change is committed, before it is answered. */
  onSitesChanged: (userId: string) => void
}

type SiteHandlers = Handlers<keyof typeof openSiteEndpoints | 'addAnySites'>

export function createSiteHandlers({ store, clock, access, onSitesChanged }: SiteHandlerOptions): SiteHandlers {
  const { policy } = access
  const lists = new SiteLists(store)

  const change = async (userId: string, hosts: readonly string[], apply: Apply): Promise<Answer<'deleteSites'>> => {
    const { outcome, isChanged } = await changeSites(hosts, apply)
    if (isChanged) onSitesChanged(userId)
    return { body: outcome }
  }

  const add = async (caller: User, hosts: RequestedHost[]): Promise<Answer<'addSites'>> => {
    const registrar = createRegistrar(caller, policy)
    const requested = hosts.map((each) => withAllowance(each, registrar))
    const valid = requested.filter(({ record, reason }) => record !== null && reason === null)
    const outcomes = valid.length === 0 ? [] : await store.addSites(caller.id, valid.map(canonicalOf), clock.now())
    if (outcomes.includes('added')) onSitesChanged(caller.id)
    const overQuota = new Set(valid.filter((_, i) => outcomes[i] === 'over-quota'))
    const reason = `The quota of ${caller.siteQuota} sites is used up`
    return { body: presentAdded(requested.map((each) => (overQuota.has(each) ? { ...each, reason } : each))) }
  }

  return {
    listSites: async (_input, caller) => ({ text: await lists.textOf(caller) }),

    addSites: ({ body }, caller) => add(caller, readHosts(body.hosts, parseOpenHostRecord)),
    addAnySites: ({ body }, caller) => add(caller, readHosts(body.hosts)),
    deleteSites: ({ body }, caller) => change(caller.id, body.hosts, (hosts) => store.deleteSites(caller.id, hosts)),
    enableSites: ({ body }, caller) =>
      change(caller.id, body.hosts, (hosts) => store.setEnabled(caller.id, hosts, true)),
    disableSites: ({ body }, caller) =>
      change(caller.id, body.hosts, (hosts) => store.setEnabled(caller.id, hosts, false)),
  }
}

/** Gives true where the caller has such a site. */
type Apply = (canonical: string[]) => Promise<boolean[]>

/** Changes sites that are there. */
export async function changeSites(
  hosts: readonly string[],
  apply: Apply,
): Promise<{ outcome: BatchOutcome; isChanged: boolean }> {
  const requested = readHosts(hosts)
  const valid = requested.filter(({ record }) => record !== null)
  const found = valid.length === 0 ? [] : await apply(valid.map(canonicalOf))
  const done = new Set(valid.filter((_, i) => found[i]))
  const outcome = presentChanged(requested.map((each) => (done.has(each) ? { ...each, reason: null } : failed(each))))
  return { outcome, isChanged: found.includes(true) }
}

/** A host as requested; `record`: null when the text is refused. */
interface RequestedHost extends HostOutcome {
  record: HostRecord | null
}

type Parse = (text: string) => ParsedHost

/** The distinct hosts of a request, in its order: two spellings of one host are one, the first. */
function readHosts(spellings: readonly string[], parse: Parse = parseHostRecord): RequestedHost[] {
  if (spellings.length > hostsMax) {
    const detail = `A request may have at most ${hostsMax} hosts`
    throw new ProblemError('TOO_LARGE', detail, [{ pointer: '/hosts', detail: `There are ${spellings.length}` }])
  }
  const requested = new Map<string, RequestedHost>()
  for (const spelling of spellings) {
    const record = parse(spelling)
    // A canonical form is no text that is refused: the two kinds of key do not meet.
    const key = record.ok ? record.host : spelling
    if (requested.has(key)) continue
    requested.set(
      key,
      record.ok ? { spelling, record, reason: null } : { spelling, record: null, reason: record.reason },
    )
  }
  return [...requested.values()]
}

/** The reason is the same whether or not somebody else may. */
function withAllowance(each: RequestedHost, { mayRegister, mayRegisterWide }: Registrar): RequestedHost {
  const { record } = each
  if (record === null) return each
  const mayHave = isWide(record) ? mayRegisterWide : mayRegister
  if (mayHave(record)) return each
  if (isWide(record)) return { ...each, reason: wideReason }
  return { ...each, reason: 'The host is outside the networks and domains that this account may monitor' }
}

const wideReason =
  'A network shorter than a /24 may be added by who looks after the installation, and by those whose allowed networks hold it'

function canonicalOf({ record }: RequestedHost): string {
  return record?.host ?? ''
}

function failed(each: RequestedHost): HostOutcome {
  return { ...each, reason: each.reason ?? 'There is no such site' }
}
