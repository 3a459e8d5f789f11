import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { parse } from 'yaml'
import { listKeys } from './keys.ts'
import { loadTree } from './load.ts'
import { renderEffective, renderExample, renderTable } from './render.ts'
import { fromYaml } from './sources.ts'

const closed = { additionalProperties: false }
const schema = Type.Object(
  {
    http: Type.Object(
      {
        listen: Type.String({
          default: '127.0.0.1:8080',
          pattern: '^[^:]+:\\d+$',
          expects: 'HOST:PORT',
          description: 'Where.',
        }),
        ratePerMinute: Type.Integer({ default: 600, minimum: 0, maximum: 1000, description: 'Requests.' }),
        password: Type.String({ default: '', secret: true, description: 'A secret.' }),
        tls: Type.Object({ isOn: Type.Boolean({ default: false }) }, { ...closed, description: 'TLS.' }),
      },
      { ...closed, description: 'The interface.' },
    ),
    detect: Type.Object(
      {
        mode: Type.Enum(['fast', 'exact'], { default: 'fast' }),
        hosts: Type.Array(Type.String({ minLength: 1 }), { default: [] }),
        floors: Type.Array(Type.Object({ prefix: Type.String(), packets: Type.Integer({ default: 7 }) }, closed), {
          default: [],
        }),
        limit: Type.Union([Type.Integer(), Type.Null()], { default: null }),
      },
      closed,
    ),
  },
  closed,
)
const keys = listKeys(schema)
const flagKeys = { http: 'http.listen' }
const folder = mkdtempSync(join(tmpdir(), 'floodgauge-config-'))
after(() => rmSync(folder, { recursive: true }))

function load({
  yaml,
  env = {},
  flags,
}: {
  yaml?: string
  env?: NodeJS.ProcessEnv
  flags?: Record<string, string | undefined>
}) {
  const file = yaml === undefined ? undefined : join(folder, 'c.yaml')
  if (file !== undefined) writeFileSync(file, yaml ?? '')
  const loaded = loadTree(keys, flagKeys, { file, env, flags })
  return { ...loaded, problems: loaded.problems.map((problem) => problem.replaceAll(`${folder}/`, '')) }
}

const at = (tree: unknown, path: string): unknown =>
  path.split('.').reduce((node: unknown, part) => Object.entries(node ?? {}).find(([name]) => name === part)?.[1], tree)

test('a later source wins: default < file < environment < flag', () => {
  const yaml = 'http: { listen: "a:1" }'
  const env = { FLOODGAUGE_HTTP_LISTEN: 'b:2' }
  const flags = { http: 'c:3' }
  const cases = [
    [{}, '127.0.0.1:8080', 'default'],
    [{ yaml }, 'a:1', `${folder}/c.yaml:1`],
    [{ yaml, env }, 'b:2', 'FLOODGAUGE_HTTP_LISTEN'],
    [{ yaml, env, flags }, 'c:3', '--http'],
    [{ flags: { http: undefined, other: 'x' }, env }, 'b:2', 'FLOODGAUGE_HTTP_LISTEN'],
  ] as const
  for (const [sources, value, origin] of cases) {
    const loaded = load(sources)
    assert.deepEqual(loaded.problems, [])
    assert.equal(at(loaded.tree, 'http.listen'), value)
    assert.equal(loaded.origins.get('http.listen'), origin)
  }
})

test('the file that FLOODGAUGE_CONFIG names is read when no other is given', () => {
  const file = join(folder, 'env.yaml')
  writeFileSync(file, 'detect: { mode: exact }')
  assert.equal(at(loadTree(keys, flagKeys, { env: { FLOODGAUGE_CONFIG: file } }).tree, 'detect.mode'), 'exact')
})

test('text becomes what the key takes', () => {
  const cases: [string, string, string, unknown][] = [
    ['FLOODGAUGE_HTTP_RATE_PER_MINUTE', '12', 'http.ratePerMinute', 12],
    ['FLOODGAUGE_HTTP_TLS_IS_ON', 'true', 'http.tls.isOn', true],
    ['FLOODGAUGE_HTTP_PASSWORD', '12', 'http.password', '12'],
    ['FLOODGAUGE_DETECT_HOSTS', 'a, b', 'detect.hosts', ['a', 'b']],
    ['FLOODGAUGE_DETECT_HOSTS', '[a, b]', 'detect.hosts', ['a', 'b']],
    ['FLOODGAUGE_DETECT_HOSTS', 'a', 'detect.hosts', ['a']],
    ['FLOODGAUGE_DETECT_FLOORS', '[{ prefix: x }]', 'detect.floors', [{ prefix: 'x', packets: 7 }]],
    ['FLOODGAUGE_DETECT_LIMIT', 'null', 'detect.limit', null],
  ]
  for (const [name, text, path, value] of cases) {
    const loaded = load({ env: { [name]: text } })
    assert.deepEqual(loaded.problems, [], name)
    assert.deepEqual(at(loaded.tree, path), value, name)
  }
})

test('whatever is wrong is named with its path, the reason and its place, all at once', () => {
  const yaml =
    'http:\n  listen: nowhere\n  ratePerMinut: 5\ndetect:\n  mode: slow\n  floors: [{ prefix: 1, extra: 2 }]\nhtpp: {}\n'
  const env = { FLOODGAUGE_HTTP_RATE_PER_MINUTE: '5000', FLOODGAUGE_HTTP_NONE: 'x', FLOODGAUGE_DETCT_MODE: 'x' }
  const { problems } = load({ yaml, env })
  assert.deepEqual(problems.sort(), [
    'FLOODGAUGE_DETCT_MODE: unknown key, did you mean FLOODGAUGE_DETECT_MODE? (environment)',
    'FLOODGAUGE_HTTP_NONE: unknown key (environment)',
    'detect.floors: 0.extra: is an unknown key, 0.prefix: must be string (it is [{"prefix":1,"extra":2,"packets":7}]) (c.yaml:6)',
    'detect.mode: must be one of fast, exact, not "slow" (c.yaml:5)',
    'htpp: unknown key, did you mean http? (c.yaml:7)',
    'http.listen: must be HOST:PORT (it is "nowhere") (c.yaml:2)',
    'http.ratePerMinut: unknown key, did you mean http.ratePerMinute? (c.yaml:3)',
    'http.ratePerMinute: must be <= 1000 (it is 5000) (FLOODGAUGE_HTTP_RATE_PER_MINUTE)',
  ])
})

test('variables of Kubernetes and of the other commands are no keys', () => {
  const env = {
    FLOODGAUGE_PORT: 'tcp://10.0.0.1:80',
    FLOODGAUGE_SERVICE_HOST: '10.0.0.1',
    FLOODGAUGE_HTTP_PORT_8080_TCP_ADDR: '10.0.0.1',
    FLOODGAUGE_HTTP_SERVICE_PORT_WEB: '1',
    FLOODGAUGE_TOKEN: 'x',
    FLOODGAUGE_IMAGE: 'x',
  }
  assert.deepEqual(load({ env }).problems, [])
})

test('a secret is read from a file, without the end of its line, and is never shown', () => {
  const file = join(folder, 'secret')
  writeFileSync(file, 'hunter2\n')
  const loaded = load({ env: { FLOODGAUGE_HTTP_PASSWORD_FILE: file } })
  assert.equal(at(loaded.tree, 'http.password'), 'hunter2')
  const text = renderEffective(keys, loaded)
  assert.ok(!text.includes('hunter2') && text.includes('FLOODGAUGE_HTTP_PASSWORD_FILE'))
  assert.match(
    load({ env: { FLOODGAUGE_HTTP_PASSWORD_FILE: file, FLOODGAUGE_HTTP_PASSWORD: 'x' } }).problems.join(),
    /given twice/,
  )
  assert.match(load({ env: { FLOODGAUGE_HTTP_PASSWORD_FILE: '/nonexistent' } }).problems.join(), /ENOENT/)
  const wrong = load({ yaml: 'http: { password: [hunter2] }' }).problems.join()
  assert.ok(wrong.includes('http.password') && !wrong.includes('hunter2'))
  assert.match(load({ env: { FLOODGAUGE_HTTP_LISTEN_FILE: file } }).problems.join(), /unknown key/)
})

test('files that are no configuration are refused', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (let i = 0; i < 12; i++)
    bomb.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i === 0 ? '' : i - 1}`)
        .join(', ')}]`,
    )
  bomb.push('detect: { hosts: *a11 }')
  const cases: [string, RegExp][] = [
    ['http: [', /c\.yaml:1/],
    ['http: 5', /http: must be a section/],
    ['- a', /the file: must be a section/],
    ['http: { listen: "a:1", listen: "b:2" }', /unique/],
    [bomb.join('\n'), /alias/i],
    [`x: ${'['.repeat(200_000)}`, /c\.yaml/],
    [`# ${'x'.repeat(1024 * 1024)}`, /larger than 1048576 bytes/],
    ['__proto__: { polluted: 1 }\nconstructor: 1', /__proto__: unknown key/],
    ['a: 1\n---\nb: 2', /document/],
  ]
  for (const [yaml, reason] of cases) assert.match(load({ yaml }).problems.join('\n'), reason)
  assert.match(loadTree(keys, flagKeys, { file: '/nonexistent/x.yaml', env: {} }).problems.join(), /ENOENT/)
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
})

test('an empty file, and an empty section, change nothing', () => {
  for (const yaml of ['', '# nothing\n', 'http:\ndetect:\n']) assert.deepEqual(load({ yaml }).tree, load({}).tree)
})

test('any text is either taken or refused, never thrown at', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('&a', '*a', 'http:', '\n', ' ', '{', '[', '!!x', '|')),
      (text) => {
        fromYaml(keys, text, 'f')
        load({ env: { FLOODGAUGE_DETECT_FLOORS: text, FLOODGAUGE_HTTP_RATE_PER_MINUTE: text } })
      },
    ),
    { numRuns: 200 },
  )
})

test('the example, uncommented, says the defaults; the effective configuration reads back as itself', () => {
  const uncommented = renderExample(keys).replace(/^( *)#(?=\S)/gm, '$1')
  const example = load({ yaml: uncommented })
  assert.deepEqual(example.problems, [])
  assert.deepEqual(example.tree, load({}).tree)
  assert.ok([...example.origins.values()].every((origin) => origin.includes('c.yaml')))

  const loaded = load({ env: { FLOODGAUGE_DETECT_FLOORS: '[{ prefix: "a: #b" }]', FLOODGAUGE_DETECT_HOSTS: 'x,y' } })
  assert.deepEqual(parse(renderEffective(keys, loaded)), loaded.tree)
})

test('the table has a row a key', () => {
  const rows = renderTable(keys).split('\n').slice(2)
  assert.equal(rows.length, keys.keys.length)
  assert.equal(rows[1], '| `http.ratePerMinute` | `600` | Requests. 0 to 1000. | `FLOODGAUGE_HTTP_RATE_PER_MINUTE` |')
})
