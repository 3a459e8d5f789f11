// `floodgauge proof list`: what the users of a running service prove to control, for its operator.
import type { Command } from 'commander'
import type { Proof } from '../../../client/index.ts'
import { type RemoteOptions, withClient, withRemote } from '../remote.ts'
import { type Column, formatTime, tableHead, tableRow, writeLine } from '../text/output.ts'

const columns: Column<Proof>[] = [
  { title: 'USER', width: 32, text: ({ userEmail }) => userEmail },
  { title: 'STATE', width: 10, text: ({ state, misses }) => (state === 'missed' ? `missed ${misses}` : state) },
  {
    title: 'LAST THERE (UTC)',
    width: 19,
    text: ({ confirmedAt }) => (confirmedAt === null ? '-' : formatTime(confirmedAt)),
  },
  { title: 'RECORD', width: 0, text: ({ recordName }) => recordName },
]

export function registerProof(program: Command): void {
  const proof = program.command('proof').description('What users prove to control')
  withRemote(proof.command('list').description('List the proofs of all users (scope admin)')).action(listProofs)
}

async function listProofs(options: RemoteOptions): Promise<void> {
  const proofs = await withClient(options, (client) => client.listProofs())
  if (!options.json) await writeLine(tableHead(columns))
  for (const each of proofs) await writeLine(options.json ? JSON.stringify(each) : tableRow(columns, each))
}
