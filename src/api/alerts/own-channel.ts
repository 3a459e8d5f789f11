// The channel that a request names, if it is the caller's.
import type { AlertStore, Channel } from '../../alert/alert-store.ts'
import { ProblemError } from '../http/problem.ts'

export function noChannel(): ProblemError {
  return new ProblemError('NOT_FOUND', 'The caller has no such channel')
}

/** Throws NOT_FOUND where the user has no such channel. */
export async function ownChannel(store: Pick<AlertStore, 'channelsOf'>, userId: string, id: string): Promise<Channel> {
  const channel = (await store.channelsOf(userId)).find((each) => each.id === id)
  if (channel === undefined) throw noChannel()
  return channel
}
