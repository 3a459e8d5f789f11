// The kinds of channels: a new one is a file beside this and a row here.
import type { ChannelKind } from './kind.ts'
import { webhook } from './webhook.ts'

export const channelKinds: ReadonlyMap<string, ChannelKind> = new Map([webhook].map((kind) => [kind.kind, kind]))
