// How the lists of an attack lie in a cell: as JSON, under the names by which they were first stored. These are part of stored data, and statements of
// stores read lists by them: a change needs a migration.
import type { Dimension } from '../detect/evidence/evidence.ts'
import { noStatistics, type Statistics } from '../detect/incidents/incident-report.ts'
import { type Column, json } from './columns.ts'

/** The stored names of lists that have another name here. */
const storedNames = new Map<string, string>([
  ['destinationPort', 'dstport'],
  ['sourcePort', 'srcport'],
  ['sourceAddress', 'srcip'],
  ['protocol', 'proto'],
] satisfies [Dimension, string][])
const ownNames = new Map(Array.from(storedNames, ([own, stored]) => [stored, own]))

const stored = json<Statistics>((lists) => complete(renameLists(lists, ownNames)))

export const statisticsColumn: Column<Statistics> = {
  ...stored,
  toCell: (statistics) => stored.toCell(renameLists(statistics, storedNames)),
}

/** The same values under other names. Cells have the stored names although their type says otherwise: hence the type is that of the argument. */
function renameLists({ flowsMissedMax, ...lists }: Statistics, names: ReadonlyMap<string, string>): Statistics {
  const rename = (record: object) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [names.get(name) ?? name, value]))
  return { ...rename(lists), flowsMissedMax: rename(flowsMissedMax ?? {}) } as Statistics
}

/** Adds lists that older versions did not keep: they are empty. */
function complete({ flowsMissedMax, ...lists }: Partial<Statistics>): Statistics {
  return { ...noStatistics, ...lists, flowsMissedMax: { ...noStatistics.flowsMissedMax, ...flowsMissedMax } }
}
