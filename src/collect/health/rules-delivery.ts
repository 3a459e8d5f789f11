// Rules about delivery: losses, templates, broken datagrams.
import type { Rule, Subject } from './rule.ts'
import { lostShare, sequenceUnit } from './sequence-loss.ts'
import { counted, listed, share, span } from './words.ts'

const lossNotable = 0.001
const lossSerious = 0.01
/** Datagrams or records needed before a rule about losses can fit. */
const datagramsMin = 10
const quietLeastMs = 300_000
/** Time that a stream of one datagram may be quiet, milliseconds. */
const quietOnceMs = 3_600_000

/** Time that any stream may be quiet, milliseconds: some have little to export. */
const quietMs = ({ countedFromMs, lastMs, counters: { datagrams } }: Subject) =>
  datagrams < 2 ? quietOnceMs : Math.max(quietLeastMs, (10 * (lastMs - countedFromMs)) / (datagrams - 1))

const refreshAdvice = "Set the exporter's template refresh (template timeout, template data timeout) to 60 s or less."

const judgedLoss = (stream: Subject) => (stream.recent.datagrams < datagramsMin ? 0 : lostShare(stream))
const lossText = (stream: Subject) => {
  const { sequenceLost, sequenceGaps } = stream.recent
  const gaps = sequenceGaps === 1 ? '1 gap' : `${sequenceGaps} gaps`
  return `sequence numbers show ${share(lostShare(stream))} of the ${sequenceUnit(stream.protocol)} lost: ${sequenceLost} in ${gaps}`
}
const lossAdvice =
  "They were lost at the exporter, on the way, or in a receive buffer that is too small: see the kernel's drops and net.core.rmem_max, then the path and the exporter's own export counters."

export const deliveryRules: readonly Rule[] = [
  {
    rule: 'refused',
    severity: 'error',
    about: 'It has brought flows before, and the list of who may send leaves it out',
    says: ({ refusedMs, exporterLastMs, nowMs }) =>
      refusedMs > exporterLastMs
        ? `its datagrams were refused, the last ${span(Math.max(0, nowMs - refusedMs))} ago`
        : null,
    advice:
      'If it is an exporter of yours, let it send: by `floodgauge exporter allow ADDRESS`, or in ingest.exporters where that is set.',
  },
  {
    rule: 'silent',
    severity: 'error',
    about: 'Nothing came for five minutes, and for ten times as long as usual',
    says: (stream) => {
      const silentMs = stream.nowMs - stream.exporterLastMs
      return silentMs > quietMs(stream) ? `nothing was heard for ${span(silentMs)}` : null
    },
    advice: 'Is the exporter up, its export on, and the way to this machine open (addresses, firewall, VRF)?',
  },
  {
    rule: 'stream-silent',
    severity: 'note',
    about: 'The same of one of its streams, while others go on',
    says: (stream) => {
      const silentMs = stream.nowMs - stream.lastMs
      const othersMs = stream.nowMs - stream.exporterLastMs
      return silentMs > quietMs(stream) && othersMs <= quietMs(stream)
        ? `nothing came from this stream for ${span(silentMs)}`
        : null
    },
    advice: 'That is right when the export was set up again or a line card was taken out: a day later it is forgotten.',
  },
  {
    rule: 'loss',
    severity: 'error',
    about: 'By the sequence numbers one per cent or more of what it sent lately is lost',
    says: (stream) => (judgedLoss(stream) >= lossSerious ? lossText(stream) : null),
    advice: lossAdvice,
  },
  {
    rule: 'some-loss',
    severity: 'warning',
    about: 'The same, from one in a thousand on',
    says: (stream) => {
      const lost = judgedLoss(stream)
      return lost >= lossNotable && lost < lossSerious ? lossText(stream) : null
    },
    advice: lossAdvice,
  },
  {
    rule: 'no-template',
    severity: 'error',
    about: 'Data is waiting for a template',
    says: ({ waiting, firstMs, lastMs }) => {
      const templates = waiting.map(({ template }) => template).sort((a, b) => a - b)
      const sets = waiting.reduce((sum, { sets }) => sum + sets, 0)
      const heardMs = lastMs - firstMs
      return sets === 0
        ? null
        : `no template for ${listed('set', templates)} came${heardMs < 1_000 ? '' : ` in ${span(heardMs)}`}: ${counted(sets, 'set')} of data can not be read`
    },
    advice: refreshAdvice,
  },
  {
    rule: 'sets-given-up',
    severity: 'error',
    about: 'Data waited for a template in vain',
    says: ({ recent: { setsExpired, setsCrowdedOut, setsOverflowed, setsOutdated } }) => {
      const givenUp = setsExpired + setsCrowdedOut + setsOverflowed + setsOutdated
      return givenUp === 0
        ? null
        : `${counted(givenUp, 'set')} of data waited for a template in vain and ${givenUp === 1 ? 'is' : 'are'} lost`
    },
    advice: refreshAdvice,
  },
  {
    rule: 'late-template',
    severity: 'note',
    about: 'Data came before its template, waited, and was decoded',
    says: ({ recent: { setsDecodedLate } }) =>
      setsDecodedLate > 0
        ? `${counted(setsDecodedLate, 'set')} of data came before their template, and waited for it`
        : null,
    advice: 'A shorter template refresh (60 s or less) makes the wait shorter.',
  },
  {
    rule: 'no-flows',
    severity: 'error',
    about: 'Datagrams come, but hold no flow records',
    says: ({ counters, protocol, waiting, firstMs, lastMs, exporterRecords }) =>
      exporterRecords === 0 && waiting.length === 0 && lastMs - firstMs >= 60_000
        ? `${counters.datagrams} datagrams without any flow record in ${span(lastMs - firstMs)}${protocol === 'sflow5' ? ': counters only' : ''}`
        : null,
    advice:
      'Is the export bound to an interface that has traffic? In sFlow, is flow sampling on besides the polling of counters?',
  },
  {
    rule: 'malformed',
    severity: 'warning',
    about: 'Datagrams, sets or templates are cut short or malformed',
    says: ({ recent: { badSets, truncated, templatesRefused, datagrams } }) => {
      const bad = badSets + truncated + templatesRefused
      return bad > datagrams / 1000 ? `${bad} datagrams, sets or templates are cut short or malformed` : null
    },
    advice:
      'Is something cutting datagrams (MTU, the length of a capture)? Else it is a bug of the exporter: a capture shows it.',
  },
  {
    rule: 'shared-address',
    severity: 'note',
    about: 'Several sockets of the address send the same domain at the same time',
    says: ({ twins }) =>
      twins > 0 ? `${twins + 1} sockets of this address send the same domain at the same time` : null,
    advice:
      'If these are several exporters behind address translation (a container network, a load balancer), let the service see their real addresses. Some exporters do so by themselves.',
  },
]
