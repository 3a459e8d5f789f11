// Lists of sites. The text of a site is parsed here, once for each reading; nobody else parses it.
import { readHostRecord } from '../../../access/host-record.ts'
import type { Sites } from '../../sites.ts'
import type { Site } from '../../store.ts'
import type { Database } from '../database.ts'
import { number, type Row, text, textOrNull } from '../rows.ts'

type SiteListing = Pick<Sites, 'findSites' | 'bestSites' | 'listSites' | 'countSites' | 'sitesAmong' | 'enabledSites'>

const columns = 'user_id, host, enabled, created_ms, watched_ms, group_id, group_name'

export function createSiteListing(database: Database): SiteListing {
  const matching = `user_id = ?1 AND (?2 = '' OR instr(host, ?2) > 0 OR instr(lower(group_name), ?2) > 0)
    AND (?3 = 0 OR group_id IS ?4) AND (?5 IS NULL OR enabled = ?5)`
  const selectMatching = database.prepare(`
    SELECT ${columns} FROM sites WHERE ${matching} AND host > ?6 ORDER BY host LIMIT ?7`)
  const selectBest = database.prepare(`
    SELECT ${columns} FROM sites WHERE ${matching} ORDER BY
      CASE WHEN host = ?2 THEN 0 WHEN instr(host, ?2) = 1 THEN 1 WHEN instr(host, '.' || ?2) > 0 THEN 2
        WHEN instr(host, ?2) > 0 THEN 3 ELSE 4 END, host LIMIT ?6`)
  const countMatching = database.prepare(`SELECT count(*) AS sites FROM sites WHERE ${matching}`)
  const countAll = database.prepare('SELECT user_id, count(*) AS sites FROM sites GROUP BY user_id')
  const selectSites = database.prepare(`SELECT ${columns} FROM sites WHERE user_id = ? ORDER BY created_ms, host`)
  const selectSite = database.prepare(`SELECT ${columns} FROM sites WHERE user_id = ? AND host = ?`)
  const selectEnabled = database.prepare(`SELECT ${columns} FROM sites WHERE enabled = 1`)

  return {
    async listSites(userId) {
      return database.read(() => selectSites.all(userId)).map(siteFrom)
    },

    async findSites(userId, { filter, after, limit }) {
      const { text: part = '', groupId, enabled } = filter
      const isEnabled = enabled === undefined ? null : Number(enabled)
      const values = [userId, part, Number(groupId !== undefined), groupId ?? null, isEnabled] as const
      return database.read(() => {
        const row = countMatching.get(...values)
        return {
          sites: selectMatching.all(...values, after, limit).map(siteFrom),
          total: row === undefined ? 0 : number(row, 'sites'),
        }
      })
    },

    async bestSites(userId, text, limit) {
      return database.read(() => selectBest.all(userId, text, 0, null, null, limit)).map(siteFrom)
    },

    async countSites() {
      const rows = database.read(() => countAll.all())
      return new Map(rows.map((row) => [text(row, 'user_id'), number(row, 'sites')]))
    },

    async sitesAmong(userId, hosts) {
      return database.read(() => hosts.flatMap((host) => selectSite.all(userId, host))).map(siteFrom)
    },

    async enabledSites() {
      return database.read(() => selectEnabled.all()).map(siteFrom)
    },
  }
}

function siteFrom(row: Row): Site {
  const host = text(row, 'host')
  return {
    userId: text(row, 'user_id'),
    host,
    record: readHostRecord(host),
    enabled: number(row, 'enabled') !== 0,
    createdMs: number(row, 'created_ms'),
    watchedMs: number(row, 'watched_ms'),
    groupId: textOrNull(row, 'group_id'),
    groupName: text(row, 'group_name'),
  }
}
