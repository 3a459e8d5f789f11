// The endpoints that have addresses of mail confirmed: by the link that was sent there, by an admin, and the asking for another link.
import { reaches } from '../../access/roles.ts'
import type { MailAddress } from '../../alert/mail/address-store.ts'
import { isAddress } from '../../alert/mail/recipients.ts'
import type { Confirmation, confirmingEndpoints } from '../../contract/alerts/confirming.ts'
import { formatTime } from '../../contract/time.ts'
import { addressBlock, partyBlocks } from '../../net/address-block.ts'
import type { User } from '../../store/store.ts'
import type { Answer, Handlers, Input } from '../http/endpoints.ts'
import { ProblemError, refusal } from '../http/problem.ts'
import { WindowLimiter } from '../limits/rate-limit.ts'
import { confirmingPage, type Refusal, uselessPage } from './confirming-page.ts'
import { ownChannel } from './own-channel.ts'
import { languageOf, type Problems, type Refused, refusedAnswer } from './page-links.ts'
import type { AlertParts } from './parts.ts'
import { presentedFor } from './shown.ts'

/** Those that links lead to. */
type Linked = 'getConfirmation' | 'confirmByLink'

interface Found {
  address: MailAddress
  user: User
}

export const requestsPerMinute = 60
const secondsOfHour = 3_600

export function confirmingHandlers(parts: AlertParts): Handlers<keyof typeof confirmingEndpoints> {
  const { store, alerts, clock } = parts
  const limiter = new WindowLimiter({ limit: requestsPerMinute })

  const foundBy = async (input: Input<Linked>): Promise<Found | Refused<Refusal>> => {
    const { allowed, resetSeconds } = limiter.take(addressBlock(input.peer.address, partyBlocks), clock.now())
    return allowed ? linked(parts, input.query.t) : { refusal: 'crowded', retryAfterSeconds: resetSeconds }
  }

  const answered = async (
    input: Input<Linked>,
    act: (found: Found) => Promise<MailAddress>,
  ): Promise<Answer<Linked>> => {
    const found = await foundBy(input)
    if ('refusal' in found) return refusedAnswer(found, input, { problems, pageOf: uselessPage })
    const body = presented(await act(found), found.user)
    return input.peer.readsPages ? confirmingPage(body, languageOf(input.peer.languages)) : { body }
  }

  const confirm = async ({ user, address }: { user: User; address: string }): Promise<MailAddress> => {
    const confirmed = await store.confirmAddress(user.id, address)
    alerts.wake()
    alerts.onChanged(user.id)
    return confirmed
  }

  return {
    getConfirmation: (input) => answered(input, async ({ address }) => address),

    confirmByLink: (input) =>
      answered(input, async (found) => {
        const { address, user } = found
        input.deed.identify(user)
        input.deed.tell({ object: address.address })
        if (address.confirmedMs === null) return confirm({ user, address: address.address })
        input.deed.withdraw()
        return address
      }),

    askConfirmation: async ({ params }, caller) => {
      const channel = await ownChannel(store, caller.id, params.id)
      const show = presentedFor(parts, caller)
      if ((await show(channel)).confirmedBy === 'admin')
        throw refusal(
          'no-confirming-mail',
          'CONFLICT',
          'The installation cannot send links; an admin confirms addresses',
        )
      const { refused } = await alerts.confirmations.askAgain(caller, channel)
      if (refused > 0) {
        const detail = 'Addresses were asked too often within the hour, or the day'
        throw new ProblemError('TOO_MANY_REQUESTS', detail, [], secondsOfHour, 'asked-too-often')
      }
      alerts.onChanged(caller.id)
      return { body: await show(channel) }
    },

    confirmAddress: async ({ body }) => {
      if (!isAddress(body.address)) {
        const detail = 'It is no address that messages go to'
        throw new ProblemError('BAD_REQUEST', detail, [{ pointer: '/address', detail }])
      }
      const user = await store.userByEmail(body.user)
      if (user === null) throw new ProblemError('NOT_FOUND', 'There is no such user')
      return { body: presented(await confirm({ user, address: body.address }), user) }
    },
  }
}

function presented({ address, confirmedMs }: MailAddress, { email }: User): Confirmation {
  return { address, by: email, confirmedAt: confirmedMs === null ? null : formatTime(confirmedMs) }
}

/** What the link leads to, or why nothing is. */
async function linked(
  { store, alerts, clock }: AlertParts,
  token: string | readonly string[] | undefined,
): Promise<Found | Refused<Refusal>> {
  if (typeof token !== 'string') return { refusal: 'missing' }
  const link = alerts.confirmations.read(token, clock.now())
  if (link === null) return { refusal: 'invalid' }
  if (link.isExpired) return { refusal: 'expired' }
  const address = await store.addressById(link.addressId)
  const user = address === null ? null : await store.userById(address.userId)
  if (address === null || user === null || !reaches(user.role, 'member')) return { refusal: 'ended' }
  const channels = await store.channelsOf(user.id)
  return channels.some((channel) => alerts.confirmations.isOf(channel, address))
    ? { address, user }
    : { refusal: 'ended' }
}

const problems: Problems<Refusal> = {
  missing: ['BAD_REQUEST', 'The query is not valid', [{ parameter: 't', detail: 'It must be given, once' }]],
  invalid: ['FORBIDDEN', 'This is no link of this service'],
  expired: ['FORBIDDEN', 'The link has expired'],
  ended: ['FORBIDDEN', 'No channel sends to the address any more'],
  crowded: ['TOO_MANY_REQUESTS', 'Too many requests come from this address'],
}
