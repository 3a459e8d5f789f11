// All secrets that are sealed, sealed again.
import type { Resealing } from '../../secrets/rekey.ts'
import type { Database } from '../database.ts'
import { blob, text } from '../rows.ts'

/** Where there are some, and whom each opens for. */
const places = [
  { table: 'second_factors', owner: 'user_id', sealed: 'sealed_secret' },
  { table: 'alert_channels', owner: 'id', sealed: 'sealed' },
] as const

export function createResealing(database: Database): Resealing {
  const statements = places.map(({ table, owner, sealed }) => ({
    select: database.prepare(`SELECT ${owner} AS owner, ${sealed} AS sealed FROM ${table} WHERE length(${sealed}) > 0`),
    update: database.prepare(`UPDATE ${table} SET ${sealed} = ? WHERE ${owner} = ?`),
  }))

  return {
    async resealAll(again) {
      return database.write(() => {
        const counts = { resealed: 0, left: 0 }
        for (const { select, update } of statements) {
          for (const row of select.all()) {
            const resealed = again(blob(row, 'sealed'), text(row, 'owner'))
            if (resealed !== null) update.run(resealed, text(row, 'owner'))
            counts[resealed === null ? 'left' : 'resealed']++
          }
        }
        return counts
      })
    },
  }
}
