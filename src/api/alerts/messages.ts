// The endpoint that says what a message would say.
import type { messageEndpoints } from '../../contract/alerts/messages.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import type { AlertParts } from './parts.ts'

export function messageHandlers({ store, alerts }: AlertParts): Handlers<keyof typeof messageEndpoints> {
  return {
    previewMessage: async ({ body }, { id: userId }) => {
      const { eventId, notice = 'started', ...reader } = body
      const event = eventId === undefined ? null : await store.eventById(userId, eventId)
      if (eventId !== undefined && event === null) throw new ProblemError('NOT_FOUND', 'The caller has no such event')
      const said = alerts.previews.preview(reader, { event, notice })
      if (Array.isArray(said)) throw new ProblemError('BAD_REQUEST', said[0]?.detail ?? 'It cannot be said', said)
      return { body: said }
    },
  }
}
