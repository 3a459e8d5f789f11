// Why there was an event or none, in a sentence of the reader's language.
import { formatAmount, formatBits, formatCount, formatShare } from '../../shared/format/rates.ts'
import { formatDateTime, formatDuration, type Zone } from '../../shared/format/times.ts'
import type { Translator } from '../../shared/i18n/messages.ts'
import { attackName } from '../events/vectors.ts'
import type { ExplainedClass, Explanation } from './queries.ts'

type Nearest = NonNullable<ExplainedClass['nearest']>

/** The verdict, and what came closest where that says why. */
export function verdictText(explanation: Explanation, translator: Translator, zone: Zone): string {
  const { t, language } = translator
  const { verdict, events, attacks, keptFrom, classes } = explanation
  const [event] = events
  const attackType = event?.attackType ?? attacks[0]?.attackType ?? null
  if (verdict === 'not-kept' && Date.parse(explanation.at) >= Date.parse(keptFrom)) return t('explain.notRecorded')
  const said = t(`explain.verdict.${verdict}`, {
    attack: attackName(attackType, translator),
    site: event?.site ?? '',
    from: formatDateTime(Date.parse(keptFrom), language, zone),
  })
  const closest = verdict === 'below' || verdict === 'crossed' ? closestOf(classes) : null
  return closest === null ? said : `${said} ${closestText(closest, translator)}`
}

interface Closest {
  explained: ExplainedClass
  nearest: Nearest
}

/** The class that came closest to a line; null: none can. */
export function closestOf(classes: readonly ExplainedClass[]): Closest | null {
  let closest: Closest | null = null
  for (const explained of classes) {
    const { nearest } = explained
    if (nearest !== null && nearest.part > (closest?.nearest.part ?? 0)) closest = { explained, nearest }
  }
  return closest
}

function closestText({ explained, nearest }: Closest, translator: Translator): string {
  return translator.t(nearest.part > 1 ? 'explain.exceeded' : 'explain.closest', {
    attack: className(explained, translator),
    rate: rateText(nearest, nearest.rate, translator),
    duration: formatDuration(nearest.seconds, translator),
    share: partText(nearest.part, translator.language),
    line: rateText(nearest, nearest.line, translator),
  })
}

/** The name of the attack that such packets are of; null: all traffic. */
export function className({ attackType }: Pick<ExplainedClass, 'attackType'>, translator: Translator): string {
  return attackType === null ? translator.t('address.all') : attackName(attackType, translator)
}

/** An amount of what is compared with a line. */
export function rateText({ metric }: Pick<Nearest, 'metric'>, value: number, { t, language }: Translator): string {
  if (metric === 'bytes') return formatBits(value, language)
  return formatAmount(value, language, t(metric === 'flows' ? 'unit.flowsPerSecond' : 'unit.packetsPerSecond'))
}

/** What was not reached is never all of it. */
export const partText = (part: number, language: string): string =>
  part < 1 ? formatShare(Math.min(part, 0.99), language) : formatShare(part, language)

type BlindSpot = Explanation['blind'][number]

/** More are counted only. */
const blindMax = 5

/** What was not seen whole, in the reader's words; what is known of the same exporter from two minutes is one. */
export function blindTexts(blind: readonly BlindSpot[], translator: Translator): string[] {
  const spots = new Map<string, BlindSpot>()
  for (const spot of blind) {
    const key = `${spot.kind} ${spot.exporter}`
    const known = spots.get(key)
    spots.set(key, known === undefined ? spot : { ...spot, amount: together(known, spot) })
  }
  const texts = [...spots.values()].map((spot) => blindText(spot, translator))
  if (texts.length <= blindMax) return texts
  return [...texts.slice(0, blindMax), translator.t('explain.blind.more', { count: texts.length - blindMax })]
}

/** Lengths of time are of one silence or delay, amounts are of two minutes. */
function together(one: BlindSpot, other: BlindSpot): number {
  const isLength = one.kind === 'silent' || one.kind === 'behind'
  return isLength ? Math.max(one.amount, other.amount) : one.amount + other.amount
}

function blindText({ kind, exporter, amount }: BlindSpot, translator: Translator): string {
  const { t, language } = translator
  const seconds = kind === 'behind' ? amount / 1_000 : amount
  return t(`explain.blind.${kind}`, {
    exporter: exporter ?? t('explain.anExporter'),
    amount: formatCount(amount, language),
    duration: formatDuration(seconds, translator),
  })
}
