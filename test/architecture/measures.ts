// What is counted of the source: each measure is a row with what is wanted of it, how its cases are found, files that have one and near misses
// that have none. `node scripts/measure-source.ts` prints them.
import { posix } from 'node:path'
import { findDeclarations } from './declarations.ts'
import { findFunctions } from './functions.ts'
import { addressUnits, resolveFrom, unitOf } from './layers.ts'
import { lineOf, type Source } from './source.ts'

export interface Finding {
  path: string
  line: number
  text: string
}

type Files = [path: string, text: string][]

export interface Measure {
  name: string
  /** The architecture test refuses more. */
  wanted: number
  find: (sources: readonly Source[]) => Finding[]
  /** Groups of files of which each has a case. */
  breaks: Files[]
  passes: Files[]
}

const isTest = (path: string) => path.endsWith('.test.ts')
const isTypescript = (path: string) => /\.tsx?$/.test(path)
const isProgram = (path: string) => path.startsWith('src/') && isTypescript(path) && !isTest(path)
/** What runs in the product: tests, scripts and benches apart. */
const isProduct = (path: string) => /^(?:src|client|web)\//.test(path) && isTypescript(path) && !isTest(path)
const isText = (path: string) => isTypescript(path) || /\.(?:css|md)$/.test(path) || path === 'web/messages/en.json'

/** A measure that looks at one file at a time. */
const inEach =
  (about: (path: string) => boolean, find: (source: Source) => Omit<Finding, 'path'>[]) =>
  (sources: readonly Source[]): Finding[] =>
    sources
      .filter(({ path }) => about(path))
      .flatMap((source) => find(source).map((finding) => ({ path: source.path, ...finding })))

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => ({
    line: lineOf(text, match.index),
    text: match[0].replaceAll(/\s+/g, ' '),
  }))

/** Where people write host records: requests, settings and the command line. Everything else is given a record that was parsed. */
const readsHosts = new Set([
  'src/access/host-record.ts',
  'src/api/sites/sites.ts',
  'src/cli/commands/detect.ts',
  'src/detect/targets/setting-overrides.ts',
])
const imports = /^import\s[^"]*"\d+"$/gm

const folderMax = 20
/** In `test/` the tests are what a folder holds; elsewhere they stand beside what they test. */
const fillsFolder = (path: string) =>
  isTypescript(path) &&
  /^(?:src|client|web|test|scripts|bench)\//.test(path) &&
  (path.startsWith('test/') || !isTest(path))

function fullFolders(sources: readonly Source[]): Finding[] {
  const paths = sources.map(({ path }) => path).filter(fillsFolder)
  const folders = Map.groupBy(paths, (path) => posix.dirname(path))
  return [...folders]
    .filter(([, files]) => files.length > folderMax)
    .map(([path, files]) => ({ path, line: 1, text: `${files.length} source files` }))
}

const longFunctions = (lines: number) =>
  inEach(
    (path) => isTypescript(path) && !isTest(path),
    (source) =>
      findFunctions(source)
        .filter((found) => found.lines > lines)
        .map(({ name, line, lines }) => ({ line, text: `${name}: ${lines} lines` })),
  )

/** Declarations of more than a word or two that another file has, too; the first file that has it is not counted. */
function copies(sources: readonly Source[]): Finding[] {
  const seen = new Set<string>()
  return sources
    .filter(({ path }) => isProduct(path))
    .flatMap((source) =>
      findDeclarations(source).flatMap(({ name, line, text }) => {
        if (text.length < 30) return []
        const again = seen.has(text)
        seen.add(text)
        return again ? [{ path: source.path, line, text: name }] : []
      }),
    )
}

const dialect = ['told of', 'tells of', 'heard of', 'so many', 'a say over', '(?<!there )is none', 'anew', 'mends']
/** Words may stand on two lines of a comment. */
const dialectWords = new RegExp(`\\b(?:${dialect.join('|').replaceAll(' ', '\\s+(?:(?:\\*|//)\\s+)?')})\\b`, 'gi')

const lineMax = 120
/** A row of a table, a link or a block of code stays on one line. */
const mayBeLong = (line: string) => /^\s*(?:\||\S+$|<|\[[^\]]+\]:)/.test(line)

function longLines({ text }: Source): Omit<Finding, 'path'>[] {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    return isCode || mayBeLong(line) || line.length <= lineMax
      ? []
      : [{ line: index + 1, text: `${line.length} columns` }]
  })
}

const lines = (count: number) => '  a()\n'.repeat(count)
const filesIn = (folder: string, count: number, extension = 'ts'): Files =>
  Array.from({ length: count }, (_, index) => [`${folder}/a${index}.${extension}`, ''])

export const measures: readonly Measure[] = [
  {
    name: 'host records parsed anywhere but where people write them',
    wanted: 0,
    find: inEach(
      (path) => isProgram(path) && !readsHosts.has(path),
      ({ code }) =>
        matches(
          code.replaceAll(imports, (found) => found.replaceAll(/[^\n]/g, ' ')),
          /\bparse\w*HostRecord\b/g,
        ),
    ),
    breaks: [
      [['src/names/a.ts', 'const record = parseHostRecord(host)']],
      [['src/api/sites/a.ts', 'const records = hosts.map(parseAnyHostRecord)']],
    ],
    passes: [
      [['src/names/a.ts', "import {\n  parseHostRecord,\n} from '../access/host-record.ts'\n// parseHostRecord(host)"]],
      [['src/api/sites/sites.ts', 'const record = parseHostRecord(host)']],
      [['src/names/a.test.ts', 'const record = parseHostRecord(host)']],
    ],
  },
  {
    name: 'files that import IPv4 or prefixes outside net, decode, aggregate and store',
    wanted: 0,
    find: inEach(
      (path) => isProgram(path) && !addressUnits.has(unitOf(path) ?? ''),
      (source) =>
        source.imports
          .filter(({ specifier }) => /^src\/net\/(?:ipv4|prefix)\.ts$/.test(resolveFrom(source.path, specifier)))
          .map(({ specifier, line }) => ({ line, text: specifier }))
          .slice(0, 1),
    ),
    breaks: [
      [['src/api/sites/a.ts', "import { formatIpv4 } from '../../net/ipv4.ts'"]],
      [['src/names/a.ts', "import type { Prefix } from '../net/prefix.ts'"]],
    ],
    passes: [
      [['src/decode/a.ts', "import { formatIpv4 } from '../net/ipv4.ts'"]],
      [['src/names/a.ts', "import type { Address } from '../net/address.ts'"]],
    ],
  },
  {
    name: `folders with more than ${folderMax} source files`,
    wanted: 0,
    find: fullFolders,
    breaks: [
      filesIn('src/api', folderMax + 1),
      filesIn('web/features/a', folderMax + 1, 'tsx'),
      filesIn('test/a', folderMax + 1, 'test.ts'),
    ],
    passes: [
      [
        ...filesIn('src/api', folderMax),
        ...filesIn('src/api/a', folderMax),
        ...filesIn('src/api', folderMax, 'test.ts'),
      ],
    ],
  },
  {
    name: 'functions longer than 70 lines',
    wanted: 5,
    find: longFunctions(70),
    breaks: [
      [['src/a.ts', `export function f() {\n${lines(69)}}\n`]],
      [['src/a.ts', `const f = (\n  a: number,\n): Promise<void> => {\n${lines(67)}}\n`]],
      [['src/a.ts', `class A {\n  async #b(c: number): Promise<void> {\n${lines(69)}  }\n}\n`]],
      [['web/a.tsx', `export const A = () => (\n${lines(69)})\n`]],
    ],
    passes: [
      [['src/a.ts', `export function f() {\n${lines(68)}}\n`]],
      [['src/a.ts', `class A {\n  b() {\n${lines(60)}  }\n\n  c() {\n${lines(60)}  }\n}\n`]],
      [['src/a.ts', `if (a()) {\n${lines(80)}}\n`]],
      [['src/a.test.ts', `test('a', () => {\n${lines(80)}})\n`]],
    ],
  },
  {
    name: 'functions longer than 100 lines',
    wanted: 0,
    find: longFunctions(100),
    breaks: [[['src/a.ts', `export function f() {\n${lines(99)}}\n`]]],
    passes: [[['src/a.ts', `export function f() {\n${lines(98)}}\n`]]],
  },
  {
    name: 'comments that begin with "Of"',
    wanted: 0,
    find: inEach(isTypescript, ({ comments }) =>
      comments
        .filter(({ text }) => /^Of\b/.test(text))
        .map(({ text, line }) => ({ line, text: text.split('\n', 1)[0] })),
    ),
    breaks: [
      [['src/a.ts', '/** Of an address. */']],
      [['src/a.test.ts', '/**\n * Of\n * an address.\n */']],
      [['web/a.tsx', 'const a = 1 // Of an address.']],
    ],
    passes: [[['src/a.ts', '// The last octet.\n// Of an address.\nconst text = "// Of"\n/** Office. */']]],
  },
  {
    name: 'words of a dialect that a reader would have to learn (`dialect`)',
    wanted: 0,
    find: inEach(
      (path) => isText(path) && !path.startsWith('test/architecture/'),
      ({ text }) => matches(text, dialectWords),
    ),
    breaks: [
      [['src/a.ts', '/** What it is told of. */']],
      [['docs/a.md', 'There are so\nmany.']],
      [['src/a.ts', '/**\n * A person has a say\n * over it.\n */']],
      [['web/messages/en.json', '{ "a": "Start anew" }']],
    ],
    passes: [[['src/a.ts', '/** It told office. A newt. Sows many. */']]],
  },
  {
    name: `lines of documents with more than ${lineMax} columns`,
    wanted: 0,
    find: inEach((path) => path.endsWith('.md'), longLines),
    breaks: [[['docs/a.md', 'word '.repeat(25)]]],
    passes: [
      [['docs/a.md', `| ${'word '.repeat(25)} |\n`]],
      [['docs/a.md', `\`\`\`\n${'word '.repeat(25)}\n\`\`\`\n${'word '.repeat(23)}`]],
      [['docs/a.md', `https://example.net/${'a'.repeat(120)}`]],
    ],
  },
  {
    name: 'calls of setInterval',
    wanted: 1,
    find: inEach(isProgram, ({ code }) => matches(code, /\bsetInterval\(/g)),
    breaks: [[['src/serve/a.ts', 'const timer = setInterval(run, 1_000)']]],
    passes: [[['src/serve/a.ts', '// setInterval(run)\nclearInterval(timer)']]],
  },
  {
    name: 'declarations that another file has, word for word',
    wanted: 0,
    find: copies,
    breaks: [
      [
        ['src/a.ts', "const closed = { additionalProperties: false, kind: 'a' }\n"],
        ['src/b.ts', "// Strict.\nexport const closed = {\n  additionalProperties: false, kind: 'a' }\nconst b = 1"],
      ],
    ],
    passes: [
      [
        ['src/a.ts', "const closed = { additionalProperties: false, kind: 'a' }"],
        ['src/b.ts', "const closed = { additionalProperties: false, kind: 'b' }"],
        ['src/a.test.ts', "const closed = { additionalProperties: false, kind: 'a' }"],
      ],
    ],
  },
]
