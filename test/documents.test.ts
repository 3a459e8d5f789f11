// Proves that the documents tell the truth about names: every path, link, npm script, command and option that they mention exists, and every
// invariant of ARCHITECTURE.md names a test that is there.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { configKeys } from '../src/config.ts'
import { type Block, commandsIn, fencedBlocks, type NamedCommand } from './helpers/markdown.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
  .concat(readdirSync(join(root, 'docs')).map((name) => `docs/${name}`))
  .filter((path) => path.endsWith('.md') && existsSync(join(root, path)))
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const scripts: Record<string, string> = JSON.parse(textOf('package.json')).scripts

/** The command line as `floodgauge` builds it, without running anything. */
async function commandLine(): Promise<Command> {
  const program = new Command('floodgauge')
  for (const name of readdirSync(join(root, 'src/cli/commands')).filter((each) => /^[a-z-]+\.ts$/.test(each))) {
    const module: Record<string, unknown> = await import(`../src/cli/commands/${name}`)
    for (const register of Object.values(module)) {
      if (typeof register === 'function' && register.name.startsWith('register')) register(program)
    }
  }
  return program
}

/** The command of these words; undefined when it does not exist. */
const commandOf = (program: Command, words: readonly string[]) =>
  words.reduce<Command | undefined>(
    (parent, word) => parent?.commands.find((command) => command.name() === word),
    program,
  )

const shells = (path: string): Block[] => fencedBlocks(textOf(path)).filter(({ language }) => language === 'sh')

/** Inline code without its fences: `src/net/ipv4.ts`. */
const inlineCode = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')

test('links and paths lead somewhere', () => {
  const broken = documents.flatMap((path) => {
    const text = textOf(path)
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) =>
      join(dirname(path), match[1] ?? ''),
    )
    const mentioned = inlineCode(text).filter((code) =>
      /^(?:src|test|client|docs|scripts|bench|bin|\.ci)\/[\w./-]*$/.test(code),
    )
    return [...links, ...mentioned]
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${path}: ${target}`)
  })
  assert.deepEqual(broken, [])
})

test('npm scripts exist', () => {
  const mentioned = documents.flatMap((path) =>
    [...textOf(path).matchAll(/\bnpm (?:run (?!-)([\w:-]+)|(start|test)\b)/g)].map((match) => ({
      path,
      name: match[1] ?? match[2] ?? '',
    })),
  )
  assert.ok(mentioned.length > 0)
  assert.deepEqual(
    mentioned.filter(({ name }) => scripts[name] === undefined),
    [],
  )
})

test('commands and their options exist', async () => {
  const inText = (path: string) => inlineCode(textOf(path)).filter((code) => /^(?:npx )?floodgauge [a-z]/.test(code))
  const mentioned = documents.flatMap((path) =>
    [...shells(path).map(({ text }) => text), ...inText(path)].flatMap((text) =>
      commandsIn(text).map((command): NamedCommand & { path: string } => ({ path, ...command })),
    ),
  )
  assert.ok(mentioned.length > 0)
  const program = await commandLine()
  const wrong = mentioned.flatMap(({ path, words, options }) => {
    const name = words.join(' ')
    const command = commandOf(program, words)
    if (command === undefined) return [`${path}: floodgauge ${name}`]
    const known = new Set(['--help', ...command.options.map(({ long }) => long)])
    return options.filter((option) => !known.has(option)).map((option) => `${path}: floodgauge ${name} ${option}`)
  })
  assert.deepEqual(wrong, [])
})

test('the commands of a text are found', () => {
  const text =
    'TOKEN=$(npx floodgauge token create a@b.net --scope read) && floodgauge serve \\\n  --data x | cat\nfloodgauge decode FILE.pcap'
  assert.deepEqual(commandsIn(text), [
    { words: ['token', 'create'], options: ['--scope'] },
    { words: ['serve'], options: ['--data'] },
    { words: ['decode'], options: [] },
  ])
})

test('ARCHITECTURE.md is short, and each invariant names a test that exists', () => {
  const text = textOf('ARCHITECTURE.md')
  assert.ok(text.split('\n').length <= 260)
  const section = /^## Invariants$([\s\S]*?)^## /m.exec(text)?.[1] ?? ''
  const invariants = section.split(/^(?=- )/m).filter((item) => item.startsWith('- '))
  assert.ok(invariants.length >= 8)
  const unproven = invariants.filter(
    (item) => !inlineCode(item).some((code) => code.endsWith('.test.ts') && existsSync(join(root, code))),
  )
  assert.deepEqual(unproven, [])
})

test('settings that are named exist', () => {
  const keys = new Set(configKeys.keys.map(({ path }) => path))
  const sections = new Set([...keys].map((key) => key.split('.')[0]))
  const named = documents.flatMap((path) =>
    inlineCode(textOf(path)).filter(
      (code) => /^[a-z]+(?:\.[a-z][A-Za-z]+)+$/.test(code) && sections.has(code.split('.')[0]),
    ),
  )
  assert.ok(named.length > 0)
  assert.deepEqual(
    named.filter((name) => !keys.has(name) && ![...keys].some((key) => key.startsWith(`${name}.`))),
    [],
  )
})

test('docs/operate.md lists every metric, and no other', () => {
  const declared = new Set(
    readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .flatMap((path) =>
        [...textOf(`src/${path}`).matchAll(/'(floodgauge_[a-z0-9_]+)'/g)].map((match) => match[1] ?? ''),
      ),
  )
  const listed = new Set(inlineCode(textOf('docs/operate.md')).filter((code) => code.startsWith('floodgauge_')))
  assert.deepEqual([...listed].sort(), [...declared].sort())
})

test('each decision has a number of its own, and a date', () => {
  const headings = textOf('docs/decisions.md').match(/^### .*$/gm) ?? []
  const numbers = headings.map((line) => Number(/^### (\d+)\. \S.* \(\d{4}-\d\d-\d\d\)$/.exec(line)?.[1]))
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    numbers.map((_, index) => index + 1),
  )
})
