// What is told about an event, and what became of a message.
import type { Translator } from '../../shared/i18n/messages.ts'
import type { Delivery } from './queries.ts'

const tones = {
  held: 'plain',
  due: 'warn',
  sending: 'accent',
  joined: 'plain',
  done: 'good',
  dead: 'bad',
  superseded: 'plain',
} as const satisfies Partial<Record<Delivery['state'], string>>
type Tone = (typeof tones)[keyof typeof tones]

/** Those that one can look for. */
export const deliveryStates = [
  'held',
  'due',
  'sending',
  'joined',
  'done',
  'dead',
  'superseded',
] as const satisfies (keyof typeof tones)[]

/** `state`: one of an open vocabulary. */
export function stateTone(state: string): Tone {
  return new Map<string, Tone>(Object.entries(tones)).get(state) ?? 'plain'
}

export function stateWord(state: string, { find }: Pick<Translator, 'find'>): string {
  return find(`delivery.state.${state}`) ?? state
}

export function noticeWord(kind: string, { find }: Pick<Translator, 'find'>): string {
  return find(`delivery.notice.${kind}`) ?? kind
}
