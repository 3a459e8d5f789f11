// Proves what ARCHITECTURE.md claims about the source: layers, purity, sizes, names. Each rule is first shown a text that breaks it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findCycle, rankOf, ranks } from './architecture/layers.ts'
import { measures } from './architecture/measures.ts'
import { type Context, rules } from './architecture/rules.ts'
import { parseSource, readSources } from './architecture/source.ts'
import { readSheet, styleBreaches } from './architecture/styles.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const sources = readSources(root)
const files = sources.map(({ path }) => path)
const { dependencies } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
const context: Context = { dependencies: new Set(Object.keys(dependencies)) }

for (const rule of rules) {
  test(`the rule can fail: ${rule.name}`, () => {
    for (const [path, text] of rule.breaks) {
      assert.ok(rule.about(path), `${path} is not covered`)
      assert.notDeepEqual(rule.find(parseSource(path, text), context), [], `not caught: ${text}`)
    }
    for (const [path, text] of rule.passes) {
      const breaches = rule.about(path) ? rule.find(parseSource(path, text), context) : []
      assert.deepEqual(breaches, [], `caught wrongly: ${text}`)
    }
  })

  test(rule.name, () => {
    const covered = sources.filter((source) => rule.about(source.path))
    assert.ok(covered.length > 0, 'the rule covers no file')
    const breaches = covered.flatMap((source) =>
      rule.find(source, context).map(({ line, text }) => `${source.path}:${line}: ${text}`),
    )
    assert.deepEqual(breaches, [])
  })
}

for (const { name, wanted, find, breaks, passes } of measures) {
  const found = (files: [path: string, text: string][]) => find(files.map(([path, text]) => parseSource(path, text)))

  test(`the measure can fail: ${name}`, () => {
    for (const files of breaks) assert.equal(found(files).length, 1, `not counted: ${JSON.stringify(files)}`)
    for (const files of passes) assert.deepEqual(found(files), [], 'counted wrongly')
  })

  test(`${name}: at most ${wanted}`, () => {
    const places = find(sources).map(({ path, line, text }) => `${path}:${line}: ${text}`)
    assert.ok(places.length <= wanted, places.join('\n'))
  })
}

const entry = 'web/app/main.tsx'
const stylesOf = (given: Record<string, string>) => {
  const paths = Object.entries(given)
  const components = paths.filter(([path]) => path.endsWith('.tsx')).map(([path, text]) => parseSource(path, text))
  const sheets = paths.filter(([path]) => path.endsWith('.css')).map(([path, text]) => readSheet(path, text))
  return styleBreaches(components, sheets, entry).map(({ path, line, text }) => `${path}:${line}: ${text}`)
}

test('the rule can fail: the look of a component depends on what it imports, and on nothing else', () => {
  const common = { [entry]: "import './ui.css'", 'web/app/ui.css': '.card > .bar { color: red }\n.input.span {}' }
  const dollar = '$'
  const card = `import './card.css'\nconst a = <i className={is === 'x' ? \`card own ${dollar}{tone}\` : 'bar'} title='b' />`
  const css = '@media print {\n  .own,\n  .card:is(.own, .bar) { color: red }\n}\n@keyframes turn { to { left: 0 } }'
  assert.deepEqual(stylesOf({ ...common, 'web/features/a/card.tsx': card, 'web/features/a/card.css': css }), [])

  const page = "import { Card } from './card.tsx'\nimport './page.css'"
  const bare = card.replace("import './card.css'", '')
  assert.deepEqual(
    stylesOf({
      ...common,
      'web/features/a/page.tsx': page,
      'web/features/a/page.css': css,
      'web/features/a/card.tsx': bare,
    }),
    [
      'web/features/a/card.tsx:2: .own is in no style sheet that this file imports',
      'web/features/a/page.css:2: .own is about classes of web/features/a/card.tsx, too',
      'web/features/a/page.css:3: .card:is(.own, .bar) is about classes of web/features/a/card.tsx, too',
    ],
  )
  assert.deepEqual(stylesOf({ ...common, 'web/features/a/card.tsx': "const a = <i className='cart' />" }), [
    'web/features/a/card.tsx:1: .cart is in no style sheet',
  ])
  for (const selector of ['.card', 'input', '.span > i', '.mine, .card'])
    assert.equal(stylesOf({ ...common, 'web/features/a/a.css': `${selector} {}` }).length, 1, selector)
  const list = {
    'web/features/b/b.tsx': "import './b.css'\nconst b = <b className='list'><i className='when' /></b>",
    'web/features/b/b.css': '.list .when {}',
  }
  assert.deepEqual(stylesOf({ ...common, ...list, 'web/features/a/a.css': '.mine td.when {}\n.mine.list {}' }), [])
  assert.deepEqual(stylesOf({ ...common, ...list, 'web/features/a/a.css': '.card td.when {}' }), [
    'web/features/a/a.css:1: .card td.when is about classes of web/features/b/b.tsx, too',
  ])
  assert.equal(
    stylesOf({ ...common, 'web/features/a/a.css': '.steps {}', 'web/features/b/b.css': '.steps th {}' }).length,
    2,
  )
})

test('the look of a component depends on what it imports, and on nothing else', () => {
  const components = sources.filter(({ path }) => /^web\/.*\.tsx$/.test(path))
  const sheets = sources
    .filter(({ path }) => /^web\/.*\.css$/.test(path))
    .map(({ path, text }) => readSheet(path, text))
  assert.ok(components.length > 50 && sheets.length > 10)
  const breaches = styleBreaches(components, sheets, entry)
  assert.deepEqual(
    breaches.map(({ path, line, text }) => `${path}:${line}: ${text}`),
    [],
  )
})

test('the scan sets strings, templates, comments and regular expressions apart', () => {
  const dollar = '$'
  const text = [
    "const a = 'x // y' // let b",
    `const t = \`from ${dollar}{f({ a: 'in' })} to \\\` ${dollar}{\`deep ${dollar}{1}\`}\``,
    'const r = /[\'"/*]/.test(a) / 2 /* let c */',
    'let d = 1',
  ].join('\n')
  const { code, strings } = parseSource('a.ts', text)
  assert.deepEqual(
    strings.map((string) => string.text),
    ['x // y', 'from ', 'in', ' to \\` ', 'deep ', '', ''],
  )
  assert.doesNotMatch(code, /let [bc]/)
  assert.match(code, /^let d = 1$/m)
  assert.equal(code.split('\n').length, 4)
})

test('every folder of src has a rank, and every rank is of something or planned', () => {
  const units = new Set(files.flatMap((path) => /^src\/([^/]+)/.exec(path)?.[1] ?? []))
  assert.deepEqual(
    [...units].filter((unit) => rankOf(unit) === undefined && !unit.endsWith('.test.ts')),
    [],
  )
  assert.equal(new Set(ranks.flat()).size, ranks.flat().length)
})

test('no cycle of imports', () => {
  const a = parseSource('src/a.ts', "import { b } from './b.ts'")
  const b = parseSource('src/b.ts', "import { a } from './a.ts'")
  assert.deepEqual(findCycle([a, b]), ['src/a.ts', 'src/b.ts', 'src/a.ts'])
  const typed = parseSource('src/b.ts', "import type { a } from './a.ts'")
  assert.equal(findCycle([a, typed]), undefined)
  assert.equal(findCycle(sources), undefined)
})

/** Numbers of `001-name.sql` files of one folder, in order; a gap or a repetition is an error. */
function numbered(names: string[]): string | undefined {
  const numbers = names.map((name) => Number(/^(\d+)[-_]/.exec(name)?.[1])).sort((x, y) => x - y)
  return numbers.every((number, index) => number === index + 1) ? undefined : `numbers are ${numbers.join(', ')}`
}

test('migrations are numbered from 1 without a gap, in each adapter', () => {
  assert.notEqual(numbered(['001-a.sql', '003-b.sql']), undefined)
  assert.notEqual(numbered(['001-a.sql', '001-b.sql']), undefined)
  assert.equal(numbered(['002-b.sql', '001-a.sql']), undefined)
  const byFolder = Map.groupBy(
    files.filter((path) => /^src\/store\/.*\.sql$/.test(path)),
    (path) => path.slice(0, path.lastIndexOf('/')),
  )
  for (const [folder, paths] of byFolder) {
    assert.equal(numbered(paths.map((path) => path.slice(folder.length + 1))), undefined, folder)
  }
})
