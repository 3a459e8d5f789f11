// The endpoints of the secrets of channels.
import type { secretEndpoints } from '../../contract/alerts/secrets.ts'
import type { Handlers } from '../http/endpoints.ts'
import { refusal } from '../http/problem.ts'
import { noChannel, ownChannel } from './own-channel.ts'
import type { AlertParts } from './parts.ts'
import { presentedFor } from './shown.ts'

export function secretHandlers(parts: AlertParts): Handlers<keyof typeof secretEndpoints> {
  const { store, alerts } = parts
  return {
    rotateSecret: async ({ params }, caller) => {
      const rotated = alerts.channels.rotate(await ownChannel(store, caller.id, params.id))
      if (rotated === null) throw refusal('no-own-secret', 'CONFLICT', 'The channel has no secret that is made here')
      const { made, ...change } = rotated
      const channel = await store.changeChannel(caller.id, params.id, change)
      if (channel === null) throw noChannel()
      alerts.wake()
      return { body: { channel: await presentedFor(parts, caller)(channel), secret: made } }
    },
  }
}
