// Channels of users: where they are told about attacks.
import type { AlertStore, AttemptResult, Channel, ChannelChange, NewChannel } from '../../../alert/alert-store.ts'
import { type ChannelHealth, goodHealth } from '../../../alert/attempts.ts'
import { heldByQuiet } from '../../../alert/rules/hold.ts'
import type { TimeWindow } from '../../../alert/rules/time-window.ts'
import type { Clock } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import { deletedPerChunk, untilDone } from '../chunks.ts'
import type { Database } from '../database.ts'
import { isDuplicate } from '../errors.ts'
import { blob, json, jsonOrNull, number, numberOrNull, type Row, text } from '../rows.ts'
import { createClosingWrites } from './ends/closings.ts'
import { createFirstRule } from './rules.ts'

type Verbs = Pick<
  AlertStore,
  'channelsOf' | 'channelById' | 'sealedChannels' | 'addChannel' | 'changeChannel' | 'deleteChannel'
>

function prepareStatements(database: Database) {
  return {
    select: database.prepare('SELECT * FROM alert_channels WHERE user_id = ? ORDER BY name_key'),
    selectById: database.prepare('SELECT * FROM alert_channels WHERE id = ?'),
    selectSealed: database.prepare(`
      SELECT sealed FROM alert_channels WHERE length(sealed) > 0
      UNION ALL SELECT sealed FROM alert_closings WHERE length(sealed) > 0`),
    selectOne: database.prepare('SELECT * FROM alert_channels WHERE user_id = ? AND id = ?'),
    count: database.prepare('SELECT count(*) AS channels FROM alert_channels WHERE user_id = ?'),
    insert: database.prepare(`
    INSERT INTO alert_channels (id, user_id, kind, name, name_key, settings, sealed, created_ms, quiet)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    update: database.prepare(`
    UPDATE alert_channels SET name = ?, name_key = ?, settings = ?, sealed = ?, failures = ?, failing_since_ms = ?,
      closed_until_ms = ?, quiet = ?, old_secret_until_ms = ?, is_disabled = ?, version = version + ? WHERE id = ?`),
    lookAgain: database.prepare(
      `UPDATE deliveries SET due_ms = ? WHERE channel_id = ? AND state = 'held' AND held_by = '${heldByQuiet}'`,
    ),
    // Nothing is sent from then on, and no attempt that is under way turns it on again.
    turnOff: database.prepare(`
      UPDATE alert_channels SET is_disabled = 1, failing_since_ms = NULL, version = version + 1 WHERE id = ?`),
    deleteSome: database.prepare(`
      DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE channel_id = ? LIMIT ${deletedPerChunk})`),
    remove: database.prepare('DELETE FROM alert_channels WHERE user_id = ? AND id = ?'),
  }
}

/** Within a transaction. */
export interface ChannelWrites {
  /** `withRule`: who has neither channels nor rules gets a first rule with it. */
  add(userId: string, channel: NewChannel, given: { max: number; withRule: boolean }): Channel
  change(userId: string, id: string, change: ChannelChange): Channel | null
}

export function createChannelWrites(
  database: Database,
  { clock, newId }: { clock: Clock; newId: () => string },
): ChannelWrites {
  const makeFirstRule = createFirstRule(database)
  const { selectOne, count, insert, update, lookAgain } = prepareStatements(database)
  const closings = createClosingWrites(database)
  const one = (userId: string, id: string): Channel | null => {
    const row = selectOne.get(userId, id)
    return row === undefined ? null : channelFrom(row)
  }
  return {
    add(userId, { id, kind, name, settings, sealed, quiet = null }, { max, withRule }) {
      const createdMs = clock.now()
      if (number(count.get(userId) ?? {}, 'channels') >= max)
        throw new AppError('CONFLICT', `a user has at most ${max} channels`, { reason: 'channels-max' })
      if (withRule) makeFirstRule(userId, newId())
      const cells = [id, userId, kind, name, keyOf(name), JSON.stringify(settings), sealed, createdMs]
      insert.run(...cells, jsonText(quiet))
      const given = { id, userId, kind, name, settings, sealed, createdMs, quiet }
      return { ...given, oldSecretUntilMs: null, health: goodHealth, version: 0, last: null }
    },

    change(userId, id, { fromVersion, ...change }) {
      const before = one(userId, id)
      if (before === null) return null
      if (fromVersion !== undefined && fromVersion !== before.version)
        throw new AppError('CONFLICT', 'the channel was changed meanwhile', { reason: 'channel-changed' })
      if (change.settings !== undefined || change.sealed !== undefined) closings.ofPlace(id, clock.now())
      const isFresh = beginsAfresh(change)
      const health = isFresh ? healthAfter(before.health, change) : before.health
      const { name, settings, sealed, quiet, oldSecretUntilMs } = { ...before, ...change }
      const { failures, failingSinceMs, closedUntilMs } = health
      const cells = [name, keyOf(name), JSON.stringify(settings), sealed, failures, failingSinceMs, closedUntilMs]
      update.run(...cells, jsonText(quiet), oldSecretUntilMs, Number(health.isDisabled), Number(isFresh), id)
      if (change.quiet !== undefined) lookAgain.run(clock.now(), id)
      return one(userId, id)
    },
  }
}

/** Told as a conflict when the user has a channel of the name. */
export function named<T>(nameOf: () => string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const name = nameOf()
    throw new AppError('CONFLICT', `there is a channel ${name} already`, { cause: error, reason: 'channel-exists' })
  }
}

export function createChannels(database: Database, { clock, writes }: { clock: Clock; writes: ChannelWrites }): Verbs {
  const { select, selectById, selectOne, selectSealed, turnOff, deleteSome, remove } = prepareStatements(database)
  const closings = createClosingWrites(database)
  const deleteDeliveries = (id: string) =>
    untilDone(() => database.write(() => Number(deleteSome.run(id).changes), { durable: false }) || null)

  return {
    async channelsOf(userId) {
      return database.read(() => select.all(userId)).map(channelFrom)
    },

    async channelById(id) {
      const row = database.read(() => selectById.get(id))
      return row === undefined ? null : channelFrom(row)
    },

    async sealedChannels() {
      return database.read(() => selectSealed.all()).map((row) => blob(row, 'sealed'))
    },

    async addChannel(userId, channel, max) {
      const write = () => writes.add(userId, channel, { max, withRule: true })
      return named(
        () => channel.name,
        () => database.write(write),
      )
    },

    async changeChannel(userId, id, change) {
      return named(
        () => change.name ?? '',
        () => database.write(() => writes.change(userId, id, change)),
      )
    },

    async deleteChannel(userId, id) {
      const isThere = database.write(() => {
        if (selectOne.get(userId, id) === undefined) return false
        closings.ofChannel(id, clock.now())
        turnOff.run(id)
        return true
      })
      if (!isThere) return false
      await deleteDeliveries(id)
      return database.write(() => remove.run(userId, id).changes > 0)
    },
  }
}

/** It sends elsewhere, or is turned on or off: what came of attempts before says nothing about it. */
function beginsAfresh({ settings, sealed, isDisabled }: ChannelChange): boolean {
  return settings !== undefined || sealed !== undefined || isDisabled !== undefined
}

/** What its receiver has turned off is on again; what its user has turned off stays so. */
function healthAfter(before: ChannelHealth, { isDisabled }: ChannelChange): ChannelHealth {
  const isOff = before.isDisabled && before.failingSinceMs === null
  return { ...goodHealth, isDisabled: isDisabled ?? isOff }
}

function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

function keyOf(name: string): string {
  return name.toLowerCase()
}

function channelFrom(row: Row): Channel {
  return {
    id: text(row, 'id'),
    userId: text(row, 'user_id'),
    kind: text(row, 'kind'),
    name: text(row, 'name'),
    settings: json(row, 'settings'),
    sealed: blob(row, 'sealed'),
    oldSecretUntilMs: numberOrNull(row, 'old_secret_until_ms'),
    createdMs: number(row, 'created_ms'),
    quiet: jsonOrNull<TimeWindow>(row, 'quiet'),
    health: {
      failures: number(row, 'failures'),
      failingSinceMs: numberOrNull(row, 'failing_since_ms'),
      closedUntilMs: number(row, 'closed_until_ms'),
      isDisabled: number(row, 'is_disabled') === 1,
    },
    version: number(row, 'version'),
    last: jsonOrNull<AttemptResult>(row, 'last'),
  }
}
