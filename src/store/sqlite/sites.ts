// Sites by user and canonical host. The text of a site is parsed here, once for each reading; nobody else parses it.

import { quotaOf as quotaTakenBy, readHostRecord } from '../../access/host-record.ts'
import { AppError } from '../../errors.ts'
import type { AddOutcome, Site, Store } from '../store.ts'
import type { Database } from './database.ts'
import { number, type Row, text, textOrNull } from './rows.ts'

type Sites = Pick<
  Store,
  | 'addSites'
  | 'findSites'
  | 'bestSites'
  | 'listSites'
  | 'countSites'
  | 'sitesAmong'
  | 'setEnabled'
  | 'deleteSites'
  | 'enabledSites'
  | 'sitesVersion'
>

const columns = 'user_id, host, enabled, created_ms, group_id, group_name'

export function createSites(database: Database): Sites {
  const selectQuota = database.prepare('SELECT site_quota FROM users WHERE id = ?')
  // A network counts with as many as it has /24s: see access/host-record.ts.
  const countSites = database.prepare(`
    SELECT coalesce(sum(CASE WHEN host GLOB '*/1[6-9]' OR host GLOB '*/2[0-3]' THEN 1 << (24 - substr(host, -2)) ELSE 1 END), 0) AS sites
    FROM sites WHERE user_id = ?`)
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
  const siteExists = database.prepare('SELECT 1 FROM sites WHERE user_id = ? AND host = ?')
  const insertSite = database.prepare('INSERT INTO sites (user_id, host, enabled, created_ms) VALUES (?, ?, 1, ?)')
  const selectSites = database.prepare(`SELECT ${columns} FROM sites WHERE user_id = ? ORDER BY created_ms, host`)
  const selectSite = database.prepare(`SELECT ${columns} FROM sites WHERE user_id = ? AND host = ?`)
  const selectEnabled = database.prepare(`SELECT ${columns} FROM sites WHERE enabled = 1`)
  const updateEnabled = database.prepare('UPDATE sites SET enabled = ? WHERE user_id = ? AND host = ?')
  const deleteSite = database.prepare('DELETE FROM sites WHERE user_id = ? AND host = ?')
  const selectVersion = database.prepare('SELECT version FROM sites_version')
  const raiseVersion = database.prepare('UPDATE sites_version SET version = version + 1')

  /** One transaction over the hosts; the version rises when it changed anything. `change` says whether it did, of each host. */
  function changeEach(hosts: string[], change: (host: string) => boolean): boolean[] {
    if (hosts.length === 0) return []
    return database.write(() => {
      const changed = hosts.map(change)
      if (changed.includes(true)) raiseVersion.run()
      return changed
    })
  }

  function quotaOf(userId: string): number {
    const row = selectQuota.get(userId)
    if (row === undefined) throw new AppError('NOT_FOUND', 'there is no such user')
    return number(row, 'site_quota')
  }

  function sitesOf(userId: string): number {
    const row = countSites.get(userId)
    return row === undefined ? 0 : number(row, 'sites')
  }

  return {
    async addSites(userId, hosts, atMs) {
      return database.write(() => {
        const quota = quotaOf(userId)
        const before = sitesOf(userId)
        let sites = before
        const outcomes = hosts.map((host): AddOutcome => {
          if (siteExists.get(userId, host) !== undefined) return 'exists'
          const weight = quotaTakenBy(host)
          if (sites + weight > quota) return 'over-quota'
          insertSite.run(userId, host, atMs)
          sites += weight
          return 'added'
        })
        if (sites > before) raiseVersion.run()
        return outcomes
      })
    },

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

    async setEnabled(userId, hosts, enabled) {
      return changeEach(hosts, (host) => updateEnabled.run(enabled ? 1 : 0, userId, host).changes !== 0)
    },

    async deleteSites(userId, hosts) {
      return changeEach(hosts, (host) => deleteSite.run(userId, host).changes !== 0)
    },

    async enabledSites() {
      return database.read(() => selectEnabled.all()).map(siteFrom)
    },

    async sitesVersion() {
      const row = database.read(() => selectVersion.get())
      return row === undefined ? 0 : number(row, 'version')
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
    groupId: textOrNull(row, 'group_id'),
    groupName: text(row, 'group_name'),
  }
}
