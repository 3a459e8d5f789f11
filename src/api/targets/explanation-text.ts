// The sentences of explanations.
import type { BlindSpot, ExplainedClass, Explanation, ToldEvent } from '../../contract/explanations.ts'
import { formatTime } from '../../contract/time.ts'
import type { TracedAttack } from '../../detect/trace/trace.ts'

/** What the sentence is made of. */
export interface Seen {
  verdict: Explanation['verdict']
  classes: readonly ExplainedClass[]
  events: readonly ToldEvent[]
  attacks: readonly TracedAttack[]
  blind: readonly BlindSpot[]
  /** Length of the time that is explained. */
  seconds: number
  keptFromMs: number
  /** Average of the minute. */
  packetsPerSecond: number
  /** Whether half minutes near a line were not kept then, or could not be since the service ended too early. */
  isUntraced: boolean
  isCutOff: boolean
}

/** Why there was an event or none, and what was not seen whole. */
export function answerTo(seen: Seen): string {
  const { blind, verdict } = seen
  const texts = blind.filter(({ kind }) => kind !== 'untraced').map(({ text }) => text)
  const isAfterAll = verdict === 'event' || verdict === 'attack' || verdict === 'not-yours'
  const notSeen = texts.length === 0 || isAfterAll ? '' : ` But not all was seen then: ${texts.slice(0, 5).join('; ')}.`
  return `${sentences[verdict](seen)}${notSeen}`
}

const sentences: Readonly<Record<Explanation['verdict'], (seen: Seen) => string>> = {
  event: ({ events: [{ id, attackType, site, start }] }) =>
    `Event ${id}: ${nameOf(attackType)} on ${site}, from ${start} on.`,
  attack: ({ attacks: [{ label, startSecond }] }) =>
    `An attack went on, ${nameOf(label)} from ${formatTime(startSecond * 1000)} on, but the caller has no event of it.`,
  crossed: ({ classes }) =>
    `No event, though a line was crossed${nearestText(classes, ': ')}: a rule about all traffic of the address says that it was no attack, or it was the rest of one that was over.`,
  below: ({ classes }) => `No event: ${nearestText(classes, '') || 'nothing of this traffic is ever an attack'}.`,
  'far-below': ({ packetsPerSecond }) =>
    `No event: of ${amountOf(packetsPerSecond)} packets/s no class came to half of its line.`,
  'by-the-minute': (seen) =>
    `No event; ${amountOf(seen.packetsPerSecond)} packets/s came, and how near a line that was is not known: ${whyByTheMinute(seen)}.`,
  'no-traffic': () => 'No event: no traffic to the address was reported.',
  'not-judged': () => 'No event: by its settings (`enabled: false`) the address is not judged.',
  'not-running': () => 'No event: the service was not running.',
  'not-kept': ({ keptFromMs }) =>
    `Nothing is kept of that time: traffic is kept from ${formatTime(keptFromMs)} on, and how well it was seen since this version was installed.`,
  'not-yours': () => 'No event: the address belonged to no enabled site of the caller then.',
}

function whyByTheMinute({ isUntraced, isCutOff }: Seen): string {
  if (isUntraced) return 'more addresses were near a line than are kept'
  if (isCutOff) return 'the service ended before it could be kept'
  return 'a version of then kept the minute only'
}

/** `a came nearest, with ...`; empty when nothing is near any line. */
function nearestText(classes: readonly ExplainedClass[], before: string): string {
  const [first] = classes
    .filter(({ nearest }) => nearest !== null)
    .sort((a, b) => (b.nearest?.part ?? 0) - (a.nearest?.part ?? 0))
  if (first === undefined || first.nearest === null) return ''
  const { attackType, matches, normal, floor, nearest } = first
  const { metric, seconds, rate, line, part, from, isWhole } = nearest
  const isAll = floor === null
  const name = isAll ? 'all traffic' : `${nameOf(attackType)}${matches === null ? '' : ` (${matches})`}`
  const unit = metric === 'bytes' ? 'bytes/s' : metric === 'flows' ? 'flow records/s' : 'packets/s'
  const source = isAll
    ? 'the absolute limit'
    : isWhole
      ? 'the floor of the vector'
      : 'the floor without the whole signature'
  const made =
    from === 'normal' && normal !== null
      ? `which is made of what was normal (${amountOf(normal.packetsPerSecond)} packets/s)`
      : `which is ${source}`
  return `${before}${name} came nearest, with ${amountOf(rate)} ${unit} over ${seconds} s, ${percentOf(part)} of its line of ${amountOf(line)} ${unit}, ${made}`
}

function nameOf(attackType: string | null): string {
  return attackType ?? 'an attack of unknown kind'
}

export function amountOf(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
}

/** Never 100 % of a line that was not crossed. */
function percentOf(part: number): string {
  const percent = part * 100
  return `${percent < 1 ? 'less than 1' : part < 1 ? Math.min(99, Math.round(percent)) : Math.round(percent)} %`
}

export function blindText({ kind, exporter, amount }: Omit<BlindSpot, 'text'>): string {
  const who = exporter === null ? 'an exporter' : `exporter ${exporter}`
  const many = amountOf(amount)
  switch (kind) {
    case 'silent':
      return `${who} had been silent for ${many} s`
    case 'lost':
      return `of what ${who} sent, ${many} datagrams or records were lost`
    case 'no-template':
      return `${many} sets of data of ${who} could not be read without their template`
    case 'no-sampling':
      return `${many} records of ${who} had no known sampling rate`
    case 'dropped':
      return `${many} datagrams were dropped in the receive buffer`
    case 'behind':
      return `detection was ${amountOf(amount / 1000)} s behind`
    case 'untraced':
      return 'more addresses were near a line than are kept'
  }
}
