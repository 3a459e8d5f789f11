import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTranslator, type Message, type Messages } from './messages.ts'

const web = fileURLToPath(new URL('../../', import.meta.url))
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

  test('every message that is not made from a word is used', () => {
    const source = readdirSync(web, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('dist'))
      .map((path) => readFileSync(web + path, 'utf8'))
      .join('\n')
    const made =
      /^(?:attack|finding|why|severity|timeline|setup\.step|settings|source\.state|site\.traffic|site\.trafficText|live|scope|scopeText|proof\.state|sites\.told|events\.tab|events\.none|events\.noneText|note|related|traffic\.span|names\.(?:source|sourceText|problem|problemText|resolverState|zoneFailure))\.|^traffic\.(?:min|average|p95|max|peak|last)$/
    const unused = Object.keys(english).filter(
      (key) => !made.test(key) && !source.includes(`'${key}'`) && !source.includes(`"${key}"`),
    )
    assert.deepEqual(unused, [])
  })
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
