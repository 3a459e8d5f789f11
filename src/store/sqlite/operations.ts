// What keeps the store healthy: forgetting, checking, backing up, closing.
import type { Operations } from '../operations.ts'
import { backupTo } from './backup/backup.ts'
import { deletedPerChunk, untilDone } from './chunks.ts'
import type { Database } from './database.ts'
import { number, numberOrNull, text } from './rows.ts'

/** Targets whose old minutes are looked for in one transaction. */
const targetsPerChunk = 200

export function createOperations(database: Database): Operations {
  const pruneEvents = createPruneEvents(database)
  const pruneTraffic = createPruneTraffic(database)
  const pruneTraces = createPruneTraces(database)
  const pruneBindings = createPruneBindings(database)
  // A value that stays the same would not be written at all.
  const noteCheck = database.prepare('UPDATE write_check SET times = times + 1')
  const selectFollowed = database.prepare('SELECT followed_ms FROM retention_clock')
  const updateFollowed = database.prepare('UPDATE retention_clock SET followed_ms = ?')
  const selectSize = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  )

  return {
    async prune({ eventsMs, seriesMs, bindingsMs }, signal) {
      return (
        (await pruneEvents(eventsMs, signal)) +
        (await pruneTraffic(seriesMs, signal)) +
        (await pruneTraces(seriesMs, signal)) +
        (await pruneBindings(bindingsMs, signal))
      )
    },

    async followedMs() {
      const row = database.read(() => selectFollowed.get())
      return row === undefined ? 0 : number(row, 'followed_ms')
    },

    async noteFollowed(ms) {
      database.write(() => updateFollowed.run(Math.floor(ms)), { durable: false })
    },

    async checkWritable() {
      database.write(() => noteCheck.run())
    },

    async sizeBytes() {
      const row = database.read(() => selectSize.get())
      return row === undefined ? 0 : number(row, 'bytes')
    },

    async backup(toFile) {
      await backupTo(database.path, toFile)
    },

    async close() {
      database.close()
    },
  }
}

type Prune = (beforeMs: number, signal: AbortSignal | undefined) => Promise<number>

function createPruneEvents(database: Database): Prune {
  const selectUsers = database.prepare('SELECT id FROM users')
  const deleteOldest = database.prepare(`
    DELETE FROM events WHERE user_id = ?1 AND (created_ms, id) IN (
      SELECT created_ms, id FROM events WHERE user_id = ?1 AND created_ms < ?2 ORDER BY created_ms, id LIMIT ${deletedPerChunk})`)

  return async (beforeMs, signal) => {
    let deleted = 0
    for (const user of database.read(() => selectUsers.all()).map((row) => text(row, 'id')))
      deleted += await untilDone(() => {
        const count = Number(database.write(() => deleteOldest.run(user, beforeMs).changes, { durable: false }))
        return count === 0 ? null : count
      }, signal)
    return deleted
  }
}

function createPruneTraffic(database: Database): Prune {
  const selectNext = database.prepare('SELECT min(address) AS address FROM traffic WHERE address > ?')
  const deleteOldest = database.prepare(`
    DELETE FROM traffic WHERE address = ?1 AND minute IN (
      SELECT minute FROM traffic WHERE address = ?1 AND minute < ?2 ORDER BY minute LIMIT ${deletedPerChunk})`)

  return async (beforeMs, signal) => {
    const beforeMinute = Math.floor(beforeMs / 1000)
    let address: number | null = -1
    let left = 0
    const deleteChunk = () => {
      let deleted = 0
      for (let targets = 0; targets < targetsPerChunk && deleted < deletedPerChunk; targets++) {
        // A full slice: the target may have more.
        if (left !== deletedPerChunk) {
          const next = selectNext.get(address)
          address = next === undefined ? null : numberOrNull(next, 'address')
        }
        if (address === null) return deleted
        left = Number(deleteOldest.run(address, beforeMinute).changes)
        deleted += left
      }
      return deleted
    }
    return untilDone(() => (address === null ? null : database.write(deleteChunk, { durable: false })), signal)
  }
}

function createPruneTraces(database: Database): Prune {
  const deletes = [
    `DELETE FROM traces WHERE (address, length, second) IN (
      SELECT address, length, second FROM traces INDEXED BY traces_second WHERE second < ? LIMIT ${deletedPerChunk})`,
    `DELETE FROM sights WHERE (minute, kind, exporter) IN (
      SELECT minute, kind, exporter FROM sights WHERE minute < ? LIMIT ${deletedPerChunk})`,
  ].map((sql) => database.prepare(sql))

  return async (beforeMs, signal) => {
    const before = Math.floor(beforeMs / 1000)
    let deleted = 0
    for (const each of deletes)
      deleted += await untilDone(() => {
        const count = Number(database.write(() => each.run(before).changes, { durable: false }))
        return count === 0 ? null : count
      }, signal)
    return deleted
  }
}

function createPruneBindings(database: Database): Prune {
  const selectEnd = database.prepare(`
    SELECT name, address FROM bindings WHERE (name, address) > (?, ?) ORDER BY name, address LIMIT 1 OFFSET ${deletedPerChunk}`)
  const deleteRange = database.prepare(`
    DELETE FROM bindings WHERE (name, address) > (?, ?) AND (name, address) <= (?, ?) AND confirmed_ms < ?`)
  const deleteRest = database.prepare('DELETE FROM bindings WHERE (name, address) > (?, ?) AND confirmed_ms < ?')

  return async (beforeMs, signal) => {
    let from: { name: string; address: number } | null = { name: '', address: -1 }
    const deleteChunk = (start: { name: string; address: number }) => {
      const row = selectEnd.get(start.name, start.address)
      const end = row === undefined ? null : { name: text(row, 'name'), address: number(row, 'address') }
      from = end
      if (end === null) return Number(deleteRest.run(start.name, start.address, beforeMs).changes)
      return Number(deleteRange.run(start.name, start.address, end.name, end.address, beforeMs).changes)
    }
    return untilDone(() => {
      const start = from
      return start === null ? null : database.write(() => deleteChunk(start), { durable: false })
    }, signal)
  }
}
