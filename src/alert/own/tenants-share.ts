// Channels of users that fail, as far as admins are told: one of each user at a time, and another one an hour after that was over. A user whose receiver fails now
// and then would ring the pagers of all admins else.
import type { Condition } from './condition.ts'
import type { Listener } from './destinations.ts'

const pauseMs = 3_600_000

export class TenantsShare {
  /** When a user's channel failed last, of those that admins know about. A restart forgets it. */
  readonly #lastMs = new Map<string, number>()

  /** Those about which admins are not told now, by id. */
  keptFromAdmins(conditions: readonly Condition[], listeners: readonly Listener[], nowMs: number): Set<string> {
    const admins = listeners.filter(({ isAdmin }) => isAdmin)
    const adminIds = new Set(admins.map(({ userId }) => userId))
    const channelIds = new Set(admins.flatMap(({ channels }) => channels.map(({ id }) => id)))
    for (const [userId, lastMs] of this.#lastMs)
      if (nowMs < lastMs || nowMs - lastMs >= pauseMs) this.#lastMs.delete(userId)
    const ofUsers = conditions.filter(
      ({ type, owner }) => type === 'channel.failing' && !adminIds.has(owner?.userId ?? ''),
    )
    const kept = new Set<string>()
    for (const [userId, ofUser] of Map.groupBy(ofUsers, ({ owner }) => owner?.userId ?? '')) {
      const known = ofUser.filter(({ told }) => told.some((id) => channelIds.has(id)))
      for (const { overMs } of known) this.#lastMs.set(userId, Math.max(overMs ?? nowMs, this.#lastMs.get(userId) ?? 0))
      const open = ofUser.filter(({ overMs }) => overMs === null)
      const chosen = open.find((each) => known.includes(each)) ?? (this.#lastMs.has(userId) ? undefined : open[0])
      for (const { id } of open) if (id !== chosen?.id) kept.add(id)
    }
    return kept
  }
}
