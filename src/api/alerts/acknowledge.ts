// The endpoints behind the links of messages: what they are about, and the click that takes note of it. Programs are answered as everywhere, browsers by a page.

import { reaches } from '../../access/roles.ts'
import type { Channel } from '../../alert/alert-store.ts'
import type { Reader } from '../../alert/messages/words.ts'
import type { Acknowledgement, acknowledgingEndpoints } from '../../contract/alerts/acknowledging.ts'
import { formatTime } from '../../contract/time.ts'
import { addressBlock, partyBlocks } from '../../net/address-block.ts'
import type { EventDetail, User } from '../../store/store.ts'
import type { Answer, Handlers, Input } from '../http/endpoints.ts'
import { WindowLimiter } from '../limits/rate-limit.ts'
import { acknowledgePage, type Refusal, refusedPage } from './acknowledge-page.ts'
import { languageOf, type Problems, type Refused, refusedAnswer } from './page-links.ts'
import type { AlertParts } from './parts.ts'

type Endpoint = keyof typeof acknowledgingEndpoints

/** What a link that is good leads to. */
interface Found {
  event: EventDetail
  channel: Channel
  user: User
}

export const requestsPerMinute = 60

export function acknowledgeHandlers(parts: AlertParts): Handlers<Endpoint> {
  const { store, feed, clock } = parts
  const limiter = new WindowLimiter({ limit: requestsPerMinute })

  const foundBy = async (input: Input<Endpoint>): Promise<Found | Refused<Refusal>> => {
    const { allowed, resetSeconds } = limiter.take(addressBlock(input.peer.address, partyBlocks), clock.now())
    return allowed ? linked(parts, input.query.t) : { ...refused('crowded'), retryAfterSeconds: resetSeconds }
  }

  const answered = async (
    input: Input<Endpoint>,
    act: (found: Found) => Promise<Acknowledgement['acknowledged']>,
  ): Promise<Answer<Endpoint>> => {
    const found = await foundBy(input)
    if ('refusal' in found) return refusedAnswer(found, input, { problems, pageOf: refusedPage })
    const { event, channel, user } = found
    const acknowledged = await act(found)
    const reader = readerOf(channel, input)
    const { id: eventId } = event
    const title = parts.alerts.previews.titleOf(event, reader)
    const body = { eventId, title, by: user.email, channel: channel.name, acknowledged }
    return input.peer.readsPages ? acknowledgePage(body, { reader, publicUrl: parts.publicUrl }) : { body }
  }

  const acknowledgedOf = async ({ event: { id, userId } }: Found) =>
    (await store.notesOf(userId, [id])).get(id)?.acknowledged ?? null

  return {
    getAcknowledgement: (input) => answered(input, async (found) => presented(await acknowledgedOf(found))),

    acknowledgeByLink: (input) =>
      answered(input, async (found) => {
        const { event, channel, user } = found
        const { deed } = input
        deed.identify(user)
        deed.tell({ object: event.id, detail: { channel: channel.name } })
        const before = await acknowledgedOf(found)
        if (before !== null) {
          deed.withdraw()
          return presented(before)
        }
        const who = { by: user.email, atMs: clock.now() }
        const note = await store.changeNote(event.userId, event.id, { acknowledged: true }, who)
        feed.wake()
        return presented(note?.acknowledged ?? who)
      }),
  }
}

function presented(saying: { by: string; atMs: number } | null): Acknowledgement['acknowledged'] {
  return saying === null ? null : { by: saying.by, at: formatTime(saying.atMs) }
}

const refused = (refusal: Refusal): Refused<Refusal> => ({ refusal })

/** What the link leads to, or why nothing is. */
async function linked(
  { store, alerts, clock }: AlertParts,
  token: string | readonly string[] | undefined,
): Promise<Found | Refused<Refusal>> {
  if (typeof token !== 'string') return refused('missing')
  const link = alerts.links.read(token, clock.now())
  if (link === null) return refused('invalid')
  if (link.isExpired) return refused('expired')
  const channel = await store.channelById(link.channelId)
  const user = channel === null ? null : await store.userById(channel.userId)
  if (channel === null || user === null || !reaches(user.role, 'member')) return refused('ended')
  const about = { eventId: link.eventId, channelId: channel.id, limit: 1 }
  const [delivery] = await store.deliveriesOf(user.id, about)
  const ownerId = delivery?.notice.userId ?? user.id
  if (ownerId !== user.id && user.role !== 'admin') return refused('ended')
  const event = await store.eventById(ownerId, link.eventId)
  return event === null ? refused('gone') : { event, channel, user }
}

/** As the channel's messages are; where it does not say, as the browser asks. */
function readerOf({ settings }: Channel, { peer }: Pick<Input<Endpoint>, 'peer'>): Reader {
  const { language, timeZone } = settings
  return {
    language: language === 'zh' || language === 'en' ? language : languageOf(peer.languages),
    ...(typeof timeZone === 'string' && { timeZone }),
  }
}

const problems: Problems<Refusal> = {
  missing: ['BAD_REQUEST', 'The query is not valid', [{ parameter: 't', detail: 'It must be given, once' }]],
  invalid: ['FORBIDDEN', 'This is no link of this service'],
  expired: ['FORBIDDEN', 'The link has expired'],
  ended: ['FORBIDDEN', 'The channel of the link is deleted, or its user may change nothing'],
  gone: ['NOT_FOUND', 'There is no such event any more'],
  crowded: ['TOO_MANY_REQUESTS', 'Too many requests come from this address'],
}
