// What programs of security read of a message: ArcSight's Common Event Format (CEF 0), QRadar's Log Event Extended Format (LEEF 2.0), JSON. On one line.
import { urgencyOf } from '../channels/colors.ts'
import type { Message } from '../channels/kind.ts'
import { attackName } from './attack.ts'
import { cleanText } from './clean.ts'
import { escapers } from './escape.ts'
import { writerFor } from './words.ts'

/** That of these fields, not of the program. */
const version = '1'

/** Whole numbers of what there is. */
export function ratesOf({ report: { average, peak } }: Pick<Message, 'report'>) {
  return {
    bitsPerSecond: Math.round(average.bytesPerSecond * 8),
    packetsPerSecond: Math.round(average.packetsPerSecond),
    peakBitsPerSecond: Math.round(peak.bytesPerSecond * 8),
    peakPacketsPerSecond: Math.round(peak.packetsPerSecond),
  }
}

/** The label, of which anything may be made by another version. */
export function typeOf({ attackType }: Message['report']): string {
  return cleanText(attackType ?? 'unknown', 100)
}

export const siemTexts: Readonly<
  Record<'text' | 'cef' | 'leef' | 'json', (message: Message, title: string) => string>
> = {
  text: (_message, title) => title,
  json: ({ type, id, facts, report }, title) => {
    const { site, address, start, end } = report
    const where = { site: cleanText(site, 300), address, attackType: typeOf(report), start, end }
    const what = { type, id, event: report.id, severity: facts.severity, title }
    return JSON.stringify({ ...what, ...where, ...ratesOf({ report }) })
  },
  cef: (message, title) => {
    const head = ['Floodgauge', 'Floodgauge', version, message.type, nameOf(message), String(urgencyOf(message).siem)]
    return `CEF:0|${head.map(escapers.cefHead).join('|')}|${pairs(cefKeys(message, title), ' ', escapers.cefValue)}`
  },
  leef: (message, title) => {
    const head = ['Floodgauge', 'Floodgauge', version, message.type]
    return `LEEF:2.0|${head.map(escapers.leef).join('|')}|^|${pairs(leefKeys(message, title), '^', escapers.leef)}`
  },
}

const nameOf = ({ report }: Message) => cleanText(attackName(report.attackType, writerFor({})), 200)

function cefKeys(message: Message, title: string): Record<string, string | number> {
  const { report, facts } = message
  const { packetsPerSecond, bitsPerSecond } = ratesOf(message)
  return {
    ...{ externalId: report.id, cat: typeOf(report), dst: report.address },
    ...{ dhost: cleanText(report.site, 300), start: Date.parse(report.start) },
    ...(report.end !== null && { end: Date.parse(report.end) }),
    ...{ cs1Label: 'severity', cs1: facts.severity, cn1Label: 'packetsPerSecond', cn1: packetsPerSecond },
    ...{ cn2Label: 'bitsPerSecond', cn2: bitsPerSecond, msg: title },
  }
}

function leefKeys(message: Message, title: string): Record<string, string | number> {
  const { report } = message
  const { packetsPerSecond, bitsPerSecond } = ratesOf(message)
  return {
    ...{ cat: typeOf(report), sev: urgencyOf(message).siem, dst: report.address },
    ...{ devTime: Date.parse(report.start), resource: cleanText(report.site, 300), eventId: report.id },
    ...{ packetsPerSecond, bitsPerSecond, msg: title },
  }
}

function pairs(given: Record<string, string | number>, between: string, escaper: (text: string) => string): string {
  return Object.entries(given)
    .map(([key, value]) => `${key}=${escaper(String(value))}`)
    .join(between)
}
