// The places that a template of a message may have, and the ways in which what fills them can be written: THE tables. What the reader's language and time zone
// make of a value is the writer's.
import type { Message } from '../../channels/kind.ts'
import { attackName } from '../attack.ts'
import type { Writer } from '../words.ts'

/** What a template is filled from. */
export interface Filling {
  message: Message
  writer: Writer
  /** As the message has them without a template. */
  title: string
  facts: readonly { label: string; value: string }[]
  /** Empty: it is not known. */
  eventUrl: string
}

/** A text on one line, several lines, a number, or a moment (Unix milliseconds). Null: it is not known, and the place stays empty. */
export type Value = string | readonly string[] | number | Date | null

export interface Place {
  name: string
  description: string
  kind: 'text' | 'lines' | 'number' | 'moment'
  read: (filling: Filling) => Value
}

type Reading<Result> = (report: Message['report'], filling: Filling) => Result

const text = (name: string, description: string, read: Reading<string | null>) => place(name, description, 'text', read)
const number = (name: string, description: string, read: Reading<number | null>) =>
  place(name, description, 'number', read)
const moment = (name: string, description: string, read: Reading<string | null>) =>
  place(name, description, 'moment', (report, filling) => momentOf(read(report, filling)))

function place(name: string, description: string, kind: Place['kind'], read: Reading<Value>): Place {
  return { name, description, kind, read: (filling) => read(filling.message.report, filling) }
}

function momentOf(time: string | null): Date | null {
  return time === null ? null : new Date(time)
}

const bitsOf = (bytes: number) => bytes * 8

export const places: readonly Place[] = [
  text('title', 'What the title says without a template.', (_, { title }) => title),
  place('facts', 'What the text says without a template, a fact a line.', 'lines', (_, { facts }) =>
    facts.map(({ label, value }) => `${label}: ${value}`),
  ),
  text('kind', 'What is told: `started`, `ended`.', (_, { message }) => message.type.replace(/^event\./, '')),
  text('severity', 'The highest severity so far.', (_, { message, writer }) =>
    writer.say(`severity.${message.facts.severity}`),
  ),
  text('event.id', 'The id of the event.', ({ id }) => id),
  text('event.url', 'The address of its page; empty without `http.publicUrl`.', (_, { eventUrl }) => eventUrl),
  text('event.site', 'The site that it is named after.', ({ site }) => site),
  text('event.domain', 'The name that led to the victim; may be empty.', ({ domain }) => domain),
  text('event.address', 'The victim.', ({ address }) => address),
  text('event.network', 'The network that is hit; empty: one address is.', ({ network }) => network?.prefix ?? ''),
  number('event.addresses', 'How many addresses are hit.', ({ network }) => network?.addresses ?? 1),
  text('event.attack', 'The kind of the attack.', ({ attackType }, { writer }) => attackName(attackType, writer)),
  text('event.attackType', 'Its label; `unknown`: of unknown kind.', ({ attackType }) => attackType ?? 'unknown'),
  moment('event.start', 'When it began.', ({ start }) => start),
  moment('event.end', 'When it ended; empty while it goes on.', ({ end }) => end),
  number('event.seconds', 'How long it was there, seconds.', ({ activeSeconds }) => activeSeconds),
  number('event.average.bitsPerSecond', 'Its average.', ({ average }) => bitsOf(average.bytesPerSecond)),
  number('event.average.packetsPerSecond', 'Likewise.', ({ average }) => average.packetsPerSecond),
  number('event.average.flowsPerSecond', 'Likewise.', ({ average }) => average.flowsPerSecond),
  number('event.peak.bitsPerSecond', 'Its highest second.', ({ peak }) => bitsOf(peak.bytesPerSecond)),
  number('event.peak.packetsPerSecond', 'Likewise.', ({ peak }) => peak.packetsPerSecond),
  number('event.peak.flowsPerSecond', 'Likewise.', ({ peak }) => peak.flowsPerSecond),
  moment('event.peak.at', 'When that was.', ({ peak }) => peak.at),
  number('event.total.bytes', 'All of it.', ({ total }) => total.bytes),
  number('event.total.packets', 'Likewise.', ({ total }) => total.packets),
  number(
    'event.normal.packetsPerSecond',
    'What was normal for the victim; empty: not learnt.',
    ({ normalPacketsPerSecond }) => normalPacketsPerSecond,
  ),
  number('event.timesNormal', 'Its average as a multiple of normal; empty: not learnt.', timesNormal),
  number('event.sources', 'How many sources it has; empty where you may not know them.', ({ view, statistics }) =>
    view === 'all' ? statistics.distinctSources.count : null,
  ),
]

/** Who usually has nothing is taken to have a packet a second. */
function timesNormal({ average, normalPacketsPerSecond }: Message['report']): number | null {
  return normalPacketsPerSecond === null ? null : average.packetsPerSecond / Math.max(normalPacketsPerSecond, 1)
}

/** A way to write what fills a place. */
export interface Form {
  name: string
  description: string
  of: Exclude<Place['kind'], 'lines'>
  write: (value: never, writer: Writer) => string
}

const ofNumber = (name: string, description: string, write: (value: number, writer: Writer) => string): Form => ({
  ...{ name, description, of: 'number' },
  write,
})

/** The forms that values of a kind can have. */
export function formsOf(kind: Place['kind']): string[] {
  return forms.filter(({ of }) => of === kind).map(({ name }) => name)
}

export const forms: readonly Form[] = [
  ofNumber('bits', '`1.2 Gbit/s`', (value, { bits }) => bits(value / 8)),
  ofNumber('packets', '`310 kpackets/s`', (value, { packets }) => packets(value)),
  ofNumber('flows', '`705 flows/s`', (value, { flows }) => flows(value)),
  ofNumber('bytes', '`1.89 GB`', (value, { bytes }) => bytes(value)),
  ofNumber('count', '`71,340`', (value, { count }) => count(value)),
  ofNumber('times', '`38`', (value, { times }) => times(value)),
  ofNumber('duration', '`2 min 5 s`', (value, { duration }) => duration(value)),
  { name: 'iso', description: '`2017-03-08T10:09:14.000Z`', of: 'moment', write: (value: Date) => value.toISOString() },
  { name: 'upper', description: '`NTP AMPLIFICATION`', of: 'text', write: (value: string) => value.toUpperCase() },
]
