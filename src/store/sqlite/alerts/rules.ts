// Rules of users, in their order.
import { contentOf, firstRule, plainRule, type Rule, type RuleContent } from '../../../alert/rules/rule.ts'
import type { NewRule, RuleChange, RuleStore } from '../../../alert/rules/rule-store.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../database.ts'
import { json, number, type Row, text } from '../rows.ts'

function prepareStatements(database: Database) {
  return {
    list: database.prepare('SELECT * FROM alert_rules WHERE user_id = ? ORDER BY position'),
    own: database.prepare('SELECT * FROM alert_rules WHERE user_id = ? AND is_of_installation = 0 ORDER BY position'),
    ofInstallation: database.prepare(`
      SELECT r.* FROM alert_rules r JOIN users u ON u.id = r.user_id
      WHERE r.is_of_installation = 1 AND u.role = 'admin' ORDER BY r.user_id, r.position`),
    one: database.prepare('SELECT * FROM alert_rules WHERE user_id = ? AND id = ?'),
    last: database.prepare(
      'SELECT count(*) AS rules, coalesce(max(position), 0) AS position FROM alert_rules WHERE user_id = ?',
    ),
    insert: database.prepare(
      'INSERT INTO alert_rules (id, user_id, position, name, is_of_installation, content) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    update: database.prepare('UPDATE alert_rules SET name = ?, is_of_installation = ?, content = ? WHERE id = ?'),
    place: database.prepare('UPDATE alert_rules SET position = ? WHERE id = ?'),
    remove: database.prepare('DELETE FROM alert_rules WHERE user_id = ? AND id = ?'),
    due: database.prepare(
      'SELECT event_id, rule_id, due_ms FROM alert_reminders WHERE due_ms <= ? ORDER BY due_ms LIMIT ?',
    ),
    hasChannel: database.prepare('SELECT 1 FROM alert_channels WHERE user_id = ? LIMIT 1'),
  }
}

/** Within a transaction. */
export interface RuleWrites {
  /** Ids, in order. */
  list(userId: string): string[]
  add(userId: string, rule: NewRule, max: number): Rule
  change(userId: string, id: string, change: RuleChange): Rule | null
  /** False when these are not all rules of the user, each once. */
  order(userId: string, ids: readonly string[]): boolean
}

export function createRuleWrites(database: Database): RuleWrites {
  const statements = prepareStatements(database)
  const one = (userId: string, id: string): Rule | null => {
    const row = statements.one.get(userId, id)
    return row === undefined ? null : ruleFrom(row)
  }
  const list = (userId: string) => statements.list.all(userId).map((row) => text(row, 'id'))
  return {
    list,

    add(userId, rule, max) {
      const row = statements.last.get(userId) ?? {}
      if (number(row, 'rules') >= max) throw new AppError('CONFLICT', `a user has at most ${max} rules`)
      const { id, name } = rule
      const content = contentOf(rule)
      const cells = [id, userId, number(row, 'position') + 1, name, isOfInstallation(content)]
      statements.insert.run(...cells, JSON.stringify(content))
      return { id, userId, name, ...content }
    },

    change(userId, id, change) {
      const before = one(userId, id)
      if (before === null) return null
      const content = contentOf({ ...before, ...change })
      statements.update.run(change.name ?? before.name, isOfInstallation(content), JSON.stringify(content), id)
      return one(userId, id)
    },

    order(userId, ids) {
      const known = new Set(list(userId))
      if (ids.length !== known.size || !ids.every((id) => known.delete(id))) return false
      for (const [index, id] of ids.entries()) statements.place.run(index + 1, id)
      return true
    },
  }
}

export function createRules(database: Database, writes: RuleWrites): RuleStore {
  const statements = prepareStatements(database)

  return {
    async rulesOf(userId) {
      return database.read(() => statements.list.all(userId)).map(ruleFrom)
    },

    async rulesFor(userIds) {
      return database.read(() => {
        const own = userIds.flatMap((userId) => statements.own.all(userId))
        return [...own, ...statements.ofInstallation.all()].map(ruleFrom)
      })
    },

    async addRule(userId, rule, max) {
      return database.write(() => writes.add(userId, rule, max))
    },

    async changeRule(userId, id, change) {
      return database.write(() => writes.change(userId, id, change))
    },

    async deleteRule(userId, id) {
      return database.write(() => statements.remove.run(userId, id).changes > 0)
    },

    async orderRules(userId, ids) {
      return database.write(() => writes.order(userId, ids))
    },

    async dueReminders({ nowMs, limit }) {
      const rows = database.read(() => statements.due.all(nowMs, limit))
      return rows.map((row) => ({
        eventId: text(row, 'event_id'),
        ruleId: text(row, 'rule_id'),
        dueMs: number(row, 'due_ms'),
      }))
    },
  }
}

/** Within the transaction that makes the first channel of a user, before it is there: the rule by which it is told something. */
export function createFirstRule(database: Database): (userId: string, id: string) => void {
  const { list, hasChannel, insert } = prepareStatements(database)
  return (userId, id) => {
    if (list.get(userId) !== undefined || hasChannel.get(userId) !== undefined) return
    insert.run(id, userId, 1, firstRule.name, 0, JSON.stringify(plainRule))
  }
}

function isOfInstallation({ reach }: Pick<RuleContent, 'reach'>): number {
  return Number(reach === 'installation')
}

/** What a rule of an earlier version lacks is as in the first rule. */
export function ruleFrom(row: Row): Rule {
  const ids = { id: text(row, 'id'), userId: text(row, 'user_id'), name: text(row, 'name') }
  const reach = number(row, 'is_of_installation') === 1 ? 'installation' : 'own'
  return { ...plainRule, ...json<Partial<RuleContent>>(row, 'content'), reach, ...ids }
}
