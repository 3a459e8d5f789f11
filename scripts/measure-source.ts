// Counts what there should be little or none of in the source: the measures of test/architecture/measures.ts, as a table.
// Run: node scripts/measure-source.ts [--at COMMIT] [--list WORDS]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { measures } from '../test/architecture/measures.ts'
import { readSources, type Source } from '../test/architecture/source.ts'
import { readOptions } from './options.ts'

const options = readOptions('node scripts/measure-source.ts [--at COMMIT] [--list WORDS]', {
  /** The same of this commit in a column beside it. */
  at: { type: 'string' },
  /** Each case of the measures whose name has these words, instead of the table. */
  list: { type: 'string' },
})

const root = resolve(import.meta.dirname, '..')

/** The source as it was committed, read from a folder that is removed again. */
function sourcesAt(commit: string): Source[] {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-source-'))
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    return readSources(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function printList(words: string): void {
  const sources = readSources(root)
  for (const { name, find } of measures.filter((measure) => measure.name.includes(words))) {
    console.log(name)
    for (const { path, line, text } of find(sources)) console.log(`  ${path}:${line}: ${text}`)
  }
}

function printTable(): void {
  const columns = [
    ...(options.at === undefined ? [] : [{ title: options.at, sources: sourcesAt(options.at) }]),
    { title: 'now', sources: readSources(root) },
  ]
  const rows = [
    ['measure', ...columns.map(({ title }) => title), 'wanted'],
    ...measures.map(({ name, wanted, find }) => [
      name,
      ...columns.map(({ sources }) => String(find(sources).length)),
      wanted === 0 ? '0' : `<= ${wanted}`,
    ]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  for (const [name, ...counts] of rows) {
    console.log([name.padEnd(widths[0]), ...counts.map((count, at) => count.padStart(widths[at + 1]))].join('  '))
  }
}

if (options.list === undefined) printTable()
else printList(options.list)
