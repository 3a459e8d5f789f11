// Finishes rows after their fields were copied: whatever a column needs that no single field has. Which steps a template needs is settled when it is
// compiled; a step is a plain loop over rows.
import { fillRows } from '../../flow/batch.ts'
import { presentBit } from '../../flow/columns.ts'
import { ICMP, ICMPV6 } from '../../net/protocols.ts'
import type { SamplingTable } from '../sampling/sampling.ts'
import { samplingColumns, samplingSteps } from '../sampling/sampling-steps.ts'
import type { Element } from './elements.ts'
import { type Work, type WorkName, workPlace } from './scratch.ts'

/** What a datagram has for all its records, and the state of its exporter. */
export interface DatagramContext {
  /** Index into `exportProtocols`. */
  exportProtocol: number
  receivedMs: number
  /** The header's time, Unix milliseconds. */
  exportMs: number
  /** The exporter's uptime at that moment; NaN when the protocol has none. */
  uptimeMs: number
  /** When the exporter started, by its options data; 0: unknown. */
  bootMs: number
  sampling: SamplingTable
  /** Id of the template of the set at hand. */
  template: number
}

export type FinishStep = (work: Work, row: number, count: number, context: DatagramContext) => void

const at = {
  ipVersion: workPlace('ipVersion'),
  versionField: workPlace('versionField'),
  srcAddr: workPlace('srcAddr'),
  dstAddr: workPlace('dstAddr'),
  src6: workPlace('src6'),
  dst6: workPlace('dst6'),
  dstPort: workPlace('dstPort'),
  ipProto: workPlace('ipProto'),
  fragment: workPlace('fragment'),
  startMs: workPlace('startMs'),
  endMs: workPlace('endMs'),
  bootMs: workPlace('bootMs'),
  durationMs: workPlace('durationMs'),
  reverseDelayMs: workPlace('reverseDelayMs'),
  tcpFlags: workPlace('tcpFlags'),
  firstFlags: workPlace('firstFlags'),
  laterFlags: workPlace('laterFlags'),
  icmpTypeCode: workPlace('icmpTypeCode'),
  icmpType: workPlace('icmpType'),
  icmpCode: workPlace('icmpCode'),
  fragmentOffset: workPlace('fragmentOffset'),
  fragmentFlags: workPlace('fragmentFlags'),
  present: workPlace('present'),
} as const

/** The steps for a template that fills these columns from these elements. Their order matters: times before durations. */
export function finishSteps(
  elementOf: ReadonlyMap<WorkName, Element>,
  rates: { interfaces: boolean } = { interfaces: false },
): FinishStep[] {
  const has = (...names: WorkName[]) => names.some((name) => elementOf.has(name))
  const steps: FinishStep[] = []
  if (has('srcAddr', 'dstAddr') && has('src6', 'dst6')) {
    if (!has('versionField')) steps.push(zero(at.versionField))
    steps.push(chooseVersion)
  } else if (has('dst6')) steps.push(fill(at.ipVersion, 6))
  else if (has('dstAddr')) steps.push(fill(at.ipVersion, 4))

  if (has('firstFlags', 'laterFlags') && !has('tcpFlags')) {
    for (const name of ['firstFlags', 'laterFlags'] as const) if (!has(name)) steps.push(zero(at[name]))
    steps.push(flagsFromFirstAndLater)
  }
  if (has('icmpTypeCode')) steps.push(icmpFromTypeCode)
  else if (has('icmpType')) steps.push(...(has('icmpCode') ? [] : [zero(at.icmpCode)]), icmpFromTypeAndCode)
  if (has('fragmentOffset')) steps.push(fragmentFromOffset)
  if (has('fragmentFlags')) steps.push(fragmentFromFlags)
  steps.push(...timeSteps(elementOf, has), ...samplingSteps(has, elementOf.keys(), rates))
  return steps
}

/** The step of options data: missing values are 0. */
export function optionSteps(columns: ReadonlySet<WorkName>): FinishStep[] {
  const told = new Set([...columns].map(workPlace))
  const read = [...samplingColumns.map(workPlace), at.bootMs]
  return read.filter((place) => !told.has(place)).map(zero)
}

const tcpFlagsBit = presentBit('tcpFlags')
const dstPortBit = presentBit('dstPort')

type Has = (...names: WorkName[]) => boolean

function timeSteps(elementOf: ReadonlyMap<WorkName, Element>, has: Has): FinishStep[] {
  const steps: FinishStep[] = []
  const [start, end] = [elementOf.get('startMs'), elementOf.get('endMs')]
  const both = start?.basis === 'uptime' && end?.basis === 'uptime'
  for (const name of ['startMs', 'endMs'] as const) {
    const basis = elementOf.get(name)?.basis
    if (basis === 'beforeExport') steps.push(beforeExport(at[name]))
    if (basis !== 'uptime') continue
    steps.push(has('bootMs') ? afterBootOfRow(at[name]) : afterBoot(at[name], both ? 0 : presentBit(name)))
  }
  if (both && !has('bootMs')) steps.push(undated)
  if (start === undefined && end === undefined) {
    steps.push(received(at.endMs), has('durationMs') ? startFromDuration(0) : same(at.endMs, at.startMs))
  } else if (start === undefined) {
    steps.push(has('durationMs') ? startFromDuration(presentBit('startMs')) : same(at.endMs, at.startMs))
  } else if (end === undefined) steps.push(has('durationMs') ? endFromDuration : untilExport)
  if (has('reverseDelayMs') && end !== undefined && start?.pen === undefined) steps.push(startAfterDelay)
  return steps
}

function fill(place: number, value: number): FinishStep {
  return (work, row, count) => fillRows(work[place], row, count, value)
}

function zero(place: number): FinishStep {
  return fill(place, 0)
}

function same(from: number, to: number): FinishStep {
  return (work, row, count) => {
    for (let i = row; i < row + count; i++) work[to][i] = work[from][i]
  }
}

/** The IP version of rows whose template has both: as exported, else the version whose addresses are not all zero. */
const chooseVersion: FinishStep = (work, row, count) => {
  for (let i = row; i < row + count; i++) {
    const told = work[at.versionField][i]
    work[at.ipVersion][i] = told === 4 || told === 6 ? told : hasIp6(work, i) && !hasIp4(work, i) ? 6 : 4
  }
}

function hasIp4(work: Work, row: number): boolean {
  return work[at.srcAddr][row] !== 0 || work[at.dstAddr][row] !== 0
}

function hasIp6(work: Work, row: number): boolean {
  for (let octet = row * 16; octet < row * 16 + 16; octet++) {
    if (work[at.src6][octet] !== 0 || work[at.dst6][octet] !== 0) return true
  }
  return false
}

const flagsFromFirstAndLater: FinishStep = (work, row, count) => {
  for (let i = row; i < row + count; i++) {
    work[at.tcpFlags][i] = work[at.firstFlags][i] | work[at.laterFlags][i]
    work[at.present][i] |= tcpFlagsBit
  }
}

function isIcmp(work: Work, row: number): boolean {
  const protocol = work[at.ipProto][row]
  return protocol === ICMP || protocol === ICMPV6
}

/**
 * As in NetFlow v5, the destination port of ICMP is type * 256 + code. Exporters that send both fill one of them with zeros, as a rule; an echo reply
 * is zero in both.
 */
const icmpFromTypeCode: FinishStep = (work, row, count) => {
  for (let i = row; i < row + count; i++) {
    if (!isIcmp(work, i)) continue
    if (work[at.icmpTypeCode][i] !== 0) work[at.dstPort][i] = work[at.icmpTypeCode][i]
    work[at.present][i] |= dstPortBit
  }
}

/** Fields of their own for type and code go before whatever the port holds: firewalls have the identifier of an echo there. */
const icmpFromTypeAndCode: FinishStep = (work, row, count) => {
  for (let i = row; i < row + count; i++) {
    if (!isIcmp(work, i)) continue
    work[at.dstPort][i] = work[at.icmpType][i] * 256 + work[at.icmpCode][i]
    work[at.present][i] |= dstPortBit
  }
}

/** RFC 791: of 16 bits the lower 13 are the offset. */
const fragmentFromOffset: FinishStep = (work, row, count) => {
  for (let i = row; i < row + count; i++) work[at.fragment][i] = (work[at.fragmentOffset][i] & 0x1fff) !== 0 ? 1 : 0
}

/** Element 197: 0x40 is "don't fragment", 0x20 "more fragments". */
const fragmentFromFlags: FinishStep = (work, row, count) => {
  for (let i = row; i < row + count; i++) work[at.fragment][i] |= (work[at.fragmentFlags][i] >>> 5) & 1
}

function beforeExport(place: number): FinishStep {
  return (work, row, count, { exportMs }) => {
    for (let i = row; i < row + count; i++) work[place][i] = exportMs - work[place][i]
  }
}

/** How far a moment may lie after the header's: the two are not written at once. */
const afterHeaderMs = 60_000

/** Both are milliseconds of uptime in 32 bits, which wrap after 49.7 days. */
function ageMs(uptimeMs: number, atMs: number): number {
  const age = uptimeMs - atMs
  return age < -afterHeaderMs ? age + 2 ** 32 : age
}

/**
 * IPFIX has no uptime in its header; without options data that tell when the exporter started, such a time means nothing. `bit` is that of the
 * column in `present`; 0: see `undated`.
 */
function afterBoot(place: number, bit: number): FinishStep {
  return (work, row, count, { exportMs, uptimeMs, bootMs, receivedMs }) => {
    const times = work[place]
    if (!Number.isNaN(uptimeMs)) {
      for (let i = row; i < row + count; i++) times[i] = exportMs - ageMs(uptimeMs, times[i])
    } else if (bootMs > 0) {
      for (let i = row; i < row + count; i++) times[i] = bootMs + times[i]
    } else if (bit !== 0) {
      fillRows(times, row, count, receivedMs)
      for (let i = row; i < row + count; i++) work[at.present][i] &= ~bit
    }
  }
}

/** Longest credible duration of a flow, milliseconds. */
const lastedMax = 86_400_000

/** Two uptimes without a reference still give the duration of the flow, which then ends at its receipt. */
const undated: FinishStep = (work, row, count, { uptimeMs, bootMs, receivedMs }) => {
  if (!Number.isNaN(uptimeMs) || bootMs > 0) return
  const [start, end] = [work[at.startMs], work[at.endMs]]
  for (let i = row; i < row + count; i++) {
    const lasted = (end[i] - start[i]) >>> 0
    end[i] = receivedMs
    start[i] = receivedMs - (lasted <= lastedMax ? lasted : 0)
    work[at.present][i] &= ~(presentBit('startMs') | presentBit('endMs'))
  }
}

/** A flow without an end was there when it was exported: its packets are not all of its first moment. */
const untilExport: FinishStep = (work, row, count, { exportMs }) => {
  for (let i = row; i < row + count; i++) work[at.endMs][i] = Math.max(work[at.startMs][i], exportMs)
}

function afterBootOfRow(place: number): FinishStep {
  return (work, row, count) => {
    for (let i = row; i < row + count; i++) work[place][i] += work[at.bootMs][i]
  }
}

function received(place: number): FinishStep {
  return (work, row, count, { receivedMs }) => fillRows(work[place], row, count, receivedMs)
}

const endFromDuration: FinishStep = (work, row, count) => {
  for (let i = row; i < row + count; i++) work[at.endMs][i] = work[at.startMs][i] + work[at.durationMs][i]
  markPresent(work, row, count, presentBit('endMs'))
}

/** `bit`: that of the start in `present`, when the end was exported. */
function startFromDuration(bit: number): FinishStep {
  return (work, row, count) => {
    for (let i = row; i < row + count; i++) work[at.startMs][i] = work[at.endMs][i] - work[at.durationMs][i]
    markPresent(work, row, count, bit)
  }
}

const startAfterDelay: FinishStep = (work, row, count) => {
  const [start, end] = [work[at.startMs], work[at.endMs]]
  for (let i = row; i < row + count; i++) start[i] = Math.min(start[i] + work[at.reverseDelayMs][i], end[i])
}

function markPresent(work: Work, row: number, count: number, bit: number): void {
  for (let i = row; i < row + count; i++) work[at.present][i] |= bit
}
