// The endpoints of deliveries.
import { type Delivery, deliveryStates } from '../../alert/alert-store.ts'
import type { deliveryEndpoints } from '../../contract/alerts/deliveries.ts'
import { pageDeliveries } from '../../contract/limits.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { QueryReader } from '../http/query.ts'
import type { AlertParts } from './parts.ts'
import { presentAttempt, presentDelivery } from './present.ts'

const idLengthMax = 100

export function deliveryHandlers({ store, alerts }: AlertParts): Handlers<keyof typeof deliveryEndpoints> {
  const deliveryOf = async (userId: string, text: string): Promise<Delivery> => {
    const id = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0
    const [found] = await store.deliveriesOf(userId, { id, limit: 1 })
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
        before: reader.wholeNumber('before', { min: 1, max: Number.MAX_SAFE_INTEGER }),
      }
      reader.check()
      const found = await store.deliveriesOf(id, { ...filter, limit })
      const next = found.length < limit ? null : String(found[found.length - 1].id)
      return { body: { deliveries: found.map(presentDelivery), next } }
    },

    getDelivery: async ({ params }, { id }) => {
      const found = await deliveryOf(id, params.id)
      const outcomes = (await store.attemptsOf(id, found.id)).map(presentAttempt)
      return { body: { ...presentDelivery(found), outcomes } }
    },

    replayDelivery: async ({ params }, { id }) => {
      const replayed = await store.replay(id, { id: (await deliveryOf(id, params.id)).id })
      alerts.wake()
      return { body: { replayed } }
    },
  }
}
