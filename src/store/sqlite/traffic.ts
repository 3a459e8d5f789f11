// Traffic series: a row for each target and minute.
import type { Store } from '../store.ts'
import { inChunks } from './chunks.ts'
import type { Database } from './database.ts'
import { number } from './rows.ts'

type Traffic = Pick<Store, 'appendSeries' | 'seriesOf'>

export function createTraffic(database: Database): Traffic {
  const addPoint = database.prepare(`
    INSERT INTO traffic (address, minute, bytes, packets, flows) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (address, minute) DO UPDATE
    SET bytes = bytes + excluded.bytes, packets = packets + excluded.packets, flows = flows + excluded.flows`)
  const selectPoints = database.prepare(`
    SELECT address, minute, bytes, packets, flows FROM traffic
    WHERE address = ? AND minute >= ? AND minute < ? ORDER BY minute`)

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
        .map((row) => ({
          address: number(row, 'address'),
          minute: number(row, 'minute'),
          bytes: number(row, 'bytes'),
          packets: number(row, 'packets'),
          flows: number(row, 'flows'),
        }))
    },
  }
}
