// The endpoints of channels.
import { merged } from '../../alert/merged.ts'
import { isTimeZone, type TimeWindow } from '../../alert/rules/time-window.ts'
import type { channelEndpoints } from '../../contract/alerts/channels.ts'
import type { Handlers } from '../http/endpoints.ts'
import { type ProblemErrors, refuseFaults, withoutFaults } from '../http/problem.ts'
import { changeOwn, noChannel, ownChannel } from './own-channel.ts'
import type { AlertParts } from './parts.ts'
import { presentAttempt } from './present.ts'
import { presentedAll, presentedFor } from './shown.ts'

export const channelsMax = 200

export function channelHandlers(parts: AlertParts): Handlers<keyof typeof channelEndpoints> {
  const { store, alerts } = parts
  const channelOf = (userId: string, id: string) => ownChannel(store, userId, id)

  return {
    listChannelKinds: async () => ({
      body: { kinds: alerts.channels.kinds().map((kind) => ({ ...kind })), places: alerts.previews.places() },
    }),

    listChannels: async (_input, caller) => ({
      body: { channels: await presentedAll(parts, caller, await store.channelsOf(caller.id)) },
    }),

    addChannel: async ({ body: { name, kind, settings, secrets = {}, quiet = null } }, caller) => {
      refuseFaults(timeZoneFaults(quiet))
      const { made, ...sealed } = withoutFaults(await alerts.channels.make({ kind, settings, secrets }, caller))
      const channel = await store.addChannel(
        caller.id,
        { ...sealed, kind, name: name.trim(), settings, quiet },
        channelsMax,
      )
      await alerts.confirmations.askNew(caller, channel)
      alerts.onChanged(caller.id)
      return { body: { channel: await presentedFor(parts, caller)(channel), secret: made } }
    },

    changeChannel: async ({ params, body: { secrets, settings: changed, ...change } }, caller) => {
      refuseFaults(timeZoneFaults(change.quiet ?? null))
      const channel = await changeOwn(store, { userId: caller.id, id: params.id }, async (before) => {
        const settings = merged(before.settings, changed ?? {})
        const sealed = withoutFaults(await alerts.channels.change(before, { settings, secrets }, caller))
        return { ...change, ...sealed, ...(changed !== undefined && { settings }) }
      })
      await alerts.confirmations.askNew(caller, channel)
      alerts.wake()
      alerts.onChanged(caller.id)
      return { body: await presentedFor(parts, caller)(channel) }
    },

    deleteChannel: async ({ params }, caller) => {
      const deleted = await store.deleteChannel(caller.id, params.id)
      if (!deleted) throw noChannel()
      alerts.onChanged(caller.id)
      return { body: { deleted } }
    },

    testChannel: async ({ params }, caller) => ({
      body: presentAttempt(await alerts.channels.test(await channelOf(caller.id, params.id))),
    }),

    replayChannel: async ({ params }, caller) => {
      const { id: channelId } = await channelOf(caller.id, params.id)
      const outcome = await store.replay(caller.id, { channelId, state: 'dead' })
      alerts.wake()
      alerts.onChanged(caller.id)
      return { body: outcome }
    },
  }
}

export function timeZoneFaults(quiet: TimeWindow | null): ProblemErrors {
  if (quiet === null || isTimeZone(quiet.timeZone)) return []
  return [{ pointer: '/quiet/timeZone', detail: 'There is no such time zone' }]
}
