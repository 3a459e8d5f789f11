import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createTranslator } from '../../shared/i18n/messages.ts'
import { attackName } from './vectors.ts'
import { wordsOf } from './words.ts'

const read = (language: string) =>
  JSON.parse(readFileSync(new URL(`../../messages/${language}.json`, import.meta.url), 'utf8'))
const [en, zh] = [read('en'), read('zh')]
const languages = [createTranslator('en', en, en), createTranslator('zh', zh, en)]

const types = [
  'tcp@attack@syn_flood_target',
  'tcp@attack@synack_flood_target',
  'tcp@attack@conn_flood_target',
  'tcp@attack@slow_conn_target',
  'udp@attack@amp_flood_target-DNS',
  'udp@attack@amp_flood_target-NTP',
  'udp@attack@amp_flood_target-MEMCACHED',
  'udp@attack@frag_flood_target',
  'udp@attack@simple_flood_target',
  'icmp@attack@simple_flood_target',
  'ip@attack@proto_flood_target-GRE',
  null,
]

/** As the service looks: of these types those that the query finds. */
function found(typed: string, translator = languages[0]): (string | null)[] {
  const { q = '', qAlso = '' } = wordsOf(typed, translator)
  const texts = [q, ...qAlso.split(',')].filter((text) => text !== '').map((text) => text.toLowerCase())
  return types.filter((type) => texts.some((text) => (type ?? 'unknown').toLowerCase().includes(text)))
}

test('each kind is found by its name on the screen, in either language, and by the beginning of it', () => {
  for (const translator of languages) {
    for (const type of types) {
      const name = attackName(type, translator)
      assert.deepEqual(found(name, translator), [type], name)
      assert.deepEqual(found(` ${name.toUpperCase()} `, translator), [type], name)
      assert.ok(found(name.slice(0, -1), translator).includes(type), name)
    }
  }
})

test('a part that several names have finds all of them', () => {
  assert.deepEqual(found('amplification'), types.slice(4, 7))
  assert.deepEqual(found('放大攻击', languages[1]), types.slice(4, 7))
  assert.deepEqual(found('connection'), types.slice(2, 4))
  assert.deepEqual(found('fragment'), types.slice(7, 8))
  assert.deepEqual(found('unknown'), [null])
})

test('a severity is asked for as such, whatever else is looked for as it was typed', () => {
  assert.deepEqual(wordsOf('Critical', languages[0]), { severity: 'critical' })
  assert.deepEqual(wordsOf(zh['severity.high'], languages[1]), { severity: 'high' })
  assert.deepEqual(wordsOf('shop.example.net', languages[0]), { q: 'shop.example.net' })
  assert.deepEqual(wordsOf('192.0.2.1', languages[0]), { q: '192.0.2.1' })
  assert.deepEqual(wordsOf('s', languages[0]), { q: 's' })
  assert.deepEqual(wordsOf('  ', languages[0]), {})
  assert.deepEqual(wordsOf(undefined, languages[0]), {})
})
