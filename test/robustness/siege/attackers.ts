// Entry of the process of everybody who means harm: begins when it is told whom to attack, and ends with the channel to its parent.
import { constants, setPriority } from 'node:os'
import { sendFloods } from './datagrams.ts'
import { type Credentials, sendRequests } from './requests.ts'

export interface Attacked {
  url: string
  flowPort: number
  /** The tenant whose events are read in circles. */
  reader: Credentials
}

export interface Harm {
  datagrams: Record<string, number>
  answers: Record<string, Record<string, number>>
}

const end = new AbortController()
// They stand for machines elsewhere: what they compute should take as little as can be of the processors of the one that is attacked.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// Nobody is attacked for longer than the siege lives.
process.once('disconnect', () => process.exit())

process.once('message', async ({ url, flowPort, reader }: Attacked) => {
  process.once('message', () => end.abort())
  const [datagrams, answers] = await Promise.all([
    sendFloods(flowPort, end.signal),
    sendRequests({ url, reader }, end.signal),
  ])
  process.send?.({ datagrams, answers } satisfies Harm, () => process.disconnect())
})
