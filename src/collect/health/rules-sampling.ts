// Rules about sampling: whether the rates by which traffic is multiplied are known, and believable.
import type { JumpOutcome } from '../../decode/sampling/rate-jumps.ts'
import { type Rule, recordsMin, type Subject } from './rule.ts'
import { share, span } from './words.ts'

const unknownRate = ({ sampling }: Subject) => sampling.rates.find(({ rate }) => rate === 0)?.share ?? 0
const usualRate = ({ sampling }: Subject) => sampling.rates.find(({ rate }) => rate > 0)?.rate ?? 0

/** How long a large change of a rate is reported after it was decided, milliseconds. */
const jumpToldMs = 86_400_000

const rateText = (rate: number) => (rate > 0 ? `1:${rate}` : 'none')
/** The latest large change of this outcome, in words; null: there is none, or whatever the exporter tells is passed over. */
const jumpText = ({ sampling, nowMs }: Subject, outcome: JumpOutcome) => {
  const jump = sampling.jumps.find((each) => each.outcome === outcome)
  if (jump === undefined || sampling.from === 'override' || nowMs - jump.decidedMs >= jumpToldMs) return null
  const what = jump.scope === 'exporter' ? 'a rate' : `for ${jump.scope} ${jump.id} a rate`
  const ago = span(Math.max(0, nowMs - jump.toldMs))
  return `${what} of ${rateText(jump.to)} was told ${ago} ago in place of ${rateText(jump.from)}`
}

export const samplingRules: readonly Rule[] = [
  {
    rule: 'sampling-jump-waits',
    severity: 'warning',
    about: 'A sampling rate has changed by more than 10 times, and waits to be told again',
    says: (stream) => {
      const text = jumpText(stream, 'waits')
      return text && `${text}, which counts until the new one is told again`
    },
    advice:
      "Compare it with the exporter's configuration: options data can be forged. Set the right rate in ingest.sampling, and it counts at once, whatever is told.",
  },
  {
    rule: 'sampling-jump-contradicted',
    severity: 'warning',
    about: 'A sampling rate more than 10 times off was told, and the exporter goes on telling the one before',
    says: (stream) => {
      const text = jumpText(stream, 'contradicted')
      return text && `${text}, and the exporter contradicted it`
    },
    advice:
      'It did not count. Somebody may send options data in the name of the exporter: let only exporters reach the flow ports, and set the rate in ingest.sampling.',
  },
  {
    rule: 'sampling-jump',
    severity: 'note',
    about: 'A sampling rate has changed by more than 10 times',
    says: (stream) => {
      const text = jumpText(stream, 'confirmed')
      return text && `${text}, and told again since: it counts`
    },
    advice: "If nobody has changed it, compare it with the exporter's configuration, and set it in ingest.sampling.",
  },
  {
    rule: 'sampling-unknown',
    severity: 'error',
    about: 'The exporter samples, and does not tell its rate for all records',
    says: ({ recent: { samplingUnknown, records, recordsPassed } }) =>
      samplingUnknown > (records - recordsPassed) / 100 && samplingUnknown > 0
        ? `no sampling rate was told for ${share(Math.min(samplingUnknown / (records - recordsPassed), 1))} of the records, though the exporter samples`
        : null,
    advice:
      'They count as if every packet had been seen. Let the exporter send its sampler table (options data) for every sampler, each minute, or set the rate in ingest.sampling.',
  },
  {
    rule: 'sampling-swapped',
    severity: 'warning',
    about: 'The sampling rate came in the wrong byte order, and is corrected',
    says: (stream) =>
      stream.sampling.doubts.includes('byteOrder')
        ? `the sampling rate came in the wrong byte order, and is taken for 1:${usualRate(stream)}`
        : null,
    advice: 'An update of the exporter fixes it (RouterOS 7). If the rate is still wrong, set it in ingest.sampling.',
  },
  {
    rule: 'sampling-odd',
    severity: 'warning',
    about: 'The sampling rate may have come in the wrong byte order',
    says: (stream) =>
      stream.sampling.doubts.includes('maybeByteOrder')
        ? `a sampling rate of 1:${usualRate(stream)} may be one in the wrong byte order`
        : null,
    advice: "It is believed. Compare it with the exporter's configuration, and set the right one in ingest.sampling.",
  },
  {
    rule: 'sampling-absurd',
    severity: 'error',
    about: 'The sampling rate is too large to be true',
    says: ({ sampling: { doubts } }) =>
      doubts.includes('tooLarge') ? 'the sampling rate that was told is too large to be true, and not believed' : null,
    advice: "Set the rate of the exporter's configuration in ingest.sampling.",
  },
  {
    rule: 'sampling-above-links',
    severity: 'error',
    about: 'With the sampling rate there is more traffic than the interfaces can carry',
    says: (stream) =>
      stream.sampling.doubts.includes('aboveLinks')
        ? `with a sampling rate of 1:${usualRate(stream)} there is more traffic than the interfaces can carry`
        : null,
    advice: "Compare the rate with the exporter's configuration, and set the right one in ingest.sampling.",
  },
  {
    rule: 'sampling-override',
    severity: 'note',
    about: 'The rate of the configuration counts',
    says: (stream) =>
      stream.sampling.from === 'override'
        ? `records count with the rate of ingest.sampling, 1:${usualRate(stream)}`
        : null,
    advice: 'Whatever the exporter tells is passed over.',
  },
  {
    rule: 'sampling-untold',
    severity: 'note',
    about: 'No sampling rate was told, nor that the exporter samples',
    says: (stream) =>
      unknownRate(stream) > 0.5 && stream.records.sampled >= recordsMin && stream.recent.samplingUnknown === 0
        ? 'no sampling rate was told'
        : null,
    advice:
      'That is right when every packet is counted. If the exporter samples, let it send its rate or set it in ingest.sampling, or all traffic here is too low by that factor.',
  },
]
