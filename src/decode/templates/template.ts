// Compiles a template, once, when it arrives: into copies of one field after another when its records all have the same length, else into runs of fields that are
// walked record by record with the same kernels.
import { presentBit } from '../../flow/columns.ts'
import { type Choices, chooseFields, isUnderstood, wayBack } from './choice.ts'
import { type Element, elementKey, sections } from './elements.ts'
import { type Estimate, estimateOf } from './estimate.ts'
import { type FinishStep, finishSteps, optionSteps } from './finish.ts'
import { type FieldPlace, layoutOf, placeOf, type Run } from './layout.ts'
import { isColumn, type WorkName, workPlace } from './scratch.ts'
import { type TemplateFields, variableLength } from './template-fields.ts'
import type { Totals } from './totals.ts'

export { type TemplateFields, variableLength }

/** The field that holds the beginning of a packet. */
export interface SectionField extends FieldPlace {
  from: 'ethernet' | 'ip'
}

export interface Plan {
  options: boolean
  /** Octets of every record; 0 when they vary, or each is to be looked into. */
  stride: number
  /** No record is shorter. */
  lengthMin: number
  /** One when every record has the same length; without copies when nothing in them is of use. */
  runs: readonly Run[]
  /** For records without addresses of their own. */
  section: SectionField | null
  /** Columns that the exporter sends, as in the batch's `present`. */
  present: number
  /** Whether records are needed: flows with a destination or a packet header, options with sampling or the exporter's start. */
  useful: boolean
  /** IP version of all records; 0: each record has its own. */
  ipVersion: 0 | 4 | 6
  /** Where all records have their IPv4 destination, from their beginning; -1: they vary, or it is not the only address that counts. */
  destinationAt: number
  /** Fields that no column is filled from. */
  unknownFields: number
  /** Elements (see `elementKey`) that no registry of ours has, or whose length is not legal for them; each once. */
  unknownElements: readonly number[]
  steps: readonly FinishStep[]
  /** Whether records have the direction in which their packets were counted. */
  tellsDirection: boolean
  /** Counters that run from the beginning of a flow; null: none does. */
  totals: Totals | null
  /** For records that do not count packets. */
  estimate: Estimate | null
  /** For records of two directions (RFC 5103): the same octets as a record of the way back. */
  reverse: Plan | null
}

export function compileTemplate(template: TemplateFields): Plan {
  const chosen = chooseFields(template)
  const back = template.options ? null : wayBack(template, chosen)
  const plan = planOf(template, chosen)
  if (back === null) return plan
  return { ...plan, reverse: planOf(template, back), destinationAt: -1 }
}

function planOf({ keys, lengths, options, interfaces = false }: TemplateFields, chosen: Choices): Plan {
  const elementOf = new Map([...chosen].map(([column, { element }]) => [column, element]))
  const lengthMin = lengths.reduce((sum, length) => sum + (length === variableLength ? 1 : length), 0)
  const columns = new Set(chosen.keys())
  const hasAddress = columns.has('dstAddr') || columns.has('dst6')
  const section = options || hasAddress ? null : sectionOf(keys, lengths)
  const useful = options ? columns.size > 0 : hasAddress || section !== null
  const variable = lengths.includes(variableLength) || section !== null
  const runs = layoutOf(lengths, useful ? chosen : new Map())
  const ipVersion = ipVersionOf(columns)
  const destination = runs[0].copies.find(({ place }) => place === destinationPlace)
  return {
    options,
    stride: variable ? 0 : lengthMin,
    lengthMin,
    runs,
    section,
    present: presentBits(columns),
    useful,
    ipVersion,
    destinationAt: variable || ipVersion !== 4 || destination === undefined ? -1 : destination.offset,
    unknownFields: keys.length - chosen.size,
    unknownElements: unknownElements(keys, lengths),
    steps: !useful ? [] : options ? optionSteps(columns) : finishSteps(elementOf, { interfaces }),
    tellsDirection: !options && columns.has('direction'),
    totals: options ? null : totalsOf(elementOf),
    estimate: options || section !== null ? null : estimateOf(columns),
    reverse: null,
  }
}

const destinationPlace = workPlace('dstAddr')

/** The seconds of a header are whole ones. */
const headerJitterMs = 1000

function totalsOf(elementOf: ReadonlyMap<WorkName, Element>): Totals | null {
  const isTotal = (column: WorkName) => elementOf.get(column)?.total ?? false
  const [bytes, packets] = [isTotal('bytes'), isTotal('packets')]
  if (!bytes && !packets) return null
  return { bytes, packets, jitterMs: elementOf.get('startMs')?.basis === undefined ? 0 : headerJitterMs }
}

function ipVersionOf(columns: ReadonlySet<WorkName>): 0 | 4 | 6 {
  const has4 = columns.has('srcAddr') || columns.has('dstAddr')
  const has6 = columns.has('src6') || columns.has('dst6')
  return has4 === has6 ? 0 : has6 ? 6 : 4
}

function unknownElements(keys: readonly number[], lengths: readonly number[]): number[] {
  return [...new Set(keys.filter((key, field) => key >= 0 && !isUnderstood(key, lengths[field])))]
}

function sectionOf(keys: readonly number[], lengths: readonly number[]): SectionField | null {
  for (const { id, from } of sections) {
    const field = keys.indexOf(elementKey(0, id))
    if (field >= 0) return { ...placeOf(lengths, field), from }
  }
  return null
}

function presentBits(columns: ReadonlySet<WorkName>): number {
  let bits = 0
  for (const column of columns) if (isColumn(column)) bits |= presentBit(column)
  return bits >>> 0
}
