// Channels and rules of a file, written all or not at all.
import type { AlertStore } from '../../../alert/alert-store.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../database.ts'
import { type ChannelWrites, named } from './channels.ts'
import type { RuleWrites } from './rules.ts'

interface Writes {
  channels: ChannelWrites
  rules: RuleWrites
}

export function createImport(database: Database, { channels, rules }: Writes): Pick<AlertStore, 'importAlerts'> {
  return {
    async importAlerts(userId, { channels: wantedChannels, rules: wantedRules }, { channelsMax, rulesMax }) {
      let name = ''
      const write = () => {
        for (const each of wantedChannels) {
          name = each.isNew ? each.channel.name : (each.change.name ?? '')
          // A file with rules says which there are.
          if (each.isNew) channels.add(userId, each.channel, { max: channelsMax, withRule: wantedRules.length === 0 })
          const change = each.isNew ? { isDisabled: each.isDisabled } : each.change
          const id = each.isNew ? each.channel.id : each.id
          if (!each.isNew || each.isDisabled) there(channels.change(userId, id, change))
        }
        for (const each of wantedRules) {
          if (each.isNew) rules.add(userId, each.rule, rulesMax)
          else there(rules.change(userId, each.id, each.change))
        }
        const first = wantedRules.map((each) => (each.isNew ? each.rule.id : each.id))
        const others = rules.list(userId).filter((id) => !first.includes(id))
        if (first.length > 0) rules.order(userId, [...first, ...others])
      }
      named(
        () => name,
        () => database.write(write),
      )
    },
  }
}

/** What was there when the file was looked at may be gone. */
function there(changed: unknown): void {
  if (changed === null) throw new AppError('CONFLICT', 'channels or rules were deleted meanwhile')
}
