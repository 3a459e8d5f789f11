// Traffic series: a row for each target and minute.
import { setImmediate } from 'node:timers/promises'
import type { MinuteSum, Store } from '../store.ts'
import { inChunks } from './chunks.ts'
import type { Database } from './database.ts'
import { number, type Row } from './rows.ts'

type Traffic = Pick<Store, 'appendSeries' | 'seriesOf' | 'sumSeries' | 'lastTraffic'>

/** So many rows are added up in some ten milliseconds. */
const rowsAtOnce = 36_000

export function createTraffic(database: Database): Traffic {
  const addPoint = database.prepare(`
    INSERT INTO traffic (address, minute, bytes, packets, flows) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (address, minute) DO UPDATE
    SET bytes = bytes + excluded.bytes, packets = packets + excluded.packets, flows = flows + excluded.flows`)
  const selectPoints = database.prepare(`
    SELECT address, minute, bytes, packets, flows FROM traffic
    WHERE address = ? AND minute >= ? AND minute < ? ORDER BY minute`)
  const selectSums = database.prepare(`
    SELECT CAST(?3 AS INTEGER) - ((CAST(?3 AS INTEGER) - 60 - minute) / CAST(?4 AS INTEGER) + 1) * CAST(?4 AS INTEGER) AS step,
      sum(bytes) AS bytes, sum(packets) AS packets, sum(flows) AS flows FROM traffic
    WHERE address IN (SELECT value FROM json_each(?1)) AND minute >= ?2 AND minute < ?3 GROUP BY step`)
  const selectLast = database.prepare(`
    SELECT minute FROM traffic WHERE address = ? AND minute >= ? AND flows > 0 ORDER BY minute DESC LIMIT 1`)

  return {
    async appendSeries(points) {
      await inChunks(points, (chunk) =>
        database.write(
          () => {
            for (const { address, minute, bytes, packets, flows } of chunk)
              addPoint.run(address, minute, bytes, packets, flows)
          },
          { durable: false },
        ),
      )
    },

    async seriesOf(address, fromMinute, toMinute) {
      return database
        .read(() => selectPoints.all(address, fromMinute, toMinute))
        .map((row) => ({ address: number(row, 'address'), minute: number(row, 'minute'), ...amountsFrom(row) }))
    },

    async sumSeries(addresses, { fromMinute, toMinute, stepSeconds }) {
      const sums: MinuteSum[] = []
      const atOnce = Math.max(1, Math.floor((rowsAtOnce * 60) / Math.max(60, toMinute - fromMinute)))
      for (let at = 0; at < addresses.length; at += atOnce) {
        if (at > 0) await setImmediate()
        const part = JSON.stringify(addresses.slice(at, at + atOnce))
        const rows = database.read(() => selectSums.all(part, fromMinute, toMinute, stepSeconds))
        for (const row of rows) sums.push({ minute: number(row, 'step'), ...amountsFrom(row) })
      }
      return sums
    },

    async lastTraffic(addresses, fromMinute) {
      const last = new Map<number, number>()
      database.read(() => {
        for (const address of addresses) {
          const row = selectLast.get(address, fromMinute)
          if (row !== undefined) last.set(address, number(row, 'minute'))
        }
      })
      return last
    },
  }
}

function amountsFrom(row: Row): Omit<MinuteSum, 'minute'> {
  return { bytes: number(row, 'bytes'), packets: number(row, 'packets'), flows: number(row, 'flows') }
}
