// Where the columns' values lie in a record: runs of fields of fixed length, each of which may end in a field whose length varies from record to record.
// A record without such a field is one run.
import type { Choices } from './choice.ts'
import { takingOf } from './choice.ts'
import { type CopyKernel, chooseCopy, type FieldCopy } from './copy.ts'
import { isColumn, workPlace } from './scratch.ts'
import { variableLength } from './template-fields.ts'

export interface FixedCopy {
  copy: CopyKernel
  /** From the beginning of the run. */
  offset: number
  /** Which column: a place in the work columns. */
  place: number
}

export interface VaryingField {
  /** -1: skip. */
  place: number
  /** By length; a length without one is not legal here. */
  kernels: readonly (FieldCopy | null)[]
  /** Scratch columns are not zeroed for every row. */
  scratch: boolean
}

export interface Run {
  /** Octets of the fields of fixed length. */
  length: number
  copies: readonly FixedCopy[]
  /** The field of variable length after them. */
  varies: VaryingField | null
}

/** Where a field is: in which run, and how far from its beginning (the field that varies: after all others). */
export interface FieldPlace {
  run: number
  offset: number
  /** Octets, or `variableLength`. */
  length: number
}

/** No known element is longer than an IPv6 address. */
const widths = Array.from({ length: 17 }, (_, width) => width)

/** The runs of a template whose fields have these lengths, to fill the columns that were chosen. */
export function layoutOf(lengths: readonly number[], chosen: Choices): Run[] {
  const columnOf = new Map([...chosen].map(([column, { field, element }]) => [field, { column, element }]))
  const runs: Run[] = []
  let copies: FixedCopy[] = []
  let length = 0
  const end = (varies: VaryingField | null) => {
    runs.push({ length, copies, varies })
    copies = []
    length = 0
  }
  for (let field = 0; field < lengths.length; field++) {
    const known = columnOf.get(field)
    if (lengths[field] === variableLength) {
      if (known === undefined) end({ place: -1, kernels: [], scratch: false })
      else {
        const kernels = widths.map((width) => chooseCopy(takingOf(known.element), width))
        end({ place: workPlace(known.column), kernels, scratch: !isColumn(known.column) })
      }
      continue
    }
    const kernel = known === undefined ? null : chooseCopy(takingOf(known.element), lengths[field])
    if (known !== undefined && kernel !== null) {
      copies.push({ copy: kernel.copy, offset: length + kernel.skip, place: workPlace(known.column) })
    }
    length += lengths[field]
  }
  end(null)
  return runs
}

export function placeOf(lengths: readonly number[], field: number): FieldPlace {
  let run = 0
  let offset = 0
  for (let before = 0; before < field; before++) {
    if (lengths[before] === variableLength) {
      run++
      offset = 0
    } else offset += lengths[before]
  }
  return { run, offset, length: lengths[field] }
}
