// What a message says of attacks that it tells besides the one that it is about: how many there are, and the heaviest.

import { type Severity, severities } from '../../events/severity.ts'
import type { OtherAttack, OtherAttacks } from '../bundles/others.ts'
import { cleanText } from './clean.ts'
import type { WordKey } from './en.ts'
import type { Writer } from './words.ts'

const nameMax = 60

export function withOthers(title: string, others: OtherAttacks | undefined, { say }: Writer): string {
  return others === undefined ? title : say('andMore', { title, count: others.count })
}

/** `severity`: of the attack that the message is about, which counts, too. */
export function othersFacts(
  others: OtherAttacks | undefined,
  severity: Severity,
  writer: Writer,
): [key: WordKey, value: string][] {
  if (others === undefined) return []
  const { count, over, bySeverity, heaviest } = others
  const counts = severities
    .toReversed()
    .map((each) => ({ each, count: (bySeverity[each] ?? 0) + Number(each === severity) }))
    .filter((row) => row.count > 0)
    .map((row) => `${row.count} × ${writer.say(`severity.${row.each}`)}`)
  return [
    ['fact.attacks', writer.say('attacks', { count: count + 1, list: counts.join(', ') })],
    ['fact.heaviest', heaviest.map((each) => attackText(each, writer)).join('; ')],
    ...(over === 0 ? [] : [['fact.over', writer.count(over)] satisfies [WordKey, string]]),
  ]
}

export function attackText({ site, address, severity, bytesPerSecond }: OtherAttack, { say, bits }: Writer): string {
  const host = cleanText(site, nameMax)
  const name = host === address ? address : say('hostAt', { host, address })
  return say('other', { name, severity: say(`severity.${severity}`), bits: bits(bytesPerSecond) })
}
