// The endpoints about where names led: import of passive DNS, and questions to what is known.
import type { Readable } from 'node:stream'
import { passiveRecordsMax } from '../../contract/limits.ts'
import type { passiveDnsEndpoints } from '../../contract/names/passive-dns.ts'
import { AppError } from '../../errors.ts'
import { type CofRecord, cofRecords } from '../../names/passive-dns/cof.ts'
import type { ImportReport } from '../../names/passive-dns/imports.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { NameLookUp, type NameLookUpOptions, parseQuestion } from './look-up.ts'

export interface PassiveDnsHandlerOptions extends NameLookUpOptions {
  importNames: (chunks: AsyncIterable<Uint8Array>) => Promise<ImportReport>
}

export function createPassiveDnsHandlers(
  options: PassiveDnsHandlerOptions,
): Handlers<keyof typeof passiveDnsEndpoints> {
  const { importNames } = options
  const lookUp = new NameLookUp(options)

  return {
    importNames: async ({ body }) => {
      // Who is refused should hear why, which takes the connection.
      const chunks = body.iterator({ destroyOnReturn: false })
      return { body: await importNames(chunks).catch((error) => refuse(error, body)) }
    },

    queryPassiveDns: async ({ params, isAdmin }, caller) => {
      const known = await lookUp.known(parseQuestion(params.question))
      const all = isAdmin
        ? [...known.asked, ...known.observed]
        : (await lookUp.visible(caller, known)).map((each) => ({ ...each, sensor: '' }))
      const latest = all.toSorted((a, b) => b.confirmedMs - a.confirmedMs)
      const text = cofRecords(latest).slice(0, passiveRecordsMax).map(lineOf).join('')
      return { text: Buffer.from(text) }
    },
  }
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
