// The endpoints of the secrets of channels.
import type { secretEndpoints } from '../../contract/alerts/secrets.ts'
import type { Handlers } from '../http/endpoints.ts'
import { refusal } from '../http/problem.ts'
import { changeOwn } from './own-channel.ts'
import type { AlertParts } from './parts.ts'
import { presentedFor } from './shown.ts'

export function secretHandlers(parts: AlertParts): Handlers<keyof typeof secretEndpoints> {
  const { store, alerts } = parts
  return {
    rotateSecret: async ({ params }, caller) => {
      let secret = ''
      const channel = await changeOwn(store, { userId: caller.id, id: params.id }, async (before) => {
        const rotated = alerts.channels.rotate(before)
        if (rotated === null) throw refusal('no-own-secret', 'CONFLICT', 'The channel has no secret that is made here')
        const { made, ...change } = rotated
        secret = made
        return change
      })
      alerts.wake()
      return { body: { channel: await presentedFor(parts, caller)(channel), secret } }
    },
  }
}
