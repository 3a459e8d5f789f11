// What an exporter may send about a record beside the columns of a batch: the decoders need it to finish a row (which sampler, which unit of
// time), and it ends here. Kept as columns too, so that the same kernels fill them.
import { type Batch, type ColumnArray, createColumn } from '../../flow/batch.ts'
import { type ColumnKind, type ColumnName, columnNames, columns } from '../../flow/columns.ts'

export const scratch = {
  /** IP version as exported, element 60. */
  versionField: 'u32',
  samplerId: 'f64',
  /** PSAMP: the sequence of selectors that a packet went through. */
  selectionSequence: 'f64',
  /** In options data: the template that they are about. */
  scopeTemplate: 'f64',
  /** One of how many packets, as one number. */
  samplingInterval: 'f64',
  /** Packets taken in a row, and then left out (RFC 5477 section 8.2). */
  packetsTaken: 'f64',
  packetsSkipped: 'f64',
  /** n out of N. */
  samplingSize: 'f64',
  samplingPopulation: 'f64',
  samplingProbability: 'f64',
  /** When the exporter began to count its uptime, Unix milliseconds. */
  bootMs: 'f64',
  durationMs: 'f64',
  /** From the start of a flow to the first packet of its way back. */
  reverseDelayMs: 'f64',
  /** TCP flags of the first packet, and of all later ones. */
  firstFlags: 'u32',
  laterFlags: 'u32',
  icmpTypeCode: 'u32',
  icmpType: 'u32',
  icmpCode: 'u32',
  firewallEvent: 'u32',
  fragmentOffset: 'u32',
  fragmentFlags: 'u32',
} as const satisfies Record<string, ColumnKind>

export type ScratchName = keyof typeof scratch
export type WorkName = ColumnName | ScratchName

const workColumns: Record<WorkName, ColumnKind> = { ...columns, ...scratch }
const workNames = [...columnNames, ...(Object.keys(scratch) as ScratchName[])]

/** Columns of a batch and scratch columns beside it, row by row, by place (`workPlace`). */
export type Work = readonly ColumnArray[]

export function workPlace(name: WorkName): number {
  return workNames.indexOf(name)
}

export function kindOf(name: WorkName): ColumnKind {
  return workColumns[name]
}

export function createWork(batch: Batch): Work {
  return workNames.map((name) =>
    isColumn(name) ? batch.columns[name] : createColumn(workColumns[name], batch.capacity),
  )
}

export function isColumn(name: WorkName): name is ColumnName {
  return Object.hasOwn(columns, name)
}
