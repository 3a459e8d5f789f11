import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ZoneBackOff, zoneOf } from './zone-back-off.ts'

const options = { firstMs: 5_000, longestMs: 60_000 }

test('names of one registered domain are of one zone, and customers of a company are not', () => {
  const zones = ['a.b.example.co.uk', 'example.co.uk', 'one.github.io', 'two.github.io', 'host'].map(zoneOf)
  assert.deepEqual(zones, ['example.co.uk', 'example.co.uk', 'one.github.io', 'two.github.io', 'host'])
})

test('a zone is held after eight failures in a row, and no sooner', () => {
  const zones = new ZoneBackOff(options)
  for (let i = 0; i < 7; i++) zones.failed('a.example', 0)
  assert.deepEqual([zones.isHeld('a.example', 0), zones.size], [false, 0])
  zones.answered('a.example')
  for (let i = 0; i < 8; i++) zones.failed('a.example', 0)
  assert.deepEqual([zones.isHeld('a.example', 4_999), zones.isHeld('a.example', 5_000), zones.size], [true, false, 1])
  assert.equal(zones.isHeld('b.example', 0), false)
})

test('what was asked before a zone was held does not hold it longer', () => {
  const zones = new ZoneBackOff(options)
  for (let i = 0; i < 100; i++) zones.failed('a.example', 0)
  assert.equal(zones.isHeld('a.example', 5_000), false)
})

test('the wait doubles with each probe, up to the longest', () => {
  const zones = new ZoneBackOff(options)
  for (let i = 0; i < 8; i++) zones.failed('a.example', 0)
  let nowMs = 5_000
  const waits: number[] = []
  for (let probe = 0; probe < 6; probe++) {
    zones.asked('a.example', nowMs)
    const fromMs = nowMs
    while (zones.isHeld('a.example', nowMs)) nowMs += 1_000
    waits.push((nowMs - fromMs) / 1_000)
  }
  assert.deepEqual(waits, [10, 20, 40, 60, 60, 60])
})

test('zones without names are forgotten, and a clock that is set holds none longer', () => {
  const zones = new ZoneBackOff(options)
  for (const zone of ['a.example', 'b.example']) for (let i = 0; i < 8; i++) zones.failed(zone, 1_000_000)
  zones.keep(new Set(['b.example']))
  assert.equal(zones.size, 1)
  zones.shift(-900_000)
  assert.deepEqual([zones.isHeld('b.example', 104_999), zones.isHeld('b.example', 105_000)], [true, false])
})
