// All secrets that are sealed, sealed again.
import type { Resealing } from '../../secrets/rekey.ts'
import type { Database } from '../database.ts'
import { blob, text } from '../rows.ts'

/** Where there are some, and whom each opens for. */
const places = [
  { table: 'second_factors', owner: 'user_id', sealed: 'sealed_secret' },
  { table: 'alert_channels', owner: 'id', sealed: 'sealed' },
  { table: 'alert_closings', owner: 'channel_id', sealed: 'sealed' },
] as const

export function createResealing(database: Database): Resealing {
  const statements = places.map(({ table, owner, sealed }) => ({
    select: database.prepare(`SELECT ${owner} AS owner, ${sealed} AS sealed FROM ${table} WHERE length(${sealed}) > 0`),
    update: database.prepare(`UPDATE ${table} SET ${sealed} = ? WHERE ${owner} = ? AND ${sealed} = ?`),
  }))

  return {
    async resealAll(again) {
      return database.write(() => {
        const counts = { resealed: 0, left: 0 }
        for (const { select, update } of statements) {
          for (const row of select.all()) {
            const [sealed, owner] = [blob(row, 'sealed'), text(row, 'owner')]
            const resealed = again(sealed, owner)
            if (resealed !== null) update.run(resealed, owner, sealed)
            counts[resealed === null ? 'left' : 'resealed']++
          }
        }
        return counts
      })
    },
  }
}
