// Who sends next where there is not room for all: whoever has least under way, so that one user's receivers, however many and however slow they are, hold up
// nobody else's. Pure.
import type { Turn } from './alert-store.ts'

/** Messages under way at a time, of everybody. */
export const sendingMax = 64
/** The same of one user. */
export const sendingPerUser = 4
/** The same to channels whose latest attempts failed: most of those wait in vain, for 15 seconds each. */
export const sendingToFailing = 16

/** What an attempt under way takes part in. */
type UnderWay = Pick<Turn, 'userId' | 'isFailing'>

export function chooseTurns(turns: readonly Turn[], underWay: Iterable<UnderWay>): Turn[] {
  const byUser = new Map<string, number>()
  let [all, failing] = [0, 0]
  const count = ({ userId, isFailing }: UnderWay) => {
    byUser.set(userId, (byUser.get(userId) ?? 0) + 1)
    all++
    if (isFailing) failing++
  }
  for (const each of underWay) count(each)
  const queues = Map.groupBy(turns.toSorted(sooner), ({ userId }) => userId)
  const chosen: Turn[] = []
  // One of each user after the other, beginning with who has least under way.
  const users = [...queues.keys()].toSorted((a, b) => (byUser.get(a) ?? 0) - (byUser.get(b) ?? 0))
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const user of users) {
      const turn = queues.get(user)?.shift()
      if (turn === undefined || all >= sendingMax || (byUser.get(user) ?? 0) >= sendingPerUser) continue
      isDone = false
      if (turn.isFailing && failing >= sendingToFailing) continue
      chosen.push(turn)
      count(turn)
    }
  }
  return chosen
}

/** Channels that work first. */
function sooner(a: Turn, b: Turn): number {
  return Number(a.isFailing) - Number(b.isFailing) || a.dueMs - b.dueMs || a.deliveryId - b.deliveryId
}
