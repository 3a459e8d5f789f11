// The endpoints of the audit log.
import type { AuditEntry, auditEndpoints } from '../../contract/audit.ts'
import { formatTime } from '../../contract/time.ts'
import type { AuditFilter, AuditRow, Store } from '../../store/store.ts'
import { csvLine } from '../csv.ts'
import type { Handlers, RawQuery } from '../http/endpoints.ts'
import { QueryReader } from '../http/query.ts'

export interface AuditParts {
  store: Pick<Store, 'auditPage'>
}

const limits = { default: 100, max: 500 }
const head = [
  ...['sequence', 'at', 'kind', 'actor', 'userId', 'name', 'credential', 'address'],
  ...['object', 'outcome', 'count', 'detail', 'hash'],
]

export function auditHandlers({ store }: AuditParts): Handlers<keyof typeof auditEndpoints> {
  return {
    listAudit: async ({ query }) => {
      const reader = new QueryReader(query)
      const filter = filterOf(reader, query)
      const limit = reader.wholeNumber('limit', { min: 1, max: limits.max }) ?? limits.default
      const below = reader.wholeNumber('before', { min: 1, max: Number.MAX_SAFE_INTEGER })
      reader.check()
      const { rows, next } = await store.auditPage(filter, { below, limit })
      return { body: { entries: rows.map(present), next } }
    },

    getAuditTable: async ({ query, isHead }) => {
      const reader = new QueryReader(query)
      const filter = filterOf(reader, query)
      reader.check()
      return { pieces: isHead ? none() : table(store, filter) }
    },
  }
}

function filterOf(reader: QueryReader, query: RawQuery): AuditFilter {
  const plain = (parameter: string, max: number) =>
    reader.read(parameter, (text) => (text.length <= max ? text : null), `It must have at most ${max} characters`)
  const given = {
    userId: plain('user', 100),
    name: plain('q', 100),
    kind: plain('kind', 64),
    outcome: query.outcome === undefined ? null : reader.word('outcome', ['done', 'refused']),
    startMs: reader.time('start'),
    endMs: reader.time('end'),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''))
}

async function* none(): AsyncGenerator<string, void, undefined> {}

/** A page for each read: it is pulled, and nothing is read before the client has taken what came before. */
async function* table(store: AuditParts['store'], filter: AuditFilter): AsyncGenerator<string, void, undefined> {
  yield csvLine(head)
  for (let below: number | null = null; ; ) {
    const { rows, next } = await store.auditPage(filter, { below, limit: limits.max })
    yield rows.map((row) => csvLine(cellsOf(row))).join('')
    if (next === null) return
    below = next
  }
}

function cellsOf({ sequence, atMs, kind, actor, object, outcome, count, detailText, hash }: AuditRow) {
  const who = [actor.kind, actor.userId, actor.name, actor.credential, actor.address]
  return [sequence, formatTime(atMs), kind, ...who, object, outcome, count, detailText, hash]
}

function present({ sequence, atMs, kind, actor, object, outcome, count, detailText, hash }: AuditRow): AuditEntry {
  const detail: AuditEntry['detail'] = JSON.parse(detailText)
  return { sequence, at: formatTime(atMs), kind, actor, object, outcome, count, detail, hash }
}
