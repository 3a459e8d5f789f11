// The configuration as text: the example file, the effective configuration with the source of each value, the table of the documentation.
import { stringify } from 'yaml'
import { valueAt } from './changes.ts'
import { type ConfigKey, type KeyList, keywordsOf } from './keys.ts'
import type { LoadedConfig } from './load.ts'
import { literalsOf } from './values.ts'

const widthMax = 120
const masked = '********'

/** The description, and what the schema says of the values beyond it. */
function meaning(key: ConfigKey): string {
  const { minimum, maximum } = keywordsOf(key.schema)
  const choices = literalsOf(key.schema)
  const parts = [key.description ?? '']
  if (choices !== null) parts.push(`One of ${choices.join(', ')}.`)
  if (minimum !== undefined && maximum !== undefined) parts.push(`${minimum} to ${maximum}.`)
  else if (minimum !== undefined) parts.push(`At least ${minimum}.`)
  else if (maximum !== undefined) parts.push(`At most ${maximum}.`)
  return parts.join(' ').trim()
}

function comment(text: string, indent: string): string {
  const lines: string[] = []
  let line = `${indent}#`
  for (const word of text.split(/\s+/)) {
    if (line.length + 1 + word.length > widthMax) {
      lines.push(line)
      line = `${indent}#`
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\n')
}

function entry(name: string, value: unknown, indent: string): string {
  const text = stringify({ [name]: value ?? null }, { lineWidth: 0 })
  return text.trimEnd().replace(/^/gm, indent)
}

/** Sections as they nest, each followed by its keys. */
function renderTree(list: KeyList, renderKey: (key: ConfigKey, indent: string) => string[]): string {
  const blocks: string[] = []
  const indentOf = (parts: string[]) => '  '.repeat(parts.length - 1)
  for (const section of list.sections) {
    const indent = indentOf(section.parts)
    const heading = section.description === '' ? [] : [comment(section.description, indent)]
    const keys = list.keys.filter(({ parts }) => parts.slice(0, -1).join('.') === section.path)
    const name = section.parts[section.parts.length - 1]
    blocks.push(
      [...heading, `${indent}${name}:`, ...keys.flatMap((key) => renderKey(key, indentOf(key.parts)))].join('\n'),
    )
  }
  return `${blocks.join('\n\n')}\n`
}

function nameOf(key: ConfigKey): string {
  return key.parts[key.parts.length - 1]
}

/** Every key with its default, commented out: `# ` starts a sentence, `#` alone a key that can be uncommented. */
export function renderExample(list: KeyList): string {
  const head = [
    '# The configuration of Floodgauge: every key with its default. Uncomment what you change. See docs/configure.md.',
    '# This file is generated from the settings of the components (npm run generate).',
  ]
  const keys = renderTree(list, (key, indent) => [
    '',
    comment(meaning(key), indent),
    entry(nameOf(key), key.default, '').replace(/^/gm, `${indent}#`),
  ])
  return `${head.join('\n')}\n\n${keys}`
}

/** What is in force, as a file that says the same, with the source of each value; secrets are masked. */
export function renderEffective(list: KeyList, loaded: LoadedConfig): string {
  return renderTree(list, (key, indent) => {
    const value = valueAt(loaded.tree, key.parts)
    const text = entry(nameOf(key), key.secret && value !== undefined && value !== '' ? masked : value, indent)
    const [first, ...rest] = text.split('\n')
    return [`${first}  # ${loaded.origins.get(key.path)}`, ...rest]
  })
}

/** A Markdown table of every key, for docs/configure.md. */
export function renderTable(list: KeyList): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const rows = list.keys.map((key) => {
    const byDefault = key.default === undefined ? '' : `\`${JSON.stringify(key.default)}\``
    return `| \`${key.path}\` | ${cell(byDefault)} | ${cell(meaning(key))} | \`${key.variable}\` |`
  })
  return ['| key | default | meaning | environment |', '|---|---|---|---|', ...rows].join('\n')
}
