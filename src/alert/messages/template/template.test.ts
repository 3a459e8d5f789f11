import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { messageOf } from '../../../../test/helpers/labs/messages.ts'
import { nastyValues } from '../../../../test/helpers/labs/nasty.ts'
import { type Escaper, escapers } from '../escape.ts'
import { factLines, textOf } from '../text.ts'
import { writerFor } from '../words.ts'
import { type Filling, forms, formsOf, places } from './places.ts'
import { compileTemplate, type Template } from './template.ts'

const url = 'https://ddos.example.net'
const filling = (given: Parameters<typeof messageOf>[1] = {}): Filling => ({
  ...{ message: messageOf('event.ended', given), writer: writerFor({}), title: 'Title', eventUrl: `${url}/events/1` },
  facts: [
    { label: 'Site', value: 'a' },
    { label: 'Rate', value: 'b' },
  ],
})

function compiled(text: string): Template {
  const template = compileTemplate(text)
  if (Array.isArray(template)) throw new Error(template.join())
  return template
}

const written = (text: string, given: Filling = filling(), escaper: Escaper = escapers.none, max = 10_000) =>
  compiled(text).fill(given)(escaper, max)

describe('a template', () => {
  it('is text with places, each written as it is asked for', () => {
    assert.equal(
      written(
        '{{severity}}: {{event.site}} {{ event.peak.bitsPerSecond | bits }}, {{event.sources|count}} sources\n{{event.start|iso}}',
      ),
      'High: *.example.com 330 Mbit/s, 71,340 sources\n2017-03-08T10:09:14.000Z',
    )
    assert.equal(written('no place }} at all { {'), 'no place }} at all { {')
    assert.equal(written('{{facts}}'), 'Site: a\nRate: b')
    assert.equal(written('{{event.attack|upper}}'), 'NTP AMPLIFICATION')
    assert.equal(written('{{event.end}} {{event.seconds|duration}}'), '2017-03-08 10:10:14 UTC 1 min')
    assert.equal(written('[{{event.end}}]', filling({ end: null })), '[]')
    assert.equal(written('[{{event.sources}}]', filling({ view: 'totals' })), '[]')
  })

  it('has a word for every place and form that there is', () => {
    for (const { name, kind, description } of places) {
      assert.ok(description.endsWith('.'), name)
      for (const form of ['', ...formsOf(kind)]) {
        const text = written(`{{${form === '' ? name : `${name}|${form}`}}}x`)
        assert.ok(text !== null && !/undefined|NaN|\[object|Invalid/.test(text), `${name}|${form}: ${text}`)
      }
    }
    assert.equal(new Set(places.map(({ name }) => name)).size, places.length)
    assert.equal(new Set(forms.map(({ name }) => name)).size, forms.length)
  })

  it('is refused with a place that there is not, which is named with those that there are', () => {
    const [first, second] = [compileTemplate('{{event.sight}} {{event.site}}'), compileTemplate('{{event.site|bits}}')]
    assert.match(String(first), /^There is no place \{\{event\.sight\}\}; there are: title, facts, .*event\.site,/)
    assert.deepEqual(second, ['There is no {{event.site|bits}}; event.site can be written as: upper'])
    assert.deepEqual(compileTemplate('{{facts|upper}}'), ['{{facts|upper}}: facts is written in one way only'])
    assert.deepEqual(compileTemplate('a {{event.site} b'), ['A place begins with {{ and has no }}'])
    for (const text of [
      '{{}}',
      '{{constructor}}',
      '{{__proto__}}',
      '{{event}}',
      '{{event.site|upper|upper}}',
      '{{#if x}}',
      '{{{event.site}}}',
    ])
      assert.ok(Array.isArray(compileTemplate(text)), text)
  })

  it('leaves values that look like places as they are', () => {
    const given = filling({ site: '{{event.address}} {{title}} {amount} {{' })
    assert.equal(written('{{event.site}}{{event.address}}', given), '{{event.address}} {{title}} {amount} {{192.0.2.10')
  })

  it('cuts values, never itself, and gives way where that is not enough', () => {
    const given = filling({ site: 'x'.repeat(5_000) })
    assert.equal(written('{{event.site}}!', given)?.length, 301)
    assert.equal(written('<b>{{event.site}}</b>', given, escapers.html, 40), `<b>${'x'.repeat(29)}…</b>`)
    assert.equal(written('12345{{event.site}}', given, escapers.none, 9), null)
    assert.equal(written(' {{event.end}}\n', filling({ end: null })), null)
  })

  it('keeps all of its own text, and escapes what fills it, whatever both are', () => {
    const literal = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .filter((text) => !/[{}]/.test(text) && text.trim() !== '')
    const value = fc.oneof(fc.constantFrom(...nastyValues), fc.string({ unit: 'binary', maxLength: 60 }))
    const names = Object.values(escapers)
    const property = fc.property(
      literal,
      literal,
      value,
      fc.constantFrom(...names),
      (before, behind, site, escaper) => {
        const text = written(`${before}{{event.site}}${behind}`, filling({ site }), escaper) ?? ''
        assert.ok(text.startsWith(before) && text.endsWith(behind))
        const filled = text.slice(before.length, text.length - behind.length)
        assert.doesNotMatch(filled, /[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
      },
    )
    fc.assert(property, { numRuns: 50 })
  })
})

describe('the text of a message with templates', () => {
  it('has them in place of title and facts, in the reader’s language', () => {
    const templates = { titleTemplate: '{{event.site}}!', textTemplate: '{{severity}}\n{{event.url}}' }
    const text = textOf(messageOf('event.started'), { ...templates, language: 'zh' }, url)
    assert.equal(text.title, '*.example.com!')
    assert.equal(text.custom?.(escapers.none, 999), `高\n${url}/events/58bfd7ae1f0a4b3c9d2e6f70`)
    assert.match(textOf(messageOf('alert.test'), templates, url).title, /^\[TEST\] \*\.example\.com!$/)
  })

  it('is as it is without them where one is no template any more, or comes to nothing', () => {
    const plain = textOf(messageOf('event.started'), {}, url)
    for (const titleTemplate of ['{{event.gone}}', '{{event.network}}', `${'x'.repeat(251)}`]) {
      const text = textOf(messageOf('event.started'), { titleTemplate, textTemplate: '{{event.gone}}' }, url)
      assert.deepEqual([text.title, text.custom, factLines(text)], [plain.title, null, factLines(plain)])
    }
  })
})
