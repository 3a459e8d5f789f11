// The numbers of an event that are one value each. A row here is a field of the event's record, a column of the store, a member of the answers under
// /api/v1, a row of the comma-separated table, and, where the row says so, a line of the command line and a number of the console. Plain data: the console has it.

/** What a number counts, and so how it is written for people. */
export type EventNumberUnit = 'times' | 'packets/s' | 'bytes/s'

export interface EventNumberRow {
  unit: EventNumberUnit
  description: string
  /** Null: the detector did not know it, or the event is of a version that did not keep it. */
  isNullable: boolean
  /** The least that it can be; null: no bound is promised. */
  minimum: number | null
  /** Each episode of an event that came back has its own in the list under `/open`. */
  isOfEpisode: boolean
  example: number
  /** The word before it on the command line's page of an event; null: the page says it in words of its own, or not at all. */
  line: string | null
  /** Whether the console's page of an event shows it by itself, with the messages `event.number.NAME` and `event.numberNote.NAME`. */
  isCard: boolean
}

/** By the name that the number has in the record and under /api/v1. The detector reports each under the same name; each report replaces it. */
export const eventNumbers = {
  deviation: {
    unit: 'times',
    description: 'Of the kind of traffic that crossed its line: during the attack, compared with normal.',
    isNullable: false,
    minimum: null,
    isOfEpisode: true,
    example: 38.2,
    line: null,
    isCard: false,
  },
  normalPacketsPerSecond: {
    unit: 'packets/s',
    description: 'What was normal for all traffic of the victim when the attack began. Null: that was not learnt.',
    isNullable: true,
    minimum: 0,
    isOfEpisode: false,
    example: 1040,
    line: null,
    isCard: false,
  },
  normalBytesPerSecond: {
    unit: 'bytes/s',
    description:
      'The octets of the packets that were normal: `normalPacketsPerSecond` times their mean length. Null: that was not learnt, or an older version reported the event.',
    isNullable: true,
    minimum: 0,
    isOfEpisode: false,
    example: 486_720,
    line: 'normally',
    isCard: true,
  },
  usualPacketsPerSecond: {
    unit: 'packets/s',
    description:
      'The mean of all traffic of the victim before the attack; `normalPacketsPerSecond` is the highest that is normal. Null: that was not learnt, or an older version reported the event.',
    isNullable: true,
    minimum: 0,
    isOfEpisode: false,
    example: 610,
    line: 'on average',
    isCard: true,
  },
} as const satisfies Record<string, EventNumberRow>

type Rows = typeof eventNumbers
export type EventNumberName = keyof Rows

/** The numbers of one event, as the record and the answers have them. */
export type EventNumbers = {
  -readonly [Name in EventNumberName]: Rows[Name]['isNullable'] extends true ? number | null : number
}

/** The numbers that the console's page of an event shows by themselves. */
export type CardNumberName = {
  [Name in EventNumberName]: Rows[Name]['isCard'] extends true ? Name : never
}[EventNumberName]

/** In the order of the rows. */
export const eventNumberNames = Object.keys(eventNumbers) as EventNumberName[]

/** What `make` makes of each number, by its name. `Made` has one member for each; the loop over all of them does not know which type each one has. */
export function ofEachNumber<Each, Made extends Record<EventNumberName, Each>>(
  make: (name: EventNumberName, row: EventNumberRow) => Each,
): Made {
  return Object.fromEntries(eventNumberNames.map((name) => [name, make(name, eventNumbers[name])])) as Made
}

export const cardNumberNames = eventNumberNames.filter((name): name is CardNumberName => eventNumbers[name].isCard)
