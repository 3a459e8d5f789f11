// What an event is called: the kind of attack, and whom it hits. An attack on a network is named by the network, never by one of its addresses.
import type { Translator } from '../../shared/i18n/messages.ts'
import type { EventOverview } from './queries.ts'
import { attackName } from './vectors.ts'

type Words = Pick<Translator, 't' | 'find'>
type NamedEvent = Pick<EventOverview, 'attackType' | 'address' | 'domain' | 'network'>

/** `UDP flood`, `Carpet bombing: UDP flood`. */
export function eventKind({ attackType, network }: NamedEvent, words: Words): string {
  const attack = attackName(attackType, words)
  return network === null ? attack : words.t('event.carpet', { attack })
}

/** `www.example.com`, `192.0.2.10`, `25 addresses of 198.51.100.0/24`. */
export function eventVictim({ address, domain, network }: NamedEvent, { t }: Words): string {
  if (network !== null) return t('event.addressesOf', { count: network.addresses, network: network.prefix })
  return domain === '' ? address : domain
}

/** `UDP flood on www.example.com`, `Carpet bombing: UDP flood on 25 addresses of 198.51.100.0/24`. */
export function eventTitle(event: NamedEvent, words: Words): string {
  return words.t('event.title', { attack: eventKind(event, words), victim: eventVictim(event, words) })
}
