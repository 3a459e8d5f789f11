import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultsOf, fieldAt, fieldsOf, typedOf, valuesOf } from './fields.ts'

const kind = {
  settings: {
    type: 'object',
    required: ['url', 'to'],
    properties: {
      url: { type: 'string', format: 'uri', maxLength: 40, description: 'Where it goes.' },
      to: { type: 'array', items: { type: 'string', pattern: '^[^@]+@[^@]+$' }, minItems: 1, maxItems: 3 },
      language: { enum: ['en', 'zh'], default: 'en' },
      facility: { type: 'integer', minimum: 0, maximum: 23, default: 16 },
      isUrgent: { type: 'boolean' },
      ca: { type: 'string', maxLength: 20_000, pattern: '^-----BEGIN' },
    },
  },
  secrets: { type: 'object', required: ['token'], properties: { token: { type: 'string', pattern: '^[-_a-z]{4,}$' } } },
}
const fields = fieldsOf(kind)
const none: ReadonlySet<string> = new Set()
const well = { 'settings.url': 'https://a.example/', 'settings.to': 'a@b', 'secrets.token': 'abcd' }

describe('the fields of a channel', () => {
  test('are made from the schemas, what is needed first', () => {
    assert.deepEqual(
      fields.map(({ key, control, isRequired }) => [key, control, isRequired]),
      [
        ['settings.url', 'text', true],
        ['settings.to', 'list', true],
        ['secrets.token', 'text', true],
        ['settings.facility', 'number', false],
        ['settings.isUrgent', 'switch', false],
        ['settings.ca', 'lines', false],
        ['settings.language', 'choice', false],
      ],
    )
    const [url, , , facility, , , language] = fields
    assert.deepEqual(
      [url.isUrl, url.description, language.choices, facility.standard],
      [true, 'Where it goes.', ['en', 'zh'], '16'],
    )
  })

  test('a schema that says nothing has no fields', () => {
    assert.deepEqual(fieldsOf({ settings: { type: 'object' }, secrets: {} }), [])
    assert.deepEqual(fieldsOf({ settings: { properties: null }, secrets: { properties: 3 } }), [])
  })

  test('what is typed is sent as the schema has it, and what is empty is left out', () => {
    const typed = {
      ...well,
      'settings.to': ' a@b, c@d\n\ne@f ',
      'settings.facility': ' 4 ',
      'settings.isUrgent': 'true',
      'settings.ca': '  ',
      'settings.language': '',
    }
    assert.deepEqual(valuesOf(fields, 'settings', typed), {
      ...{ url: 'https://a.example/', to: ['a@b', 'c@d', 'e@f'] },
      ...{ facility: 4, isUrgent: true },
    })
    assert.deepEqual(valuesOf(fields, 'secrets', typed), { token: 'abcd' })
    assert.deepEqual(valuesOf(fields, 'secrets', {}), {})
  })

  test('what a channel has is what would be typed to have it', () => {
    const settings = {
      url: 'https://a.example/',
      to: ['a@b', 'c@d'],
      facility: 0,
      isUrgent: false,
      token: 'abcd',
      other: 1,
    }
    const typed = typedOf(fields, settings)
    assert.deepEqual(typed, {
      'settings.url': 'https://a.example/',
      'settings.to': 'a@b\nc@d',
      'settings.facility': '0',
      'settings.isUrgent': '',
    })
    const { token: _, other: __, isUrgent: ___, ...kept } = settings
    assert.deepEqual(valuesOf(fields, 'settings', typed), kept)
  })

  test('what will not do is found before it is sent', () => {
    const faultOf = (key: string, text: string) => faultsOf(fields, { ...well, [key]: text }, none).get(key)
    assert.deepEqual(faultsOf(fields, well, none), new Map())
    assert.equal(faultOf('settings.url', ' '), 'missing')
    assert.equal(faultOf('settings.url', 'ftp://a.example'), 'url')
    assert.equal(faultOf('settings.url', `https://${'a'.repeat(40)}`), 'long')
    assert.equal(faultOf('settings.to', 'a@b c'), 'form')
    assert.equal(faultOf('settings.to', 'a@b c@d e@f g@h'), 'many')
    assert.equal(faultOf('settings.facility', '24'), 'range')
    assert.equal(faultOf('settings.facility', '1.5'), 'range')
    assert.equal(faultOf('settings.facility', 'x'), 'range')
    assert.equal(faultOf('settings.ca', 'x'), 'form')
    assert.equal(faultOf('secrets.token', 'ABCD'), 'form')
    assert.equal(faultOf('secrets.token', ''), 'missing')
  })

  test('what the service makes or keeps may be empty, and is looked at all the same where it is not', () => {
    const kept = new Set(['secrets.token'])
    assert.deepEqual(faultsOf(fields, { ...well, 'secrets.token': '' }, kept), new Map())
    assert.equal(faultsOf(fields, { ...well, 'secrets.token': 'A' }, kept).get('secrets.token'), 'form')
  })

  test('a place in the request leads to its field', () => {
    assert.equal(fieldAt(fields, '/settings/to/0')?.key, 'settings.to')
    assert.equal(fieldAt(fields, '/secrets/token')?.key, 'secrets.token')
    assert.equal(fieldAt(fields, '/settings'), null)
    assert.equal(fieldAt(fields, '/kind'), null)
    assert.equal(fieldAt(fields, ''), null)
  })
})
