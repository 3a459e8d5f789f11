// What is normal for the targets of each network. Every row has a checksum: one that is not as it was written is left out when it is read, and counted.
import { crc32 } from 'node:zlib'
import type { KnownBaselines } from '../baselines.ts'
import type { SavedBaselines } from '../store.ts'
import { deletedPerChunk, inChunks, untilDone } from './chunks.ts'
import type { Database } from './database.ts'
import { blob, number, type Row } from './rows.ts'

export function createBaselines(database: Database): KnownBaselines {
  const save = database.prepare(
    'INSERT OR REPLACE INTO baselines (network, heard_ms, saved_ms, octets, checksum) VALUES (?, ?, ?, ?, ?)',
  )
  const select = database.prepare('SELECT * FROM baselines WHERE heard_ms >= ? ORDER BY heard_ms DESC')
  const deleteOld = database.prepare(
    `DELETE FROM baselines WHERE network IN (SELECT network FROM baselines WHERE heard_ms < ? LIMIT ${deletedPerChunk})`,
  )
  const deleteAbove = database.prepare(
    `DELETE FROM baselines WHERE network IN (
       SELECT network FROM baselines ORDER BY heard_ms LIMIT min(${deletedPerChunk}, max(0, (SELECT count(*) FROM baselines) - ?)))`,
  )
  const untilNone = (run: () => number) =>
    untilDone(() => {
      const deleted = database.write(run, { durable: false })
      return deleted === 0 ? null : deleted
    })

  return {
    async saveBaselines(baselines) {
      await inChunks(baselines, (chunk) =>
        database.write(
          () => {
            for (const each of chunk) {
              save.run(each.network, each.heardMs, each.savedMs, each.octets, checksum(each))
            }
          },
          { durable: false },
        ),
      )
    },

    async loadBaselines({ heardSinceMs }) {
      const rows = database.read(() => select.all(heardSinceMs))
      const baselines = rows.map(baselinesOf).filter((each) => each !== null)
      return { baselines, unreadable: rows.length - baselines.length }
    },

    async pruneBaselines({ heardBeforeMs, networksMax }) {
      const old = await untilNone(() => Number(deleteOld.run(heardBeforeMs).changes))
      return old + (await untilNone(() => Number(deleteAbove.run(networksMax).changes)))
    },
  }
}

/** Null: the row is not as it was written. */
function baselinesOf(row: Row): SavedBaselines | null {
  const baselines = {
    network: number(row, 'network'),
    heardMs: number(row, 'heard_ms'),
    savedMs: number(row, 'saved_ms'),
    octets: blob(row, 'octets'),
  }
  return checksum(baselines) === number(row, 'checksum') ? baselines : null
}

function checksum({ network, heardMs, savedMs, octets }: SavedBaselines): number {
  return crc32(octets, crc32(JSON.stringify([network, heardMs, savedMs])))
}
