// A program of this machine, a hook of the configuration: whoever owns the machine names it there, and admins choose which of their messages run it.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { closed } from '../../contract/shapes.ts'
import { type ChannelFault, type ChannelKind, unsent } from './kind.ts'
import { webhookBody } from './webhook.ts'

const settings = Type.Object(
  {
    hook: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      description: 'The name of a hook of the configuration, `alerts.hooks`.',
    }),
  },
  closed,
)

export const exec: ChannelKind = {
  kind: 'exec',
  title: 'A program of this machine',
  proof: 'Apprise 1.2, programs of the tests',
  audience: 'programs',
  latestOnly: false,
  paceMs: 0,
  hasOwnLimits: true,
  settings,
  secrets: Type.Object({}, closed),
  complete: () => ({ secrets: {}, made: null }),
  places: () => [],
  faults(given, { reach }, { hooks }) {
    if (!Value.Check(settings, given)) return []
    if (reach !== 'any') return [fault('Only admins may run programs')]
    return hooks.has(given.hook) ? [] : [fault('The configuration has no hook of this name')]
  },
  async send(message, { settings: given, reach, installation: { hooks, publicUrl }, channelId, signal }) {
    if (!Value.Check(settings, given)) return unsent('settings', 'its settings are not complete')
    if (reach !== 'any') return unsent('rights', 'only admins may run programs')
    return hooks.run(given.hook, message, { publicUrl, channelId, json: webhookBody(message), signal })
  },
  async close(thread, { settings: given, installation: { hooks }, channelId, signal }) {
    if (!Value.Check(settings, given)) return unsent('settings', 'its settings are not complete')
    return hooks.release(given.hook, { channelId, eventId: thread, signal })
  },
}

function fault(detail: string): ChannelFault {
  return { pointer: '/settings/hook', detail }
}
