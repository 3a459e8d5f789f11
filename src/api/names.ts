// The endpoints about where names led: import of passive DNS, and questions to what is known.
import type { Readable } from 'node:stream'
import { passiveRecordsMax } from '../contract/limits.ts'
import { AppError } from '../errors.ts'
import type { NameOrAddress, SavedObservation } from '../names/bindings.ts'
import { type CofRecord, canonicalOwner, cofRecords, type Sighting } from '../names/passive-dns/cof.ts'
import type { ImportReport } from '../names/passive-dns/imports.ts'
import { ancestors } from '../net/hostname.ts'
import { parseIpv4 } from '../net/ipv4.ts'
import type { SavedBinding, Store, User } from '../store/store.ts'
import type { Handlers } from './endpoints.ts'
import { ProblemError } from './problem.ts'

/** Who knows where names lead now, and who may see it: see `Names`. */
export interface NameRecords {
  known(asked: NameOrAddress): Record<'asked' | 'observed', SavedObservation[]>
  /** `asked`: our resolvers said so, not others. */
  mayShow(userId: string, binding: { name: string; address: number }, asked: boolean): boolean
}

export interface NameHandlerOptions {
  store: Pick<Store, 'bindingsOf' | 'observationsOf' | 'listSites'>
  names: NameRecords
  importNames: (chunks: AsyncIterable<Uint8Array>) => Promise<ImportReport>
}

export function createNameHandlers(options: NameHandlerOptions): Pick<Handlers, 'importNames' | 'queryPassiveDns'> {
  const { store, names, importNames } = options

  /** What memory has is later than what the store has; together it is all. */
  const sightings = async (asked: NameOrAddress): Promise<{ asked: Sighting[]; observed: Sighting[] }> => {
    const now = names.known(asked)
    const [bindings, observations] = await Promise.all([
      store.bindingsOf(asked, passiveRecordsMax),
      store.observationsOf(asked, passiveRecordsMax),
    ])
    return {
      asked: [...now.asked, ...bindings.map(withoutCount)].map(withoutOurCount),
      observed: [...now.observed, ...observations],
    }
  }

  return {
    importNames: async ({ body }) => {
      // Who is refused should hear why, which takes the connection.
      const chunks = body.iterator({ destroyOnReturn: false })
      return { body: await importNames(chunks).catch((error) => refuse(error, body)) }
    },

    queryPassiveDns: async ({ params, isAdmin }, caller) => {
      const { asked, observed } = await sightings(parseQuestion(params.question))
      const all = isAdmin ? [...asked, ...observed] : await visible(caller, { asked, observed })
      const latest = all.toSorted((a, b) => b.confirmedMs - a.confirmedMs)
      const text = cofRecords(latest).slice(0, passiveRecordsMax).map(lineOf).join('')
      return { text: Buffer.from(text) }
    },
  }

  /** What the caller's own sites tell, since they were added. */
  async function visible(caller: User, known: { asked: Sighting[]; observed: Sighting[] }): Promise<Sighting[]> {
    const sites = await store.listSites(caller.id)
    const addedMs = new Map(sites.filter(({ enabled }) => enabled).map(({ host, createdMs }) => [host, createdMs]))
    const clipped = (each: Sighting, isAsked: boolean): Sighting[] => {
      const { name, firstMs, confirmedMs } = each
      const times = sitesOver(name).flatMap((host) => addedMs.get(host) ?? [])
      const fromMs = Math.min(...times)
      if (times.length === 0 || confirmedMs < fromMs || !names.mayShow(caller.id, each, isAsked)) return []
      const isWhole = firstMs >= fromMs
      return [{ ...each, firstMs: Math.max(firstMs, fromMs), count: isWhole ? each.count : null, sensor: '' }]
    }
    return [
      ...known.asked.flatMap((each) => clipped(each, true)),
      ...known.observed.flatMap((each) => clipped(each, false)),
    ]
  }
}

/** The sites that a name may belong to. */
function sitesOver(name: string): string[] {
  return [name, ...[name, ...ancestors(name)].map((zone) => `*.${zone}`)]
}

function parseQuestion(question: string): NameOrAddress {
  const address = parseIpv4(question)
  if (address !== null) return { address }
  const name = canonicalOwner(question)
  if (name === null) throw new ProblemError('BAD_REQUEST', 'The path does not end in a domain name or an IPv4 address')
  return { name }
}

/** How often we asked ourselves is no measure of anything. */
function withoutOurCount(sighting: Sighting): Sighting {
  return { ...sighting, count: null }
}

function withoutCount({ name, address, chain, fromMs, confirmedMs }: SavedBinding): Sighting {
  return { name, address, chain, firstMs: fromMs, confirmedMs, count: null, sensor: '' }
}

function lineOf(record: CofRecord): string {
  return `${JSON.stringify(record)}\n`
}

const retrySeconds = 5

function refuse(error: unknown, body: Readable): never {
  if (error instanceof AppError && error.code === 'TOO_LARGE')
    throw new ProblemError('TOO_LARGE', 'The body is larger than 64 MiB')
  if (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS')
    throw new ProblemError('TOO_MANY_REQUESTS', 'Another import goes on', [], retrySeconds)
  if (body.errored !== null) throw new ProblemError('BAD_REQUEST', 'The body broke off')
  throw error
}
