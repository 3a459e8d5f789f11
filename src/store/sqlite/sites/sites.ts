// Sites by user and canonical host: how they are added, changed and deleted.
import { quotaOf as quotaTakenBy } from '../../../access/host-record.ts'
import type { Clock } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import type { Sites } from '../../sites.ts'
import type { AddOutcome } from '../../store.ts'
import type { Database } from '../database.ts'
import { number } from '../rows.ts'

type SiteChanges = Pick<Sites, 'addSites' | 'setEnabled' | 'deleteSites' | 'sitesVersion'>

function statementsOf(database: Database) {
  return {
    siteExists: database.prepare('SELECT 1 FROM sites WHERE user_id = ? AND host = ?'),
    insertSite: database.prepare(
      'INSERT INTO sites (user_id, host, enabled, created_ms, watched_ms) VALUES (?1, ?2, 1, ?3, ?3)',
    ),
    // While it is disabled its addresses are none of the user's.
    updateEnabled: database.prepare(`
    UPDATE sites SET enabled = ?1, watched_ms = CASE WHEN enabled < ?1 THEN ?4 ELSE watched_ms END
    WHERE user_id = ?2 AND host = ?3`),
    deleteSite: database.prepare('DELETE FROM sites WHERE user_id = ? AND host = ?'),
  }
}

export function createSites(database: Database, clock: Clock): SiteChanges {
  const selectQuota = database.prepare('SELECT site_quota FROM users WHERE id = ?')
  // A network counts with as many as it has /24s: see access/host-record.ts.
  const countSites = database.prepare(`
    SELECT coalesce(sum(CASE WHEN host GLOB '*/1[6-9]' OR host GLOB '*/2[0-3]' THEN 1 << (24 - substr(host, -2)) ELSE 1 END), 0) AS sites
    FROM sites WHERE user_id = ?`)
  const { siteExists, insertSite, updateEnabled, deleteSite } = statementsOf(database)
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

    async setEnabled(userId, hosts, enabled) {
      const nowMs = clock.now()
      return changeEach(hosts, (host) => updateEnabled.run(enabled ? 1 : 0, userId, host, nowMs).changes !== 0)
    },

    async deleteSites(userId, hosts) {
      return changeEach(hosts, (host) => deleteSite.run(userId, host).changes !== 0)
    },

    async sitesVersion() {
      const row = database.read(() => selectVersion.get())
      return row === undefined ? 0 : number(row, 'version')
    },
  }
}
