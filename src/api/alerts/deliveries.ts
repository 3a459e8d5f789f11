// The endpoints of deliveries.
import { deliveryStates, type ListedDelivery } from '../../alert/alert-store.ts'
import type { deliveryEndpoints } from '../../contract/alerts/deliveries.ts'
import { pageDeliveries } from '../../contract/limits.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError, refusal } from '../http/problem.ts'
import { QueryReader } from '../http/query.ts'
import type { AlertParts } from './parts.ts'
import { deliveryId, presentAttempt, presentDelivery, readDeliveryId } from './present.ts'

const idLengthMax = 100
const toldSince =
  'A later message of the same attack says the opposite: sent after it, this one would be taken for news'

export function deliveryHandlers({ store, alerts }: AlertParts): Handlers<keyof typeof deliveryEndpoints> {
  const deliveryOf = async (userId: string, text: string): Promise<ListedDelivery> => {
    const wanted = readDeliveryId(text)
    const [found] = wanted === null ? [] : await store.deliveriesOf(userId, { ...wanted, limit: 1 })
    if (found === undefined) throw new ProblemError('NOT_FOUND', 'The caller has no such delivery')
    return found
  }

  return {
    listDeliveries: async ({ query }, { id }) => {
      const reader = new QueryReader(query)
      const limit = reader.wholeNumber('limit', pageDeliveries) ?? pageDeliveries.default
      const filter = {
        eventId: reader.text('event', idLengthMax),
        channelId: reader.text('channel', idLengthMax),
        state: reader.word('state', deliveryStates),
      }
      const before = reader.text('before', idLengthMax)
      reader.check()
      const from = before === null ? null : (await deliveryOf(id, before)).id
      const found = await store.deliveriesOf(id, { ...filter, before: from, limit })
      const next = found.length < limit ? null : deliveryId(found[found.length - 1])
      return { body: { deliveries: found.map(presentDelivery), next } }
    },

    getDelivery: async ({ params }, { id }) => {
      const found = await deliveryOf(id, params.id)
      const outcomes = (await store.attemptsOf(id, found.id)).map(presentAttempt)
      return { body: { ...presentDelivery(found), outcomes } }
    },

    replayDelivery: async ({ params }, { id }) => {
      const outcome = await store.replay(id, { id: (await deliveryOf(id, params.id)).id })
      if (outcome.leftOut > 0) throw refusal('told-since', 'CONFLICT', toldSince)
      alerts.wake()
      alerts.onChanged(id)
      return { body: outcome }
    },
  }
}
