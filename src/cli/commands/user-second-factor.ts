// `floodgauge user reset-second-factor EMAIL`: for who has lost the authenticator and the recovery codes.
import type { Command } from 'commander'
import { changing, type DataOptions, requireUser, withData, withStore } from '../data.ts'
import { writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'

export function registerSecondFactor(user: Command): void {
  withData(
    user
      .command('reset-second-factor')
      .description('Take the second factor and the recovery codes of a user away: the password alone signs in'),
  )
    .argument('<EMAIL>')
    .action(reset)
}

async function reset(email: string, options: DataOptions): Promise<void> {
  const deleted = await withStore(options, async (store) => {
    const { id, email: object } = await requireUser(store, email)
    return changing(store, { kind: 'user reset-second-factor', object }, () => store.deleteSecondFactor(id))
  })
  if (options.json) return writeLine(JSON.stringify({ email, deleted }))
  await writeLine(`${printable(email)} ${deleted ? 'has no second factor any more' : 'had no second factor'}`)
}
