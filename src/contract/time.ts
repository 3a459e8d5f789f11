// Date-times of the interface: every form in which a query may give one, and the one form in which answers do.

/**
 *   YYYY-MM-DD [ ( "T" | " " ) HH:MM:SS [ "." fraction ] [ "Z" | ( "+" | "-" | " " ) HH [ ":" ] [ MM ] ] ]
 *
 * RFC 3339 and ISO 8601 with seconds; without offset UTC. The space as a sign is a `+` that the caller did not percent-encode.
 */
const form =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,20}))?(?:[Zz]|([+ -])(\d\d)(?::?(\d\d))?)?)?$/

/**
 * Unix milliseconds; null when the text is no date-time, or an impossible one (30 February, 24:00, 23:59:60). A fraction finer than a
 * millisecond is rounded up: no whole millisecond is then on the wrong side of the moment.
 */
export function parseTime(text: string): number | null {
  const parts = form.exec(text)
  if (parts === null) return null
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number)
  const [fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = parts.slice(7)
  if (!(parts[4] === undefined || (hour <= 23 && minute <= 59 && second <= 59))) return null
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const offsetMinutes = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const time = parts[4] === undefined ? 0 : ((hour * 60 + minute) * 60 + second) * 1000 + millisecondsOf(fraction)
  return date.getTime() + time - offsetMinutes * 60_000
}

function millisecondsOf(fraction: string): number {
  const whole = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return /[1-9]/.test(fraction.slice(3)) ? whole + 1 : whole
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** `2017-03-08T10:09:18+00:00`: whole seconds, always with this offset. Put together from its parts: lists have thousands, and `toISOString` takes three times as long. */
export function formatTime(ms: number): string {
  const at = new Date(ms)
  const year = at.getUTCFullYear()
  // Only of these years are four digits all that there is.
  if (!(year >= 1_000 && year <= 9_999)) return `${at.toISOString().slice(0, 19)}+00:00`
  const [month, day] = [twoDigits[at.getUTCMonth() + 1], twoDigits[at.getUTCDate()]]
  const [hour, minute] = [twoDigits[at.getUTCHours()], twoDigits[at.getUTCMinutes()]]
  return `${year}-${month}-${day}T${hour}:${minute}:${twoDigits[at.getUTCSeconds()]}+00:00`
}
