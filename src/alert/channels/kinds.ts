// The kinds of channels: a new one is a file beside this and a row here.
import type { Audience } from '../attempts.ts'
import { alertmanager } from './alertmanager.ts'
import { mattermost, rocketChat } from './attachments.ts'
import { discord } from './discord.ts'
import { exec } from './exec.ts'
import type { ChannelKind } from './kind.ts'
import { mail } from './mail.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerduty } from './pagerduty.ts'
import { gotify, ntfy } from './push.ts'
import { slack } from './slack.ts'
import { syslog } from './syslog.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

const rows: readonly ChannelKind[] = [
  ...[webhook, mail, slack, mattermost, rocketChat, discord, teams, telegram, ntfy, gotify],
  ...[pagerduty, opsgenie, alertmanager, syslog, exec],
]

/** Who reads it; one that this version does not know sends nothing. */
export function audienceOf(kind: string): Audience {
  return channelKinds.get(kind)?.audience ?? 'programs'
}

/** Whether it wakes people, or leads to what does: it has incidents, and nobody reads it by day. */
export function isPager(kind: string): boolean {
  return channelKinds.get(kind)?.incidentsOnly === true
}

export const channelKinds: ReadonlyMap<string, ChannelKind> = new Map(rows.map((row) => [row.kind, row]))
