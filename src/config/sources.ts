// Where values come from: the YAML file, the environment, the command line's flags. Each source gives what it says for each key, and a
// problem for whatever it says that is no key.
import { readFileSync, statSync } from 'node:fs'
import { isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { messageOf } from '../errors.ts'
import type { ConfigKey, KeyList } from './keys.ts'
import { nearest } from './nearest.ts'
import { fromText } from './values.ts'

export interface GivenValue {
  value: unknown
  /** `config.yaml:12`, `FLOODGAUGE_HTTP_LISTEN`, `--http`. */
  origin: string
}

export interface Source {
  given: Map<string, GivenValue>
  problems: string[]
}

/** A configuration is typed by people; anything larger is a mistake or an attack. */
const fileBytesMax = 1024 * 1024
const secretBytesMax = 64 * 1024
const problemsMax = 50

function textOf(file: string, bytesMax: number): string {
  const { size } = statSync(file)
  if (size > bytesMax) throw new Error(`larger than ${bytesMax} bytes`)
  return readFileSync(file, 'utf8')
}

/** What the YAML text of a file says. An empty section is one that changes nothing. */
export function fromYaml(list: KeyList, text: string, file: string): Source {
  const source: Source = { given: new Map(), problems: [] }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const place = (node: Node | null) => (node?.range ? `${file}:${lines.linePos(node.range[0]).line}` : file)
  for (const { message, pos } of document.errors) {
    source.problems.push(`${file}:${lines.linePos(pos[0]).line}: ${message.replaceAll('\n', ' ')}`)
  }
  if (source.problems.length > 0) return source

  const keys = new Map(list.keys.map((key) => [key.path, key]))
  const sections = new Set(list.sections.map(({ path }) => path))
  const walk = (node: Node | null, parent: string) => {
    if (node === null || (isScalar(node) && node.value === null)) return
    if (!isMap<Node, Node | null>(node)) {
      source.problems.push(`${parent || 'the file'}: must be a section with keys (${place(node)})`)
      return
    }
    for (const { key: name, value } of node.items) {
      const path = `${parent === '' ? '' : `${parent}.`}${isScalar(name) ? String(name.value) : '?'}`
      if (sections.has(path)) walk(value, path)
      else if (keys.has(path))
        source.given.set(path, { value: value?.toJS(document, { maxAliasCount: 20 }) ?? null, origin: place(name) })
      else if (source.problems.length < problemsMax)
        source.problems.push(unknown(path, [...keys.keys(), ...sections], place(name)))
    }
  }
  try {
    walk(document.contents, '')
  } catch (error) {
    source.problems.push(`${file}: ${messageOf(error)}`)
  }
  return source
}

export function fromFile(list: KeyList, file: string): Source {
  try {
    return fromYaml(list, textOf(file, fileBytesMax), file)
  } catch (error) {
    return { given: new Map(), problems: [`${file}: ${messageOf(error)}`] }
  }
}

function unknown(name: string, known: Iterable<string>, place: string): string {
  const near = nearest(name, known)
  return `${name}: unknown key${near === null ? '' : `, did you mean ${near}?`} (${place})`
}

/** Variables of other parts of Floodgauge, and those that Kubernetes sets for a service named `floodgauge...`: none of ours. */
const otherVariables = new Set([
  'FLOODGAUGE_CONFIG',
  'FLOODGAUGE_DEBUG',
  'FLOODGAUGE_URL',
  'FLOODGAUGE_EMAIL',
  'FLOODGAUGE_TOKEN',
  'FLOODGAUGE_VENDOR',
])
const kubernetesVariable =
  /_SERVICE_HOST$|_SERVICE_PORT(_[A-Z0-9_]+)?$|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/

export function fromEnvironment(list: KeyList, env: NodeJS.ProcessEnv): Source {
  const source: Source = { given: new Map(), problems: [] }
  const keys = new Map<string, { key: ConfigKey; file: boolean }>()
  for (const key of list.keys) {
    keys.set(key.variable, { key, file: false })
    if (key.secret) keys.set(`${key.variable}_FILE`, { key, file: true })
  }
  const prefixes = list.sections.map(({ path }) => `FLOODGAUGE_${path.replaceAll('.', '_').toUpperCase()}_`)
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith('FLOODGAUGE_') || text === undefined || otherVariables.has(name)) continue
    const entry = keys.get(name)
    if (entry !== undefined) readVariable(source, entry, { name, text })
    else if (!kubernetesVariable.test(name)) {
      const inSection = prefixes.some((prefix) => name.startsWith(prefix))
      if (inSection || nearest(name, keys.keys()) !== null)
        source.problems.push(unknown(name, keys.keys(), 'environment'))
    }
  }
  return source
}

function readVariable(
  source: Source,
  { key, file }: { key: ConfigKey; file: boolean },
  { name, text }: { name: string; text: string },
): void {
  const before = source.given.get(key.path)
  if (before !== undefined) {
    source.problems.push(`${key.path}: given twice, by ${before.origin} and ${name}`)
    return
  }
  try {
    const value = file ? textOf(text, secretBytesMax).replace(/\r?\n$/, '') : text
    source.given.set(key.path, { value: fromText(key.schema, value), origin: name })
  } catch (error) {
    source.problems.push(`${key.path}: ${name}: ${messageOf(error)}`)
  }
}

/** `flagKeys` says which key each flag sets; a flag that was not given is undefined. */
export function fromFlags(
  list: KeyList,
  flagKeys: Readonly<Record<string, string>>,
  flags: Readonly<Record<string, string | undefined>>,
): Source {
  const source: Source = { given: new Map(), problems: [] }
  for (const [flag, path] of Object.entries(flagKeys)) {
    const key = list.keys.find((each) => each.path === path)
    const text = flags[flag]
    if (text !== undefined && key !== undefined)
      source.given.set(path, { value: fromText(key.schema, text), origin: `--${flag}` })
  }
  return source
}
