// `floodgauge user reset-second-factor EMAIL`: for who has lost the authenticator and the recovery codes. `floodgauge user forget-sign-on EMAIL`: for who
// is somebody else at the provider of single sign-on now.
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
  withData(
    user
      .command('forget-sign-on')
      .description('Unbind a user from the provider of single sign-on, and end the sessions that it began'),
  )
    .argument('<EMAIL>')
    .action(forgetSignOn)
}

async function reset(email: string, options: DataOptions): Promise<void> {
  const deleted = await withStore(options, async (store) => {
    const { id, email: object } = await requireUser(store, email)
    return changing(store, { kind: 'user reset-second-factor', object }, () => store.deleteSecondFactor(id))
  })
  if (options.json) return writeLine(JSON.stringify({ email, deleted }))
  await writeLine(`${printable(email)} ${deleted ? 'has no second factor any more' : 'had no second factor'}`)
}

async function forgetSignOn(email: string, options: DataOptions): Promise<void> {
  const deleted = await withStore(options, async (store) => {
    const { id, email: object } = await requireUser(store, email)
    return changing(store, { kind: 'user forget-sign-on', object }, () => store.deleteIdentities(id))
  })
  if (options.json) return writeLine(JSON.stringify({ email, deleted }))
  await writeLine(`${printable(email)} ${deleted ? 'is bound to no provider any more' : 'was bound to no provider'}`)
}
