// Templates of messages: text with places, `{{event.site}}`, `{{event.peak.bitsPerSecond|bits}}`. There is no logic in them. What is wrong with one is said when
// it is saved; it is taken apart once, and filled in one pass, so that a value that looks like a place stays text. Pure.
import { cleanText } from '../clean.ts'
import type { Escaper } from '../escape.ts'
import { type Filling, type Form, forms, formsOf, type Place, places, type Value } from './places.ts'

interface FilledPlace {
  place: Place
  /** Null: as it is written without one. */
  form: Form | null
}

/** Text between places, and places, in order. */
type Part = string | FilledPlace

/** Writes a template with what fills it, in at most as many characters as are given; null: it is empty, or too long whatever is cut short. */
export type Written = (escaper: Escaper, max: number) => string | null

export interface Template {
  fill(filling: Filling): Written
}

const placesByName = new Map(places.map((place) => [place.name, place]))
const formsByName = new Map(forms.map((form) => [form.name, form]))

/** Characters of what fills a place: fewer where the message would be too long. */
const valueMax = [300, 100, 30, 10]
const linesMax = 40

/** The template, or what is wrong with it, in sentences. */
export function compileTemplate(text: string): Template | string[] {
  const parts: Part[] = []
  const faults: string[] = []
  // Every second piece is between the braces.
  for (const [index, piece] of text.split(/\{\{(.*?)\}\}/gs).entries()) {
    if (index % 2 === 0) parts.push(piece)
    else {
      const found = placeOf(piece)
      if (typeof found === 'string') faults.push(found)
      else parts.push(found)
    }
  }
  if (parts.some((part) => typeof part === 'string' && part.includes('{{')))
    faults.push('A place begins with {{ and has no }}')
  if (faults.length > 0) return faults
  return { fill: (filling: Filling) => writtenBy(parts, filling) }
}

function placeOf(piece: string): FilledPlace | string {
  const [name, wanted, ...more] = piece.split('|').map((each) => each.trim())
  const place = placesByName.get(name)
  const shown = `{{${piece.trim().slice(0, 60)}}}`
  if (place === undefined) return `There is no place ${shown}; there are: ${[...placesByName.keys()].join(', ')}`
  if (wanted === undefined) return { place, form: null }
  const form = formsByName.get(wanted)
  if (form !== undefined && form.of === place.kind && more.length === 0) return { place, form }
  const fitting = formsOf(place.kind)
  return fitting.length === 0
    ? `${shown}: ${name} is written in one way only`
    : `There is no ${shown}; ${name} can be written as: ${fitting.join(', ')}`
}

function writtenBy(parts: readonly Part[], filling: Filling): Written {
  const values = parts.map((part) => (typeof part === 'string' ? part : linesOf(part, filling)))
  return (escaper, max) => {
    for (const most of valueMax) {
      const pieces = values.map((value) =>
        typeof value === 'string' ? value : value.map((line) => escaper(cleanText(line, most))).join('\n'),
      )
      const written = pieces.join('')
      if (written.length <= max) return written.trim() === '' ? null : written
    }
    return null
  }
}

/** What fills a place, a line each. */
function linesOf({ place, form }: FilledPlace, filling: Filling): string[] {
  const value = place.read(filling)
  if (value === null) return []
  if (form !== null) return [writeBy(form, value, filling)]
  return plainLines(value, filling)
}

/** The form fits the kind of the place, which says what its values are. */
function writeBy({ write }: Form, value: NonNullable<Value>, { writer }: Filling): string {
  return write(value as never, writer)
}

function plainLines(value: NonNullable<Value>, { writer }: Filling): string[] {
  if (typeof value === 'number') return [String(Math.round(value * 10) / 10)]
  if (value instanceof Date) return [writer.time(value.getTime())]
  return typeof value === 'string' ? [value] : value.slice(0, linesMax)
}
