// Compiles a template, once, when it arrives: into strided copies when its records all have the same length, else into a list of fields that is
// walked record by record with the same kernels.
import { presentBit } from '../flow/columns.ts'
import { type CopyKernel, chooseCopy, type FieldCopy, type Taking } from './copy.ts'
import { type Element, elementKey, elements, indexElements, sections } from './elements.ts'
import { type FinishStep, finishSteps, optionSteps } from './finish.ts'
import { isColumn, kindOf, type WorkName, workPlace } from './scratch.ts'

/** RFC 7011 section 7: a field of this length carries its length in each record. */
export const variableLength = 65_535

/** The fields of a template, in order. */
export interface TemplateFields {
  /** See `elementKey`; -1 for a field that is no information element (the scopes of NetFlow v9). */
  keys: readonly number[]
  /** Octets, or `variableLength`. */
  lengths: readonly number[]
  /** Options templates describe their exporter, not a flow. */
  options: boolean
}

export interface FixedCopy {
  copy: CopyKernel
  /** From the beginning of the record. */
  offset: number
  /** Which column: a place in the work columns. */
  place: number
}

export interface VariableField {
  /** Octets, or `variableLength`. */
  length: number
  /** -1: skip. */
  place: number
  /** By length; a length without one is not legal here. */
  kernels: readonly (FieldCopy | null)[]
  /** Scratch columns are not zeroed for every row. */
  scratch: boolean
}

/** A field that holds the beginning of a packet. */
export interface SectionField {
  field: number
  from: 'ethernet' | 'ip'
}

export interface Plan {
  options: boolean
  /** Octets of every record; 0 when they vary, or each is to be looked into. */
  stride: number
  /** No record is shorter. */
  lengthMin: number
  /** Empty when records vary in length, or when nothing in them is of use. */
  copies: readonly FixedCopy[]
  /** Empty when every record has the same length. */
  fields: readonly VariableField[]
  /** For records without addresses of their own. */
  section: SectionField | null
  /** Columns that the exporter sends, as in the batch's `present`. */
  present: number
  /** Whether a record is of use: a flow has a destination, or a packet's header; options tell of sampling or of the exporter's start. */
  useful: boolean
  /** Fields whose element is not known, or whose length is not legal for it. */
  unknownFields: number
  steps: readonly FinishStep[]
}

const registry = indexElements(elements)
/** No known element is longer than an IPv6 address. */
const widths = Array.from({ length: 17 }, (_, width) => width)

/** Elements that options data is read for. */
const optionColumns: ReadonlySet<WorkName> = new Set<WorkName>([
  'samplerId',
  'samplingInterval',
  'packetsTaken',
  'packetsSkipped',
  'samplingSize',
  'samplingPopulation',
  'samplingProbability',
  'bootMs',
])

export function compileTemplate(template: TemplateFields): Plan {
  const { keys, lengths, options } = template
  const chosen = chooseFields(template)
  const fieldOf = new Map([...chosen].map(([column, { field }]) => [field, column]))
  const elementOf = new Map([...chosen].map(([column, { element }]) => [column, element]))
  const lengthMin = lengths.reduce((sum, length) => sum + (length === variableLength ? 1 : length), 0)
  const columns = new Set(chosen.keys())
  const hasAddress = columns.has('dstAddr') || columns.has('dst6')
  const section = options || hasAddress ? null : sectionOf(keys)
  const useful = options ? columns.size > 0 : hasAddress || section !== null
  const variable = lengths.includes(variableLength) || section !== null
  return {
    options,
    stride: variable ? 0 : lengthMin,
    lengthMin,
    copies: variable || !useful ? [] : fixedCopies(lengths, fieldOf, elementOf),
    fields: variable ? variableFields(lengths, fieldOf, elementOf) : [],
    section,
    present: presentBits(columns),
    useful,
    unknownFields: keys.length - chosen.size,
    steps: !useful ? [] : options ? optionSteps(columns) : finishSteps(elementOf),
  }
}

function sectionOf(keys: readonly number[]): SectionField | null {
  for (const { id, from } of sections) {
    const field = keys.indexOf(elementKey(0, id))
    if (field >= 0) return { field, from }
  }
  return null
}

interface Choice {
  field: number
  element: Element
}

/** For each column the field that fills it. */
function chooseFields({ keys, lengths, options }: TemplateFields): Map<WorkName, Choice> {
  const chosen = new Map<WorkName, Choice>()
  keys.forEach((key, field) => {
    const element = registry.get(key)
    if (element === undefined || (options && !optionColumns.has(element.column))) return
    const length = lengths[field]
    if (length !== variableLength && chooseCopy(takingOf(element), length) === null) return
    const before = chosen.get(element.column)
    if (before !== undefined && (before.element.rank ?? 0) < (element.rank ?? 0)) return
    chosen.set(element.column, { field, element })
  })
  return chosen
}

function takingOf({ column, octets, encoding }: Element): Taking {
  return {
    kind: kindOf(column),
    ...(octets !== undefined && { octets }),
    ...(encoding !== undefined && { encoding }),
  }
}

type ColumnOfField = ReadonlyMap<number, WorkName>
type ElementOfColumn = ReadonlyMap<WorkName, Element>

function fixedCopies(lengths: readonly number[], columnOf: ColumnOfField, elementOf: ElementOfColumn): FixedCopy[] {
  const copies: FixedCopy[] = []
  let offset = 0
  lengths.forEach((length, field) => {
    const column = columnOf.get(field)
    const element = column === undefined ? undefined : elementOf.get(column)
    const kernel = element === undefined ? null : chooseCopy(takingOf(element), length)
    if (column !== undefined && kernel !== null) {
      copies.push({ copy: kernel.copy, offset: offset + kernel.skip, place: workPlace(column) })
    }
    offset += length
  })
  return copies
}

function variableFields(
  lengths: readonly number[],
  columnOf: ColumnOfField,
  elementOf: ElementOfColumn,
): VariableField[] {
  return lengths.map((length, field) => {
    const column = columnOf.get(field)
    const element = column === undefined ? undefined : elementOf.get(column)
    if (column === undefined || element === undefined) return { length, place: -1, kernels: [], scratch: false }
    const kernels = widths.map((width) => chooseCopy(takingOf(element), width))
    return { length, place: workPlace(column), kernels, scratch: !isColumn(column) }
  })
}

function presentBits(columns: ReadonlySet<WorkName>): number {
  let bits = 0
  for (const column of columns) if (isColumn(column)) bits |= presentBit(column)
  return bits >>> 0
}
