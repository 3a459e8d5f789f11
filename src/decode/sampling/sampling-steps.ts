// The steps that give rows their sampling rates, and learn rates from options data. They are compiled with the template, as all steps.
import { fillRows } from '../../flow/batch.ts'
import type { DatagramContext, FinishStep } from '../templates/finish.ts'
import { type Work, type WorkName, workPlace } from '../templates/scratch.ts'

const rateMax = 2 ** 32

const intervalAt = workPlace('samplingInterval')
const takenAt = workPlace('packetsTaken')
const skippedAt = workPlace('packetsSkipped')
const sizeAt = workPlace('samplingSize')
const populationAt = workPlace('samplingPopulation')
const probabilityAt = workPlace('samplingProbability')

const samplerAt = workPlace('samplerId')
const sequenceAt = workPlace('selectionSequence')
const ingressAt = workPlace('ingressInterface')
const egressAt = workPlace('egressInterface')
const templateAt = workPlace('scopeTemplate')
const rateAt = workPlace('samplingRate')

/** Scratch columns that tell a rate. Those that a template does not have must be 0 in the row. */
export const samplingPlaces: readonly number[] = [intervalAt, takenAt, skippedAt, sizeAt, populationAt, probabilityAt]

/** Columns that options data are read for: rates, and what they are the rates of. */
export const samplingColumns: readonly WorkName[] = [
  'samplingInterval',
  'packetsTaken',
  'packetsSkipped',
  'samplingSize',
  'samplingPopulation',
  'samplingProbability',
  'samplerId',
  'selectionSequence',
  'ingressInterface',
  'scopeTemplate',
]

/** Packets per sampled packet by the exporter of a row; 0 when it sent no sensible rate. */
export function rateOfRow(work: Work, row: number): number {
  const size = work[sizeAt][row]
  const population = work[populationAt][row]
  if (size > 0 && population > 0) return sensible(population / size)
  const taken = work[takenAt][row]
  const skipped = work[skippedAt][row]
  if (taken > 0 && skipped > 0) return sensible((taken + skipped) / taken)
  const interval = work[intervalAt][row]
  if (interval > 0) return sensible(interval)
  const probability = work[probabilityAt][row]
  if (probability > 0) return sensible(1 / probability)
  // Some exporters send the interval alone and mean one packet of as many.
  return sensible(taken)
}

function sensible(rate: number): number {
  return rate >= 1 && rate <= rateMax ? rate : 0
}

const byName = ['samplerId', 'selectionSequence'] as const
const byNameOrInterface = [...byName, 'ingressInterface', 'egressInterface'] as const

/**
 * The steps that give the records of a template with these columns their rate: the one in the record first, then that of options data. Interfaces are only
 * looked up where the exporter sends rates by interface.
 */
export function samplingSteps(
  has: (name: WorkName) => boolean,
  columns: Iterable<WorkName>,
  { interfaces }: { interfaces: boolean },
): FinishStep[] {
  const steps: FinishStep[] = []
  const told = [...columns].map(workPlace).filter((place) => samplingPlaces.includes(place))
  if (told.length > 0) {
    for (const place of samplingPlaces) if (!told.includes(place)) steps.push(zero(place))
    steps.push(rateFromRow)
  }
  if (!(interfaces ? byNameOrInterface : byName).some(has))
    steps.push(told.length > 0 ? rateOfStreamWhereUnknown : rateOfStream)
  else {
    for (const name of byNameOrInterface) if (!has(name)) steps.push(zero(workPlace(name)))
    steps.push(rateFromNames)
  }
  return steps
}

function zero(place: number): FinishStep {
  return (work, row, count) => fillRows(work[place], row, count, 0)
}

const rateFromRow: FinishStep = (work, row, count, { sampling }) => {
  if (sampling.override > 0) return
  const rates = work[rateAt]
  let last = 0
  for (let i = row; i < row + count; i++) {
    const rate = rateOfRow(work, i)
    if (rate === 0) continue
    if (rate !== last) last = sampling.ofRecord(rate)
    rates[i] = last
  }
  if (last > 0) sampling.note('record', last)
}

const rateOfStream: FinishStep = (work, row, count, { sampling, template }) => {
  if (sampling.override === 0) fillRows(work[rateAt], row, count, sampling.rateOfSet(template, count))
}

const rateOfStreamWhereUnknown: FinishStep = (work, row, count, { sampling, template }) => {
  if (sampling.override > 0) return
  const rates = work[rateAt]
  for (let i = row; i < row + count; i++) if (rates[i] === 0) rates[i] = sampling.rateOf(0, 0, 0, template)
}

const rateFromNames: FinishStep = (work, row, count, { sampling, template }) => {
  if (sampling.override > 0) return
  const rates = work[rateAt]
  const samplers = work[samplerAt]
  const sequences = work[sequenceAt]
  const ingress = work[ingressAt]
  const egress = work[egressAt]
  for (let i = row; i < row + count; i++) {
    if (rates[i] > 0) continue
    const sampler = samplers[i] > 0 || sequences[i] === 0 ? samplers[i] : sampling.samplerOf(sequences[i])
    rates[i] = sampling.rateOf(sampler, ingress[i], egress[i], template)
  }
}

/** Learns the sampling rates in a row of options data. */
export function learnSampling(work: Work, row: number, { sampling, receivedMs }: DatagramContext): void {
  const rate = rateOfRow(work, row)
  const sampler = work[samplerAt][row]
  const sequence = work[sequenceAt][row]
  const ingress = work[ingressAt][row]
  const template = work[templateAt][row]
  if (sequence > 0 && sampler > 0 && rate === 0) sampling.tell('sequence', sequence, sampler, receivedMs)
  else if (sampler > 0) sampling.tell('sampler', sampler, rate, receivedMs)
  else if (rate === 0) return
  else if (ingress > 0) sampling.tell('interface', ingress, rate, receivedMs)
  else if (template > 0) sampling.tell('template', template, rate, receivedMs)
  else sampling.tell('exporter', 0, rate, receivedMs)
}
