import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Findable, fitOf, ranked } from './ranking.ts'

test('a name fits the better, the nearer to its beginning the text is', () => {
  const fits = ['Shop', 'shop.example.net', 'my.shop.example.net', 'eshop-shop.net', 'eshop.net', 'api.example.net']
  assert.deepEqual(
    fits.map((name) => fitOf(name, 'shop')),
    [0, 1, 2, 2, 3, 4],
  )
  assert.equal(fitOf('流量来源', '来源'), 3)
})

test('what is called so is first, then events, then what is found for another reason', () => {
  const entries: Findable[] = [
    { kind: 'site', name: 'api.example.net' },
    { kind: 'event', name: 'shop.example.net' },
    { kind: 'event', name: 'eshop.example.net' },
    { kind: 'source', name: '192.0.2.1' },
    { kind: 'site', name: 'eshop.example.net' },
    { kind: 'site', name: 'shop.example.net' },
    { kind: 'place', name: 'Shops' },
  ]
  assert.deepEqual(
    ranked(entries, 'shop').map(({ kind, name }) => `${kind} ${name}`),
    [
      ...['site shop.example.net', 'place Shops', 'site eshop.example.net'],
      ...['event shop.example.net', 'event eshop.example.net', 'site api.example.net', 'source 192.0.2.1'],
    ],
  )
})
