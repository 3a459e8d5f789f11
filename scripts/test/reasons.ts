// Why a run failed, picked out of what it printed, in so few lines that they can be said again at its very end.
// Run: node scripts/test/reasons.ts FILE
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/** Lines of all reasons together. */
export const linesMax = 40
/** Lines of the error of one test. */
const errorLinesMax = 10
/** Lines of the end of an output in which no test has failed. */
const endLines = 20

/** A run of several jobs ends with this line and the reasons of those that failed. */
export const heading = 'why it failed:'

/** The reporter of node:test lists at its end what failed: this line, then a part for each test. */
const failingTests = '✖ failing tests:'
/** What says nothing about the cause: the stack, and fields of an error that its message repeats. */
const noise = /^\s*$|^\s+at |^\s+\.\.\. \d+ lines|^\s*\}?\s*$|^\s+(?:generatedMessage|code|operator|diff): /
/** Fell with its suite, whose own reason is elsewhere in the list. */
const fellWithSuite = /did not finish before its parent|^\s*'?\d+ subtests? failed/

/** What a log says at its end: the reasons that its run gave itself, those of the tests that failed, or else its last lines. */
export function reasonsOf(log: string): string[] {
  const text = stripVTControlCharacters(log)
  const own = text.lastIndexOf(`\n${heading}\n`)
  const lines = own === -1 ? failedTests(text) : linesOf(text.slice(own + heading.length + 2))
  return bounded(lines.length > 0 ? lines : linesOf(text).slice(-endLines))
}

/** Says how many lines were left out. */
export function bounded(lines: string[]): string[] {
  if (lines.length <= linesMax) return lines
  return [...lines.slice(0, linesMax - 1), `  (${lines.length - linesMax + 1} more lines: see above)`]
}

/** A line with the name and file of each test that failed, and below it the beginning of its error. */
function failedTests(text: string): string[] {
  const tests = text.split(failingTests).slice(1).flatMap(partsOf)
  const isConsequence = ({ error }: Failed) => error.some((line) => fellWithSuite.test(line))
  const ordered = [...tests.filter((test) => !isConsequence(test)), ...tests.filter(isConsequence)]
  return ordered.flatMap(({ name, place, error }) => [
    `✖ ${name} (${place})`,
    ...(error.join().trim() === "'test failed'" ? wordsBefore(text, name) : error).slice(0, errorLinesMax),
  ])
}

interface Failed {
  name: string
  /** Its file and line. */
  place: string
  error: string[]
}

/** `section`: what follows `✖ failing tests:`; text of a later job may stand at its end, without indent. */
function partsOf(section: string): Failed[] {
  return [...section.matchAll(/^test at (.+)\n✖ (.+?)(?: \([\d.]+m?s\))?\n((?: .*\n|\n(?= ))*)/gm)].map(
    ([, place, name, error]) => ({ name, place, error: error.split('\n').filter((line) => !noise.test(line)) }),
  )
}

/** A file that ended before its tests did has no error, but perhaps has said something. */
function wordsBefore(text: string, name: string): string[] {
  const before = linesOf(text.slice(0, text.indexOf(`✖ ${name} (`)))
  const last = before.findLastIndex((line) => /^\s*[✔✖▶﹣]/.test(line))
  const said = before.slice(last + 1).slice(-errorLinesMax)
  return said.length > 0 ? said.map((line) => `  ${line}`) : ["  'test failed'"]
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

if (import.meta.main) for (const line of reasonsOf(readFileSync(process.argv[2], 'utf8'))) console.log(line)
