// The channel that a request names, if it is the caller's.
import type { AlertStore, Channel, ChannelChange } from '../../alert/alert-store.ts'
import { AppError } from '../../errors.ts'
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

/** Other changes that may come in between. */
const repeatsMax = 4

/**
 * Changes a channel by what it is. Names are looked up before it is written, so that somebody else may change it meanwhile: then the change is made again, from what the
 * channel is by then.
 */
export async function changeOwn(
  store: Pick<AlertStore, 'channelsOf' | 'changeChannel'>,
  { userId, id }: { userId: string; id: string },
  changeOf: (before: Channel) => Promise<ChannelChange>,
): Promise<Channel> {
  for (let repeats = 0; ; repeats++) {
    const before = await ownChannel(store, userId, id)
    const change = await changeOf(before)
    try {
      const channel = await store.changeChannel(userId, id, { ...change, fromVersion: before.version })
      if (channel === null) throw noChannel()
      return channel
    } catch (error) {
      const isOther = error instanceof AppError && error.reason === 'channel-changed'
      if (!isOther || repeats >= repeatsMax) throw error
    }
  }
}
