// The rules of ARCHITECTURE.md that a reading of the source can prove. A rule is a row: what it says, the files it is about, how a breach is
// found, and texts that break it, so that the rule itself is tested.
import { addressUnits, forbidden, isRelative, rankOf, resolveFrom, unitOf } from './layers.ts'
import { lineOf, type Source } from './source.ts'

export interface Breach {
  line: number
  text: string
}

export interface Rule {
  name: string
  about: (path: string) => boolean
  find: (source: Source, context: Context) => Breach[]
  /** Files that break the rule: path and text. */
  breaks: [path: string, text: string][]
  /** Near misses: files that must pass. */
  passes: [path: string, text: string][]
}

export interface Context {
  /** Names of package.json `dependencies`. */
  dependencies: ReadonlySet<string>
}

const isTest = (path: string) => path.endsWith('.test.ts')
const program = (path: string) => path.startsWith('src/') && !isTest(path)
const typescript = (path: string) => /\.tsx?$/.test(path)
const below = (rank: number) => (path: string) => {
  const unit = unitOf(path)
  return program(path) && unit !== undefined && (rankOf(unit) ?? Number.POSITIVE_INFINITY) < rank
}

/** Breaches where the code (comments and strings apart) matches. */
const inCode =
  (pattern: RegExp, text: string) =>
  (source: Source): Breach[] =>
    [...source.code.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].map((match) => ({
      line: lineOf(source.code, match.index),
      text: `${match[0].trim()}: ${text}`,
    }))

const importing =
  (refused: (specifier: string, source: Source) => string | undefined) =>
  (source: Source): Breach[] =>
    source.imports.flatMap(({ specifier, line }) => {
      const why = refused(specifier, source)
      return why === undefined ? [] : [{ line, text: `${specifier}: ${why}` }]
    })

const wireNames = ['curavg_bps', 'curavg_pps', 'curavg_flows', 'cts', '_id', 'dstport', 'srcport', 'srcip'] as const
const configures = (path: string) => /^src\/(?:config\.ts$|config\/)/.test(path)
/** The presenter, and the column whose stored names are the same. */
const speaksWire = (path: string) =>
  path.startsWith('src/contract/') ||
  ['src/api/events/present-open.ts', 'src/events/statistics-column.ts'].includes(path)

/** Files of the contract that a browser may have at run time: plain data, without shapes and examples. */
const isPlainContract = (path: string) =>
  /^src\/contract\/(?:limits|header-names|simulation-vectors|events\/numbers|events\/classifications)\.ts$/.test(path)

/** Modules that reach outside the process. */
const reachesOut =
  /^(?:node:)?(?:fs|net|dgram|dns|http|https|http2|tls|child_process|cluster|worker_threads|os|readline|sqlite)(?:\/|$)/
const speaksHttpOrSql = /^(?:(?:node:)?(?:http|https|http2|sqlite)$|fastify|@fastify\/|pg$|@platformatic\/)/
const pureUnits = new Set(['net', 'flow', 'decode', 'access', 'vectors', 'contract', 'aggregate', 'detect', 'history'])

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

export const rules: readonly Rule[] = [
  {
    name: 'a folder imports only from lower ranks and from itself',
    about: program,
    find: importing((specifier, source) => forbidden(source, specifier)),
    breaks: [
      ['src/net/a.ts', "import { x } from '../store/store.ts'"],
      ['src/net/a.ts', "import { x } from '../errors.ts'"],
      ['src/decode/a.ts', "import type { X } from '../targets/site.ts'"],
      ['src/decode/a.ts', "export { x } from '../collect/a.ts'"],
      ['src/decode/a.ts', "export * from '../collect/a.ts'"],
      ['src/decode/a.ts', "await import('../collect/a.ts')"],
      ['src/decode/a.ts', "new Worker(new URL('../collect/a.ts', import.meta.url))"],
      ['src/decode/a.ts', "import '../collect/a.ts'"],
      ['src/names/a.ts', "import {\n  type Site,\n} from '../store/store.ts'"],
      ['src/api/a.ts', "import { x } from '../../client/index.ts'"],
      ['src/cli/a.ts', "import { x } from '../helpers/exporter.ts'"],
      ['src/elsewhere/a.ts', "import { x } from '../clock.ts'"],
    ],
    passes: [
      ['src/decode/a.ts', "import { x } from '../net/ipv4.ts'\nimport { y } from './b.ts'"],
      ['src/decode/a.ts', "// import { x } from '../store/store.ts'\nconst text = \"from '../store/store.ts'\""],
      ['src/cli/commands/a.ts', "import { x } from '../../../client/index.ts'\nimport { y } from '../../main.ts'"],
    ],
  },
  {
    name: 'the program imports only the packages it depends on',
    about: program,
    find: (source, { dependencies }) =>
      importing((specifier) =>
        isRelative(specifier) || specifier.startsWith('node:') || dependencies.has(packageOf(specifier))
          ? undefined
          : 'not among the dependencies of package.json',
      )(source),
    breaks: [
      ['src/net/a.ts', "import fc from 'fast-check'"],
      ['src/net/a.ts', "import fs from 'fs'"],
    ],
    passes: [['src/api/a.ts', "import fastify from 'fastify'\nimport { Value } from 'typebox/value'"]],
  },
  {
    name: 'the client depends on nothing but the contract, and on its shapes only for types',
    about: (path) => path.startsWith('client/') && typescript(path) && !isTest(path),
    find: (source) =>
      source.imports.flatMap(({ specifier, typeOnly, line }) => {
        const target = isRelative(specifier) ? resolveFrom(source.path, specifier) : specifier
        if (/^client\/[\w.-]+$/.test(target)) return []
        if (!target.startsWith('src/contract/'))
          return [{ line, text: `${specifier}: neither of the client nor of the contract` }]
        return typeOnly || isPlainContract(target) ? [] : [{ line, text: `${specifier}: needed at run time` }]
      }),
    breaks: [
      ['client/a.ts', "import { ipv4 } from '../src/net/ipv4.ts'"],
      ['client/a.ts', "import { x } from 'typebox'"],
      ['client/a.ts', "import { x } from 'node:http'"],
      ['client/a.ts', "import { Site } from '../src/contract/endpoints.ts'"],
      ['client/a.ts', "import { Site } from '../src/contract/events/event.ts'"],
    ],
    passes: [
      [
        'client/a.ts',
        "import { hostsMax } from '../src/contract/limits.ts'\nimport type { Site } from '../src/contract/endpoints.ts'\nimport { b } from './b.ts'",
      ],
    ],
  },
  {
    name: 'the console sees of the program only the contract, its shapes only for types, and the client',
    about: (path) => /^web\/(?:app|features|shared)\//.test(path) && typescript(path) && !isTest(path),
    find: (source) =>
      source.imports.flatMap(({ specifier, typeOnly, line }) => {
        if (!isRelative(specifier)) return []
        const target = resolveFrom(source.path, specifier)
        if (/^(?:web|client)\//.test(target)) return []
        if (!target.startsWith('src/contract/')) return [{ line, text: `${specifier}: not for the console` }]
        return typeOnly || isPlainContract(target) ? [] : [{ line, text: `${specifier}: needed at run time` }]
      }),
    breaks: [
      ['web/features/events/a.tsx', "import { x } from '../../../src/net/ipv4.ts'"],
      ['web/shared/api/a.ts', "import { Site } from '../../../src/contract/endpoints.ts'"],
      ['web/shared/api/a.ts', "import { EventReport } from '../../../src/contract/events/event.ts'"],
      ['web/shared/api/a.ts', "import { x } from '../../../test/helpers/api.ts'"],
    ],
    passes: [
      [
        'web/shared/api/a.ts',
        "import { hostsMax } from '../../../src/contract/limits.ts'\nimport type { Body } from '../../../src/contract/endpoints.ts'\nimport { b } from '../../../client/problem.ts'",
      ],
    ],
  },
  {
    name: 'in the console, what is shared knows no feature, and no feature the frame',
    about: (path) => /^web\/(?:shared|features)\//.test(path) && typescript(path),
    find: importing((specifier, source) => {
      const target = resolveFrom(source.path, specifier)
      if (target.startsWith('web/app/')) return 'the frame is above it'
      return source.path.startsWith('web/shared/') && target.startsWith('web/features/')
        ? 'features are above it'
        : undefined
    }),
    breaks: [
      ['web/shared/ui/a.tsx', "import { x } from '../../features/events/b.tsx'"],
      ['web/features/events/a.tsx', "import { x } from '../../app/shell.tsx'"],
    ],
    passes: [
      ['web/features/overview/a.tsx', "import { x } from '../events/b.tsx'\nimport { y } from '../../shared/ui/c.tsx'"],
    ],
  },
  {
    name: 'text from elsewhere never becomes HTML in the console',
    about: (path) => path.startsWith('web/') && typescript(path),
    find: inCode(
      /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/,
      'text, not HTML',
    ),
    breaks: [
      ['web/shared/ui/a.tsx', 'const a = <p dangerouslySetInnerHTML={{ __html: b }} />'],
      ['web/shared/ui/a.tsx', 'element.innerHTML = text'],
    ],
    passes: [['web/shared/ui/a.tsx', 'element.textContent = text']],
  },
  {
    name: 'a file has at most 400 lines',
    about: typescript,
    find: (source) => (source.lines > 400 ? [{ line: 401, text: `${source.lines} lines` }] : []),
    breaks: [['src/net/a.ts', 'const a = 1\n'.repeat(401)]],
    passes: [['src/net/a.ts', 'const a = 1\n'.repeat(400)]],
  },
  {
    name: 'a file opens with what it owns',
    about: (path) => typescript(path) && !isTest(path) && !path.endsWith('.d.ts'),
    find: (source) => (/^(?:#!.*\n)?\/\/ \S/.test(source.text) ? [] : [{ line: 1, text: 'no comment at its top' }]),
    breaks: [['src/net/a.ts', "import { x } from './b.ts'\n"]],
    passes: [
      ['src/net/a.ts', '// Owns a.\nconst a = 1\n'],
      ['src/cli/main.ts', '#!/usr/bin/env node\n// Owns a.\n'],
    ],
  },
  {
    name: 'no module-level state: it lives in objects that are passed',
    about: (path) => (program(path) || path.startsWith('client/') || path.startsWith('web/')) && !isTest(path),
    find: inCode(/^(?:export\s+)?(?:let|var)\s+\w+|\bexport\s*\{\s*let\b/m, 'mutable state of a module'),
    breaks: [
      ['src/net/a.ts', 'export let a = 1'],
      ['src/net/a.ts', 'let a = 1'],
      ['client/a.ts', 'var a = 1'],
    ],
    passes: [['src/net/a.ts', 'export const a = 1\nfunction f() {\n  let b = 1\n}\n// let c\n']],
  },
  {
    name: 'only the clock reads the time',
    about: (path) => program(path) && path !== 'src/clock.ts' && !path.startsWith('src/cli/') && !configures(path),
    find: inCode(/\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\w\s(]))/, 'the time is read from a Clock'),
    breaks: [
      ['src/detect/a.ts', 'const now = Date.now()'],
      ['src/detect/a.ts', 'const now = new Date()'],
      ['src/detect/a.ts', 'const text = `at $' + '{Date.now()}`'],
    ],
    passes: [['src/detect/a.ts', "const day = new Date(ms)\nconst text = 'Date.now()' // Date.now()"]],
  },
  {
    name: 'only the configuration and the command line read the environment',
    about: (path) => program(path) && !path.startsWith('src/cli/') && !configures(path),
    find: inCode(
      /\bprocess\s*\.\s*(?:env|argv)\b|\bconsole\s*\.|\bprocess\s*\.\s*(?:exit|stdout|stderr)\b/,
      'belongs to the command line',
    ),
    breaks: [
      ['src/api/a.ts', 'const a = process.env.A'],
      ['src/api/a.ts', 'console.log(1)'],
      ['src/api/a.ts', 'process.exit(1)'],
    ],
    passes: [['src/config.ts', 'const a = process.env']],
  },
  {
    name: 'wire names stay at the edge',
    about: (path) => program(path) && !speaksWire(path),
    find: (source) => {
      const names = wireNames.join('|')
      const words = [...source.code.matchAll(new RegExp(`(?<![\\w$#])(?:${names})(?![\\w$])`, 'g'))]
      return [
        ...words.map((match) => ({ line: lineOf(source.code, match.index), text: match[0] })),
        ...source.strings.filter(({ text }) => wireNames.some((name) => text === name)),
      ]
    },
    breaks: [
      ['src/detect/a.ts', 'event.cts = 1'],
      ['src/detect/a.ts', 'const { _id } = event'],
      ['src/detect/a.ts', 'const lists = { srcip: [] }'],
      ['src/cli/a.ts', "const name = 'curavg_bps'"],
    ],
    passes: [
      ['src/detect/a.ts', 'const user_id = facts.id'],
      ['src/api/events/present-open.ts', 'const wire = { _id, cts, curavg_bps }'],
      ['src/contract/endpoints.ts', 'const Event = { curavg_pps: 1 }'],
    ],
  },
  {
    name: 'ranks 0 to 5 know neither HTTP nor SQL',
    about: below(6),
    find: importing((specifier) => (speaksHttpOrSql.test(specifier) ? 'HTTP and SQL are of higher ranks' : undefined)),
    breaks: [
      ['src/names/a.ts', "import http from 'node:http'"],
      ['src/detect/a.ts', "import { DatabaseSync } from 'node:sqlite'"],
      ['src/collect/a.ts', "import type { FastifyInstance } from 'fastify'"],
    ],
    passes: [['src/store/a.ts', "import { DatabaseSync } from 'node:sqlite'"]],
  },
  {
    name: 'the data plane does no input or output',
    about: (path) => program(path) && pureUnits.has(unitOf(path) ?? ''),
    find: (source) =>
      source.imports
        .filter(({ specifier, names }) => reachesOut.test(specifier) && !/^\{\s*isIP(?:v[46])?\s*\}$/.test(names))
        .map(({ specifier, line }) => ({ line, text: `${specifier}: reaches outside the process` })),
    breaks: [
      ['src/decode/a.ts', "import { readFileSync } from 'node:fs'"],
      ['src/access/a.ts', "import { isIPv6, connect } from 'node:net'"],
      ['src/aggregate/a.ts', "import { readFile } from 'node:fs/promises'"],
    ],
    passes: [
      ['src/collect/a.ts', "import dgram from 'node:dgram'"],
      ['src/access/a.ts', "import { domainToASCII } from 'node:url'\nimport { isIPv6 } from 'node:net'"],
    ],
  },
  {
    name: 'only the composition root constructs components',
    about: (path) => below(9)(path) && !path.startsWith('src/pipeline/'),
    find: inCode(
      /\bnew\s+(?:Decoder|Names|DnstapListener|Worker)\s*[(<]|(?<!function\s)\b(?:openSqliteStore|createServer|createListener)\s*\(/,
      'components are made in pipeline, serve, main and cli',
    ),
    breaks: [
      ['src/api/a.ts', 'const store = openSqliteStore(path)'],
      ['src/collect/a.ts', 'const decoder = new Decoder({ sink })'],
      ['src/collect/a.ts', 'const thread = new Worker(url)'],
    ],
    passes: [
      ['src/api/http/server.ts', 'export function createServer(given: Given) {}'],
      ['src/cli/a.ts', 'const decoder = new Decoder({ sink })'],
      ['src/pipeline/a.ts', 'const thread = new Worker(url)'],
    ],
  },
  {
    name: 'only the pipeline wires folders and detectors',
    about: (path) => program(path) && !path.startsWith('src/pipeline/'),
    find: inCode(/\bnew\s+(?:Folder|Detector)\s*[(<]/, 'made by Ingest and Detection of src/pipeline'),
    breaks: [
      ['src/serve/a.ts', 'const folder = new Folder({ clock })'],
      ['src/cli/a.ts', 'const detector = new Detector({ settings })'],
    ],
    passes: [
      ['src/pipeline/a.ts', 'const folder = new Folder({ clock })'],
      ['src/aggregate/a.test.ts', 'const folder = new Folder({ clock })'],
      ['src/aggregate/a.ts', 'export class Folder {}'],
    ],
  },
  {
    name: 'erasable TypeScript, typed throughout: no enum, namespace, decorator or any',
    about: typescript,
    find: inCode(
      /\b(?:const\s+)?enum\s+\w+\s*\{|^\s*(?:export\s+)?(?:declare\s+)?namespace\s+\w+\s*\{|^\s*@\w+(?:\(|\s)|[:<,|&(]\s*any\b(?=\s*[;,)>=|&[\]\n]|$)|\bas\s+any\b/m,
      'not used here',
    ),
    breaks: [
      ['src/net/a.ts', 'enum A { B }'],
      ['src/net/a.ts', 'export const enum A { B }'],
      ['src/net/a.ts', 'namespace A {}'],
      ['src/net/a.ts', '@sealed\nclass A {}'],
      ['src/net/a.ts', 'function f(a: any) {}'],
      ['src/net/a.ts', 'const a = b as any'],
      ['src/net/a.ts', 'const a = new Map<string, any>()'],
    ],
    passes: [['src/net/a.ts', "const a = list.any\nconst b = 'enum A {'\n// any\nconst c = { any: 1 }\n"]],
  },
  {
    name: 'only net and the data plane know how many bits an address has',
    about: (path) => program(path) && !addressUnits.has(unitOf(path) ?? ''),
    find: importing((specifier, { path }) =>
      /^src\/net\/(?:ipv4|ipv6|prefix)\.ts$/.test(resolveFrom(path, specifier))
        ? 'src/net/address.ts and network.ts have what others need'
        : undefined,
    ),
    breaks: [
      ['src/api/sites/a.ts', "import { formatIpv4 } from '../../net/ipv4.ts'"],
      ['src/collect/a.ts', "import { formatIpv6 } from '../net/ipv6.ts'"],
      ['src/names/a.ts', "import type { Prefix } from '../net/prefix.ts'"],
    ],
    passes: [
      ['src/decode/a.ts', "import { formatIpv4 } from '../net/ipv4.ts'"],
      ['src/net/a.ts', "import { parsePrefix } from './prefix.ts'"],
      ['src/names/a.ts', "import type { Address } from '../net/address.ts'"],
      ['src/names/a.test.ts', "import { parseIpv4 } from '../net/ipv4.ts'"],
    ],
  },
  {
    name: 'threads of the store let the collectors go first',
    about: (path) => /^src\/store\/.*-thread\.ts$/.test(path),
    find: ({ code }) =>
      /^letCollectorsGoFirst\(\)$/m.test(code) ? [] : [{ line: 1, text: 'it does not call letCollectorsGoFirst()' }],
    breaks: [['src/store/sqlite/a-thread.ts', 'parentPort?.postMessage(1)']],
    passes: [['src/store/sqlite/a-thread.ts', 'letCollectorsGoFirst()\nparentPort?.postMessage(1)']],
  },
  {
    name: 'no code is made from text',
    about: typescript,
    find: inCode(/\bnew\s+Function\s*\(|(?<![.\w])eval\s*\(/, 'text from outside could become code'),
    breaks: [
      ['src/decode/a.ts', 'const f = new Function(text)'],
      ['src/decode/a.ts', 'eval(text)'],
    ],
    passes: [['src/decode/a.ts', 'function evaluate(plan: Plan) {}\nconst medieval = retrieval(1)\n']],
  },
  {
    name: 'no path of one machine',
    about: () => true,
    find: (source) =>
      source.text.split('\n').flatMap((text, index) => {
        const found = /(?<![\w.:/-])\/(?:work|home|root|Users)\/[\w.-]+/.exec(text)
        return found ? [{ line: index + 1, text: found[0] }] : []
      }),
    breaks: [['src/net/a.ts', `// see ${'/wo'}rk/notes.md`]],
    passes: [['src/net/a.ts', "fetch('https://example.net/home/page')\nconst data = '/var/lib/floodgauge'"]],
  },
]
