// Words, amounts and times as the reader of a message has them: by language and time zone. Pure.

import type { languages } from '../../contract/alerts/messages.ts'
import { isTimeZone } from '../rules/time-window.ts'
import { en, type WordKey, type Words } from './en.ts'
import { zh } from './zh.ts'

export type Language = (typeof languages)[number]

const wordsOf: Readonly<Record<Language, Words>> = { en, zh }

export interface Reader {
  language?: Language
  timeZone?: string
  titleTemplate?: string
  textTemplate?: string
}

export type Values = Readonly<Record<string, string | number>>

export interface Writer {
  /** The word with its places filled in. What is filled in is never looked at again. */
  say(key: WordKey, values?: Values): string
  /** The same of a key that may be none. */
  find(key: string, values?: Values): string | null
  bits(bytesPerSecond: number): string
  packets(perSecond: number): string
  flows(perSecond: number): string
  bytes(count: number): string
  count(value: number): string
  share(part: number): string
  times(ratio: number): string
  duration(seconds: number): string
  time(ms: number): string
}

const prefixes = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** More times normal than this says no more. */
const timesMost = 1_000

export function writerFor({ language = 'en', timeZone = 'UTC' }: Reader): Writer {
  const words = wordsOf[language]
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC'
  const moment = new Intl.DateTimeFormat(language === 'en' ? 'en-CA' : 'zh-CN', {
    ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  })
  const number = (value: number, digits: number) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)
  const scaled = (value: number): [text: string, prefix: string] => {
    // From 999.5 on, three digits would read 1000.
    const [by, prefix] = prefixes.find(([from]) => Math.abs(value) >= from * 0.9995) ?? [1, '']
    const size = Math.abs(value / by)
    return [number(value / by, size >= 100 ? 0 : size >= 10 ? 1 : 2), prefix]
  }
  const amount = (value: number, unit: WordKey) => {
    const [text, prefix] = scaled(value)
    return `${text} ${prefix}${words[unit]}`
  }
  const find = (key: string, values: Values = {}) =>
    Object.hasOwn(words, key) ? filled(words[key as WordKey], values, (value) => number(value, 0)) : null
  const say = (key: WordKey, values: Values = {}) => find(key, values) ?? key
  return {
    say,
    find,
    bits: (bytesPerSecond) => amount(bytesPerSecond * 8, 'unit.bits'),
    packets: (perSecond) => amount(perSecond, 'unit.packets'),
    flows: (perSecond) => amount(perSecond, 'unit.flows'),
    bytes: (count) => amount(count, 'unit.bytes'),
    count: (value) => {
      const [text, prefix] = Math.abs(value) < 100_000 ? [number(value, 0), ''] : scaled(value)
      return prefix === '' ? text : `${text} ${prefix}`
    },
    share: (part) => `${number(part * 100, part < 0.1 ? 1 : 0)} %`,
    times: (ratio) => (ratio > timesMost ? `>${number(timesMost, 0)}` : number(ratio, ratio < 10 ? 1 : 0)),
    duration: (seconds) => durationOf(Math.round(seconds), (key, count) => say(key, { count })),
    time: (ms) => `${moment.format(new Date(ms)).replace(', ', ' ')} ${zone}`,
  }
}

/** Text between places, and what fills them, in one pass: a value that looks like a place stays text. */
function filled(text: string, values: Values, shown: (value: number) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? shown(value) : (value ?? '')
  })
}

const steps = [
  ['time.days', 86_400],
  ['time.hours', 3_600],
  ['time.minutes', 60],
  ['time.seconds', 1],
] as const

/** The two largest units: `2 h 5 min`. */
function durationOf(seconds: number, say: (key: (typeof steps)[number][0], count: number) => string): string {
  const first = steps.findIndex(([, size]) => seconds >= size)
  if (first === -1) return say('time.seconds', 0)
  const parts: string[] = []
  let left = seconds
  for (const [key, size] of steps.slice(first, first + 2)) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(say(key, count))
  }
  return parts.join(' ')
}
