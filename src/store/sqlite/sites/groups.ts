// Groups of sites.
import type { Clock } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import type { Group, Groups } from '../../groups.ts'
import type { Database } from '../database.ts'
import { isDuplicate } from '../errors.ts'
import { number, type Row, text } from '../rows.ts'

const groupsMax = 1_000

function prepareStatements(database: Database) {
  return {
    selectGroups: database.prepare(`
    SELECT id, name, created_ms,
      (SELECT count(*) FROM sites WHERE sites.user_id = site_groups.user_id AND group_id = site_groups.id) AS sites
    FROM site_groups WHERE user_id = ?1 AND (?2 IS NULL OR id = ?2) ORDER BY name_key`),
    countGroups: database.prepare('SELECT count(*) AS groups FROM site_groups WHERE user_id = ?'),
    insertGroup: database.prepare(
      'INSERT INTO site_groups (id, user_id, name, name_key, created_ms) VALUES (?, ?, ?, ?, ?)',
    ),
    updateGroup: database.prepare('UPDATE site_groups SET name = ?, name_key = ? WHERE user_id = ? AND id = ?'),
    deleteRow: database.prepare('DELETE FROM site_groups WHERE user_id = ? AND id = ?'),
    renameInSites: database.prepare('UPDATE sites SET group_name = ? WHERE user_id = ? AND group_id = ?'),
    clearInSites: database.prepare(`
    UPDATE sites SET group_id = NULL, group_name = '' WHERE user_id = ? AND group_id = ?`),
    updateSite: database.prepare('UPDATE sites SET group_id = ?, group_name = ? WHERE user_id = ? AND host = ?'),
    raiseVersion: database.prepare('UPDATE sites_version SET version = version + 1'),
  }
}

export function createGroups(database: Database, { clock, newId }: { clock: Clock; newId: () => string }): Groups {
  const statements = prepareStatements(database)
  /** Told as a conflict when there is a group of the name. */
  function writeName<T>(name: string, write: () => T): T {
    try {
      return database.write(write)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      throw new AppError('CONFLICT', `there is a group ${name} already`, { cause: error, reason: 'group-exists' })
    }
  }

  function groupOf(userId: string, id: string): Group | null {
    const row = statements.selectGroups.get(userId, id)
    return row === undefined ? null : groupFrom(row)
  }

  return {
    async listGroups(userId) {
      return database.read(() => statements.selectGroups.all(userId, null)).map(groupFrom)
    },

    async addGroup(userId, name) {
      const group: Group = { id: newId(), name, createdMs: clock.now(), siteCount: 0 }
      writeName(name, () => {
        const row = statements.countGroups.get(userId)
        if (row !== undefined && number(row, 'groups') >= groupsMax) {
          throw new AppError('CONFLICT', `a user has at most ${groupsMax} groups`, { reason: 'groups-max' })
        }
        statements.insertGroup.run(group.id, userId, name, keyOf(name), group.createdMs)
      })
      return group
    },

    async renameGroup(userId, id, name) {
      return writeName(name, () => {
        if (statements.updateGroup.run(name, keyOf(name), userId, id).changes === 0) return null
        // Sites know the name of their group. Of one without sites nobody's list is another.
        if (statements.renameInSites.run(name, userId, id).changes !== 0) statements.raiseVersion.run()
        return groupOf(userId, id)
      })
    },

    async deleteGroup(userId, id) {
      return database.write(() => {
        if (statements.clearInSites.run(userId, id).changes !== 0) statements.raiseVersion.run()
        return statements.deleteRow.run(userId, id).changes !== 0
      })
    },

    async setGroup(userId, hosts, groupId) {
      return database.write(() => {
        const group = groupId === null ? null : groupOf(userId, groupId)
        if (groupId !== null && group === null) throw new AppError('NOT_FOUND', 'there is no such group')
        const changed = hosts.map(
          (host) => statements.updateSite.run(groupId, group?.name ?? '', userId, host).changes !== 0,
        )
        if (changed.includes(true)) statements.raiseVersion.run()
        return changed
      })
    },
  }
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function groupFrom(row: Row): Group {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    createdMs: number(row, 'created_ms'),
    siteCount: number(row, 'sites'),
  }
}
