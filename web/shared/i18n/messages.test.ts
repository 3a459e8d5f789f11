import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { refusalReasons } from '../../../src/errors.ts'
import { createTranslator, type Message, type Messages } from './messages.ts'

const web = fileURLToPath(new URL('../..', import.meta.url))
const read = (language: string): Messages => JSON.parse(readFileSync(`${web}messages/${language}.json`, 'utf8'))
const english = read('en')
const others = readdirSync(`${web}messages`)
  .map((file) => file.replace('.json', ''))
  .filter((language) => language !== 'en')
const textsOf = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const placesOf = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort()
/** `count` chooses the form, and need not be said. */
const spoken = (places: readonly (string | undefined)[]) =>
  places.filter((place) => place !== 'count' && place !== 'amount')

const root = fileURLToPath(new URL('../../..', import.meta.url))
const isProgram = (path: string) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts')
const readFolder = (folder: string) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(isProgram)
    .map((path) => readFileSync(`${root}${folder}/${path}`, 'utf8'))
    .join('\n')

/** Keys that no text of the console is: neither written down, nor of the form of a template whose gaps are filled with words. */
function unusedKeys(keys: readonly string[]): string[] {
  const console = ['web/app', 'web/features', 'web/shared'].map(readFolder).join('\n')
  const templates = [...console.matchAll(/`([a-z]\w*\.[\w.]*\$\{[^`]*)`/g)].map(
    ([, template]) => new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '([\\w-]+)')}$`),
  )
  /** What may be filled in: words of the console, and those of the program that reach it, such as parts of an attack's type. */
  const program = ['alert', 'collect/health', 'contract', 'detect', 'names', 'vectors'].map((folder) =>
    readFolder(`src/${folder}`),
  )
  const source = [console, ...program, readFileSync(`${root}src/errors.ts`, 'utf8')].join('\n')
  const words = new Set(
    [...source.matchAll(/'([\w@-]+)'|\b([a-z]\w*)\??:/g)].flatMap(([, text, name]) =>
      text ? text.split(/[@_]/).concat(text) : name,
    ),
  )
  const isMade = (key: string) =>
    templates.some(
      (template) =>
        template
          .exec(key)
          ?.slice(1)
          .every((word) => words.has(word)) ?? false,
    )
  return keys.filter((key) => !isMade(key) && !console.includes(`'${key}'`) && !console.includes(`"${key}"`))
}

describe('message files', () => {
  test('there is another language than English', () => assert.ok(others.includes('zh')))

  for (const language of others) {
    test(`${language} has the messages of English, with the same places`, () => {
      const messages = read(language)
      assert.deepEqual(Object.keys(messages).sort(), Object.keys(english).sort())
      for (const [key, message] of Object.entries(messages)) {
        const wanted = spoken(placesOf(textsOf(english[key]).join(' ')))
        for (const text of textsOf(message)) assert.deepEqual(spoken(placesOf(text)), wanted, key)
      }
    })

    test(`${language} has the plural forms that the language needs`, () => {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
      for (const [key, message] of Object.entries(read(language))) {
        if (typeof message === 'string') continue
        for (const category of pluralCategories) assert.ok(category in message, `${key}: ${category}`)
      }
    })
  }

  test('every message is used: its key is written down, or made from a word that the program has', () => {
    assert.deepEqual(unusedKeys(Object.keys(english)), [])
  })

  test('a message that nothing uses is found', () => {
    const unused = [
      'story.plain2',
      'severity.grave',
      'finding.no-such-rule.about',
      'finding.aboutTitle2',
      'why.metric.parsecs',
    ]
    assert.deepEqual(unusedKeys(unused), unused)
  })
})

test('every reason of a refusal has its words', () => {
  for (const reason of refusalReasons) assert.ok(`refusal.${reason}` in english, reason)
})

describe('a translator', () => {
  const { t, parts, find } = createTranslator(
    'en',
    { 'events.new': { one: '{count} event', other: '{count} events' } },
    english,
  )

  test('chooses the plural form, and writes numbers as the language does', () => {
    assert.equal(t('events.new', { count: 1 }), '1 event')
    assert.equal(t('events.new', { count: 1234 }), '1,234 events')
  })

  test('falls back to English where a language has no message, and never on what objects have', () => {
    assert.equal(t('nav.events'), 'Events')
    assert.equal(find('constructor'), null)
    assert.equal(find('attack.tcp.none'), null)
  })

  test('takes what is filled in for text, whatever it looks like', () => {
    const zh = createTranslator('zh', {}, { 'list.all': 'all {count}' })
    assert.equal(zh.t('list.all', { count: '{count}<b>' }), 'all {count}<b>')
    assert.deepEqual(parts('story.plain'), ['', 'victim', ' came under attack at ', 'start', ': ', 'attack', '.'])
  })

  test('a made-up third language is shown throughout, with its own plurals', () => {
    const madeUp = Object.fromEntries(
      Object.entries(english).map(([key, message]) => [
        key,
        typeof message === 'string'
          ? `⟦${message}⟧`
          : { one: '⟦1⟧', few: '⟦few {count}⟧', many: '⟦many⟧', other: `⟦${message.other}⟧` },
      ]),
    )
    const made = createTranslator('pl', madeUp, english)
    assert.equal(made.t('events.new', { count: 3 }), '⟦few 3⟧')
    for (const key of Object.keys(english)) assert.match(made.find(key) ?? '', /^⟦.*⟧$/s)
  })
})
