// The endpoint of the installation's own conditions. A user sees those that are about channels and sites of one's own; admins see all.
import { type Condition, conditionKinds } from '../../alert/own/condition.ts'
import type { conditionEndpoints, Condition as WireCondition } from '../../contract/alerts/conditions.ts'
import { formatTime } from '../../contract/time.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { QueryReader } from '../http/query.ts'
import type { AlertParts } from './parts.ts'

export function conditionHandlers({ store }: AlertParts): Handlers<keyof typeof conditionEndpoints> {
  return {
    listConditions: async ({ query, scopes }, { id: userId }) => {
      const reader = new QueryReader(query)
      const isOfAll = reader.word('of', ['installation']) !== null
      reader.check()
      if (isOfAll && !scopes.includes('admin'))
        throw new ProblemError('FORBIDDEN', 'What is of the installation needs an admin, with the scope `admin`')
      const names = new Map((await store.channelsOf(userId)).map(({ id, name }) => [id, name]))
      const found = (await store.conditions()).filter(
        (each) => isListed(each) && (isOfAll || each.owner?.userId === userId),
      )
      return { body: { conditions: found.map((each) => present(each, { names, isOfAll, userId })) } }
    },
  }
}

/** What is over waits only for those who still have to hear of that. */
function isListed({ type, overMs }: Condition): boolean {
  return overMs === null || conditionKinds[type].over === null
}

function present(
  { id, type, subject, detail, sinceMs, untilMs, owner, told }: Condition,
  { names, isOfAll, userId }: { names: ReadonlyMap<string, string>; isOfAll: boolean; userId: string },
): WireCondition {
  const own = told.flatMap((channelId) => {
    const channel = names.get(channelId)
    return channel === undefined ? [] : [{ channelId, channel }]
  })
  const failing = owner?.exceptChannelId ?? null
  return {
    ...{ id, type, subject, detail, severity: conditionKinds[type].severity },
    since: formatTime(sinceMs),
    until: untilMs === null ? null : formatTime(untilMs),
    channelId: failing !== null && names.has(failing) ? failing : null,
    site: type === 'site.proof_missing' && owner?.userId === userId ? subject : null,
    told: own,
    toldOthers: isOfAll ? told.length - own.length : 0,
  }
}
