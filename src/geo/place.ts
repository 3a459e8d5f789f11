// Where an address is, as the records of several makers of databases have it. Pure: what is not as expected is not there.

export interface AutonomousSystem {
  number: number
  /** Empty: it is not known. */
  name: string
}

export interface Place {
  /** ISO 3166-1 alpha-2. */
  country: string | null
  as: AutonomousSystem | null
}

export const nowhere: Place = { country: null, as: null }

const asNumberMax = 0xffff_ffff
const nameMax = 100

/** Ways to members of a record, the first of which that is there counts. */
const countryWays = [['country', 'iso_code'], ['country_code'], ['country'], ['registered_country', 'iso_code']]
const asNumberWays = [['autonomous_system_number'], ['asn'], ['traits', 'autonomous_system_number'], ['as_number']]
const asNameWays = [
  ['autonomous_system_organization'],
  ['as_name'],
  ['traits', 'autonomous_system_organization'],
  ['as_organization'],
  ['name'],
]

export function placeOf(record: unknown): Place {
  const country = firstOf(record, countryWays, countryCode)
  const number = firstOf(record, asNumberWays, asNumber)
  return { country, as: number === null ? null : { number, name: firstOf(record, asNameWays, asName) ?? '' } }
}

function firstOf<Value>(
  record: unknown,
  ways: readonly (readonly string[])[],
  read: (value: unknown) => Value | null,
): Value | null {
  for (const way of ways) {
    const value = read(way.reduce(memberOf, record))
    if (value !== null) return value
  }
  return null
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
}

function countryCode(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value) ? value : null
}

/** `15169`, `"15169"` or `"AS15169"`. */
function asNumber(value: unknown): number | null {
  const digits = typeof value === 'string' ? /^(?:AS)?(\d{1,10})$/i.exec(value)?.[1] : undefined
  const number = typeof value === 'number' ? value : Number(digits)
  return Number.isInteger(number) && number > 0 && number <= asNumberMax ? number : null
}

/** In one line of what can be printed. */
function asName(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value
    .slice(0, nameMax)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return text === '' ? null : text
}
