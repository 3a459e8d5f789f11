// Names that resolvers elsewhere were asked for, and where they led.
import { type ObservationSource, observationSources } from '../../names/bindings/bindings.ts'
import type { Observations } from '../names.ts'
import type { SavedObservation } from '../store.ts'
import { deletedPerChunk, inChunks, untilDone } from './chunks.ts'
import type { Database } from './database.ts'
import { json, number, type Row, text } from './rows.ts'

export function createObservations(database: Database): Observations {
  const save = database.prepare(`
    INSERT INTO observations (name, address, chain, first_ms, from_ms, confirmed_ms, ttl_seconds, count, source, sensor)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (name, address) DO UPDATE
    SET first_ms = min(first_ms, excluded.first_ms), count = max(count, excluded.count), confirmed_ms = max(confirmed_ms, excluded.confirmed_ms),
      chain = iif(excluded.confirmed_ms >= confirmed_ms, excluded.chain, chain),
      from_ms = iif(excluded.confirmed_ms >= confirmed_ms, excluded.from_ms, from_ms),
      ttl_seconds = iif(excluded.confirmed_ms >= confirmed_ms, excluded.ttl_seconds, ttl_seconds),
      source = iif(excluded.confirmed_ms >= confirmed_ms, excluded.source, source),
      sensor = iif(excluded.confirmed_ms >= confirmed_ms, excluded.sensor, sensor)`)
  const select = database.prepare(`
    SELECT * FROM (
      SELECT * FROM observations WHERE confirmed_ms >= ? ORDER BY confirmed_ms DESC, name, address LIMIT ?)
    ORDER BY confirmed_ms, name, address`)
  const selectLatest = (column: 'name' | 'address') =>
    database.prepare(`SELECT * FROM observations WHERE ${column} = ? ORDER BY confirmed_ms DESC, name, address LIMIT ?`)
  const latest = { name: selectLatest('name'), address: selectLatest('address') }
  const deleteOld = database.prepare(`
    DELETE FROM observations WHERE (name, address) IN (
      SELECT name, address FROM observations WHERE confirmed_ms < ? LIMIT ${deletedPerChunk})`)
  const deleteAbove = database.prepare(`
    DELETE FROM observations WHERE (name, address) IN (
      SELECT name, address FROM observations ORDER BY confirmed_ms
      LIMIT min(${deletedPerChunk}, max(0, (SELECT count(*) FROM observations) - ?)))`)
  const untilNone = (run: () => number) =>
    untilDone(() => {
      const deleted = database.write(run, { durable: false })
      return deleted === 0 ? null : deleted
    })

  return {
    async saveObservations(observations) {
      await inChunks(observations, (chunk) =>
        database.write(
          () => {
            for (const { name, address, chain, firstMs, fromMs, confirmedMs, ...rest } of chunk) {
              const { ttlSeconds, count, source, sensor } = rest
              const path = JSON.stringify(chain)
              save.run(name, address, path, firstMs, fromMs, confirmedMs, ttlSeconds, count, source, sensor)
            }
          },
          { durable: false },
        ),
      )
    },

    async loadObservations({ confirmedSinceMs, max }) {
      return database.read(() => select.all(confirmedSinceMs, max)).map(observationOf)
    },

    async observationsOf(asked, max) {
      const rows = database.read(() =>
        'name' in asked ? latest.name.all(asked.name, max) : latest.address.all(asked.address, max),
      )
      return rows.map(observationOf)
    },

    async pruneObservations({ confirmedBeforeMs, max }) {
      const old = await untilNone(() => Number(deleteOld.run(confirmedBeforeMs).changes))
      return old + (await untilNone(() => Number(deleteAbove.run(max).changes)))
    },
  }
}

function observationOf(row: Row): SavedObservation {
  return {
    name: text(row, 'name'),
    address: number(row, 'address'),
    chain: json<SavedObservation['chain']>(row, 'chain'),
    firstMs: number(row, 'first_ms'),
    fromMs: number(row, 'from_ms'),
    confirmedMs: number(row, 'confirmed_ms'),
    ttlSeconds: number(row, 'ttl_seconds'),
    count: number(row, 'count'),
    source: sourceFrom(text(row, 'source')),
    sensor: text(row, 'sensor'),
  }
}

function sourceFrom(given: string): ObservationSource {
  return observationSources.find((each) => each === given) ?? 'told'
}
