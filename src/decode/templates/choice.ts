// Which field of a template fills which column: of the flow, and, for records of two directions, of the way back.

import { samplingColumns } from '../sampling/sampling-steps.ts'
import { chooseCopy, type Taking } from './copy.ts'
import {
  type Element,
  elementKey,
  elements,
  indexElements,
  leftOut,
  ntopElements,
  ntopV9Base,
  reverseElements,
  reversePen,
} from './elements.ts'
import { kindOf, type WorkName } from './scratch.ts'
import { type TemplateFields, variableLength } from './template-fields.ts'

export interface Choice {
  field: number
  element: Element
}

/** For each column the field that fills it. */
export type Choices = ReadonlyMap<WorkName, Choice>

type Registry = ReadonlyMap<number, Element>

/** Columns that each direction has of its own; all others are common to both. */
const ofOneWay: ReadonlySet<WorkName> = new Set<WorkName>([
  'bytes',
  'packets',
  'tcpFlags',
  'firstFlags',
  'laterFlags',
  'icmpTypeCode',
  'icmpType',
  'icmpCode',
  'fragmentOffset',
  'fragmentFlags',
  'sourceAs',
  'direction',
])

const reversible: ReadonlySet<WorkName> = new Set<WorkName>([...ofOneWay, 'startMs', 'endMs', 'durationMs'])

export const registry = indexElements(elements)
/** RFC 5103 section 6.1: the reverse of an element has its number, and an enterprise number of its own. */
const mirrored = elements
  .filter(({ pen, column }) => pen === undefined && reversible.has(column))
  .map((element) => ({ ...element, pen: reversePen }))
const reverseRegistry = indexElements([...mirrored, ...reverseElements])
const ntopRegistry = indexElements([...mirrored, ...reverseElements, ...ntopElements.reverse])

const leftOutKeys = leftOut.map(({ pen, first, last }) => ({
  first: elementKey(pen, first),
  last: elementKey(pen, last),
}))

/** Elements that options data is read for. */
const optionColumns: ReadonlySet<WorkName> = new Set<WorkName>([...samplingColumns, 'bootMs'])

export function chooseFields(template: TemplateFields): Choices {
  return chooseFrom(registry, template)
}

function chooseFrom(known: Registry, { keys, lengths, options }: TemplateFields): Map<WorkName, Choice> {
  const chosen = new Map<WorkName, Choice>()
  for (let field = 0; field < keys.length; field++) {
    const element = known.get(keys[field])
    if (element === undefined || (options && !optionColumns.has(element.column))) continue
    if (!isLegal(element, lengths[field])) continue
    const before = chosen.get(element.column)
    if (before !== undefined && rankOf(before.element) < rankOf(element)) continue
    chosen.set(element.column, { field, element })
  }
  return chosen
}

function isLegal(element: Element, length: number): boolean {
  return length === variableLength || chooseCopy(takingOf(element), length) !== null
}

export function takingOf({ column, octets, encoding }: Element): Taking {
  return {
    kind: kindOf(column),
    ...(octets !== undefined && { octets }),
    ...(encoding !== undefined && { encoding }),
  }
}

function rankOf({ rank = 0 }: Element): number {
  return rank
}

const otherEnd: Partial<Record<WorkName, WorkName>> = {
  srcAddr: 'dstAddr',
  dstAddr: 'srcAddr',
  src6: 'dst6',
  dst6: 'src6',
  srcPort: 'dstPort',
  dstPort: 'srcPort',
  ingressInterface: 'egressInterface',
  egressInterface: 'ingressInterface',
}

/** The fields of the way back, when the template counts it: its own, and the ends of the flow turned round. Else null. */
export function wayBack(template: TemplateFields, forward: Choices): Choices | null {
  const back = chooseFrom(template.keys.some(isNtop) ? ntopRegistry : reverseRegistry, template)
  const counters = ['bytes', 'packets'] as const
  const best = Math.min(
    ...counters.map((column) => forward.get(column)).map((choice) => (choice ? rankOf(choice.element) : Infinity)),
  )
  for (const column of counters) {
    const element = back.get(column)?.element
    // A connection's counters beside those of the flow are no way back of this flow.
    if (element !== undefined && element.pen === undefined && rankOf(element) > best) back.delete(column)
  }
  if (!back.has('bytes') && !back.has('packets')) return null
  const turned = new Map<WorkName, Choice>()
  for (const [column, choice] of forward) if (!ofOneWay.has(column)) turned.set(otherEnd[column] ?? column, choice)
  for (const [column, choice] of back) turned.set(column, choice)
  return turned.has('dstAddr') || turned.has('dst6') ? turned : null
}

function isNtop(key: number): boolean {
  return Math.floor(key / 65_536) === ntopElements.pen || (key >= ntopV9Base && key < ntopV9Base + 1024)
}

/** Whether a field is empty, or one of a known element at a length that is legal for it: used, or left out on purpose. */
export function isUnderstood(key: number, length: number): boolean {
  if (length === 0) return true
  const element = registry.get(key) ?? reverseRegistry.get(key)
  if (element !== undefined) return isLegal(element, length)
  for (const { first, last } of leftOutKeys) if (key >= first && key <= last) return true
  return false
}
