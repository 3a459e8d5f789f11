// The endpoint that says what a message would say.
import type { messageEndpoints } from '../../contract/alerts/messages.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError, withoutFaults } from '../http/problem.ts'
import type { AlertParts } from './parts.ts'

export function messageHandlers({ store, alerts }: AlertParts): Handlers<keyof typeof messageEndpoints> {
  return {
    previewMessage: async ({ body }, { id: userId }) => {
      const { eventId, notice = 'started', ...reader } = body
      const event = eventId === undefined ? null : await store.eventById(userId, eventId)
      if (eventId !== undefined && event === null) throw new ProblemError('NOT_FOUND', 'The caller has no such event')
      return { body: withoutFaults(alerts.previews.preview(reader, { event, notice })) }
    },
  }
}
