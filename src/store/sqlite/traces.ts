// Traces and sights. A trace has a checksum: one that is not as it was written is left out when it is read, and counted.
import { crc32 } from 'node:zlib'
import type { SavedTrace } from '../../detect/trace/trace-code.ts'
import { type Sight, type SightKind, sightKinds, type Traces } from '../traffic.ts'
import { inChunks } from './chunks.ts'
import type { Database } from './database.ts'
import { blob, number, numberOrNull, type Row, text } from './rows.ts'

export type TraceReading = Pick<Traces, 'tracesOf' | 'sightsBetween' | 'firstSight'>

export function createTraces(database: Database): Traces {
  const saveTrace = database.prepare(
    'INSERT OR REPLACE INTO traces (address, length, second, octets, checksum) VALUES (?, ?, ?, ?, ?)',
  )
  const saveSight = database.prepare(`
    INSERT INTO sights (minute, kind, exporter, amount) VALUES (?, ?, ?, ?)
    ON CONFLICT (minute, kind, exporter) DO UPDATE SET amount = max(amount, excluded.amount)`)

  return {
    ...createTraceReading(database),

    async appendTraces(traces) {
      await inChunks(traces, (chunk) =>
        database.write(
          () => {
            for (const each of chunk)
              saveTrace.run(each.address, each.length, each.second, each.octets, checksumOf(each))
          },
          { durable: false },
        ),
      )
    },

    async appendSights(sights) {
      await inChunks(sights, (chunk) =>
        database.write(
          () => {
            for (const { minute, kind, exporter, amount } of chunk) saveSight.run(minute, kind, exporter, amount)
          },
          { durable: false },
        ),
      )
    },
  }
}

export function createTraceReading(database: Database): TraceReading {
  const select = database.prepare(`
    SELECT traces.* FROM json_each(?1) AS place CROSS JOIN traces
      ON address = place.value ->> 0 AND length = place.value ->> 1 AND second >= ?2 AND second < ?3
    ORDER BY second, length LIMIT ?4`)
  const selectSights = database.prepare(`
    SELECT * FROM sights
    WHERE minute >= ?1 AND minute < ?2 AND kind IN (SELECT value FROM json_each(?3))
    ORDER BY minute, kind, exporter LIMIT ?4`)
  const selectFirst = database.prepare('SELECT min(minute) AS minute FROM sights')

  return {
    async tracesOf(_userId, places, { fromSecond, toSecond, limit }) {
      const wanted = JSON.stringify(places.map(({ address, length }) => [address, length]))
      const rows = database.read(() => select.all(wanted, fromSecond, toSecond, limit))
      const traces = rows.flatMap((row) => traceFrom(row) ?? [])
      return { traces, unreadable: rows.length - traces.length }
    },

    async sightsBetween(_userId, { fromSecond, toSecond, limit, kinds = sightKinds }) {
      const wanted = JSON.stringify(kinds)
      const rows = database.read(() => selectSights.all(fromSecond, toSecond, wanted, limit))
      return rows.flatMap((row) => sightFrom(row) ?? [])
    },

    async firstSight() {
      const row = database.read(() => selectFirst.get())
      return row === undefined ? null : numberOrNull(row, 'minute')
    },
  }
}

/** Null: the row is not as it was written. */
function traceFrom(row: Row): SavedTrace | null {
  const trace = {
    address: number(row, 'address'),
    length: number(row, 'length'),
    second: number(row, 'second'),
    octets: blob(row, 'octets'),
  }
  return checksumOf(trace) === number(row, 'checksum') ? trace : null
}

/** Null: a kind that another version wrote. */
function sightFrom(row: Row): Sight | null {
  const kind = sightKinds.find((each): each is SightKind => each === text(row, 'kind'))
  if (kind === undefined) return null
  return { minute: number(row, 'minute'), kind, exporter: text(row, 'exporter'), amount: number(row, 'amount') }
}

function checksumOf({ address, length, second, octets }: SavedTrace): number {
  return crc32(octets, crc32(JSON.stringify([address, length, second])))
}
