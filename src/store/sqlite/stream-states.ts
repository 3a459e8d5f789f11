// What is known of exporters' streams: templates, sampling, start. Every row has a checksum: a row that is not as it was written is left out when it
// is read, and counted, since nothing else would show it.
import { crc32 } from 'node:zlib'
import { rowOctets } from '../../decode/saved-streams.ts'
import type { StreamStates } from '../exporters.ts'
import type { SavedStream, SavedTemplate, StreamKey } from '../store.ts'
import { deletedPerChunk, inChunks, untilDone } from './chunks.ts'
import type { Database } from './database.ts'
import { blob, json, number, type Row, text } from './rows.ts'

const key = 'address, protocol, port, domain'
const isKey = 'address = ? AND protocol = ? AND port = ? AND domain = ?'

function prepareStatements(database: Database) {
  return {
    saveState: database.prepare(`
    INSERT OR REPLACE INTO stream_states (${key}, seen_ms, boot_ms, export_ms, uptime_ms, sampling, checksum, is_proven)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    saveTemplate: database.prepare(`
    INSERT OR REPLACE INTO stream_templates (${key}, id, options, definition, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    deleteTemplates: database.prepare(`DELETE FROM stream_templates WHERE ${isKey}`),
    deleteState: database.prepare(`DELETE FROM stream_states WHERE ${isKey}`),
    selectStates: database.prepare(`SELECT * FROM stream_states ORDER BY seen_ms DESC`),
    selectTemplates: database.prepare(`SELECT * FROM stream_templates WHERE ${isKey} ORDER BY id`),
    selectOld: database.prepare(
      `SELECT ${key} FROM stream_states WHERE seen_ms < ? ORDER BY seen_ms LIMIT ${deletedPerChunk}`,
    ),
    selectOldest: database.prepare(`
    SELECT ${key}, octet_length(sampling) + ${rowOctets} + (
        SELECT coalesce(sum(octet_length(definition) + ${rowOctets}), 0) FROM stream_templates AS template
        WHERE (template.address, template.protocol, template.port, template.domain) = (state.address, state.protocol, state.port, state.domain)
      ) AS octets
    FROM stream_states AS state ORDER BY is_proven, seen_ms LIMIT ${deletedPerChunk}`),
    // Lengths are in the headers of rows: nothing else is read.
    sumOctets: database.prepare(`
    SELECT (SELECT coalesce(sum(octet_length(sampling) + ${rowOctets}), 0) FROM stream_states)
      + (SELECT coalesce(sum(octet_length(definition) + ${rowOctets}), 0) FROM stream_templates) AS octets`),
  }
}

export function createStreamStates(database: Database): StreamStates {
  const statements = prepareStatements(database)
  const deleteStreams = (streams: Row[]) => {
    for (const stream of streams) {
      statements.deleteTemplates.run(...keyOf(stream))
      statements.deleteState.run(...keyOf(stream))
    }
    return streams.length === 0 ? null : streams.length
  }
  /** Those of the oldest that have to go, so that the rest takes no more than so much. */
  const above = (octetsMax: number) => {
    const row = statements.sumOctets.get()
    let over = row === undefined ? 0 : number(row, 'octets') - octetsMax
    return statements.selectOldest.all().filter((stream) => {
      const isAbove = over > 0
      over -= number(stream, 'octets')
      return isAbove
    })
  }

  return {
    async saveStreamStates(changes) {
      await inChunks(changes, (chunk) =>
        database.write(
          () => {
            for (const { templates, ...state } of chunk) {
              const ofStream = [state.address, state.protocol, state.port, state.domain] as const
              if (templates !== null) statements.deleteTemplates.run(...ofStream)
              for (const { id, options, octets } of templates ?? []) {
                const row = [...ofStream, id, options ? 1 : 0] as const
                statements.saveTemplate.run(...row, octets, checksum(row, octets))
              }
              const { seenMs, bootMs, exportMs, uptimeMs, sampling } = state
              const row = [
                ...ofStream,
                Math.floor(seenMs),
                bootMs,
                exportMs,
                uptimeMs,
                JSON.stringify(sampling),
              ] as const
              statements.saveState.run(...row, checksum(row), state.isProven ? 1 : 0)
            }
          },
          { durable: false },
        ),
      )
    },

    async loadStreamStates() {
      let unreadable = 0
      const streams: SavedStream[] = []
      for (const row of database.read(() => statements.selectStates.all())) {
        const state = stateOf(row)
        if (state === null) {
          unreadable++
          continue
        }
        const rows = database.read(() => statements.selectTemplates.all(...keyOf(row)))
        const templates = rows.map(templateOf).filter((template) => template !== null)
        unreadable += rows.length - templates.length
        streams.push({ ...state, templates })
      }
      return { streams, unreadable }
    },

    async pruneStreamStates({ seenBeforeMs, octetsMax }) {
      const old = await untilDone(() =>
        database.write(() => deleteStreams(statements.selectOld.all(seenBeforeMs)), { durable: false }),
      )
      const large = await untilDone(() => database.write(() => deleteStreams(above(octetsMax)), { durable: false }))
      return old + large
    },
  }
}

function keyOf(row: Row) {
  return [text(row, 'address'), text(row, 'protocol'), number(row, 'port'), number(row, 'domain')] as const
}

/** Null: the row is not as it was written. */
function stateOf(row: Row): Omit<SavedStream, 'templates'> | null {
  const [address, protocol, port, domain] = keyOf(row)
  const times = [number(row, 'seen_ms'), number(row, 'boot_ms'), number(row, 'export_ms'), number(row, 'uptime_ms')]
  const [seenMs, bootMs, exportMs, uptimeMs] = times
  if (checksum([...keyOf(row), ...times, text(row, 'sampling')]) !== number(row, 'checksum')) return null
  const known = protocol === 'netflow9' || protocol === 'ipfix' ? protocol : null
  if (known === null) return null
  const stream: StreamKey = { address, protocol: known, port, domain }
  const isProven = number(row, 'is_proven') === 1
  const sampling = json<SavedStream['sampling']>(row, 'sampling')
  return { ...stream, seenMs, bootMs, exportMs, uptimeMs, isProven, sampling }
}

function templateOf(row: Row): SavedTemplate | null {
  const [id, options, octets] = [number(row, 'id'), number(row, 'options'), blob(row, 'definition')]
  if (checksum([...keyOf(row), id, options], octets) !== number(row, 'checksum')) return null
  return { id, options: options === 1, octets }
}

function checksum(values: readonly (string | number)[], octets?: Uint8Array): number {
  const sum = crc32(JSON.stringify(values))
  return octets === undefined ? sum : crc32(octets, sum)
}
