// Computes losses from sequence numbers.
import type { StreamCounters } from '../../decode/counters.ts'
import type { ExportProtocol } from '../../flow/columns.ts'
import type { StreamReport } from './report.ts'

/** The unit that sequence numbers count, by protocol. */
export function sequenceUnit(protocol: ExportProtocol): 'datagrams' | 'records' {
  return protocol === 'netflow5' || protocol === 'ipfix' ? 'records' : 'datagrams'
}

/** Share of what was sent recently that was lost, by the sequence numbers, 0 to 1. */
export function lostShare({ protocol, recent }: Pick<StreamReport, 'protocol' | 'recent'>): number {
  const received = sequenceUnit(protocol) === 'datagrams' ? recent.datagrams : recordsOf(recent)
  return recent.sequenceLost === 0 ? 0 : recent.sequenceLost / (recent.sequenceLost + received)
}

function recordsOf({ records, recordsWithoutAddress, optionRecords }: StreamCounters): number {
  return records + recordsWithoutAddress + optionRecords
}
