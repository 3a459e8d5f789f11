// `floodgauge alert address ...`: addresses of mail that have to be confirmed before alerts are sent there.
import type { Command } from 'commander'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'

interface ConfirmOptions extends RemoteOptions {
  user: string
}

export function registerAddresses(alert: Command): void {
  const address = alert.command('address').description('Have addresses of mail confirmed')
  withRemote(address.command('ask').description('Send another confirming mail to the addresses of a channel'))
    .argument('<ID>', 'the id of the channel')
    .action(askConfirmation)
  withRemote(address.command('confirm').description('Confirm an address for a user, in place of whoever reads it'))
    .argument('<ADDRESS>', 'the address to be sent to')
    .requiredOption('--user <EMAIL>', 'the user whose channels send there')
    .action(confirmAddress)
}

async function askConfirmation(id: string, options: RemoteOptions): Promise<void> {
  const channel = await withClient(options, (client) => client.call('askConfirmation', { params: { id } }))
  if (options.json) return writeLine(JSON.stringify(channel))
  const names = channel.unconfirmed.map(({ address }) => printable(address))
  await writeLine(names.length === 0 ? 'no address of it waits' : `asked ${names.join(', ')}`)
}

async function confirmAddress(address: string, { user, ...options }: ConfirmOptions): Promise<void> {
  const body = { user, address }
  const confirmed = await withClient(options, (client) => client.call('confirmAddress', { body }))
  if (options.json) return writeLine(JSON.stringify(confirmed))
  await writeLine(`channels of ${printable(confirmed.by)} may send to ${printable(confirmed.address)}`)
}
