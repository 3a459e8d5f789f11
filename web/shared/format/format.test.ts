import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { axisUnit, formatAmount, formatBits, formatBytes, formatShare, formatTick, formatTimes } from './rates.ts'
import { flagNames, serviceOf } from './services.ts'
import { formatAgo, formatDateTime, formatDuration, formatMoment } from './times.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('amounts', () => {
  test('have three digits that count, and a prefix that fits', () => {
    const cases: [number, string][] = [
      [0, '0'],
      [0.25, '0.25'],
      [999, '999'],
      [999.6, '1 k'],
      [1234, '1.23 k'],
      [67_600, '67.6 k'],
      [999_600, '1 M'],
      [1.5e9, '1.5 G'],
      [2e15, '2,000 T'],
    ]
    for (const [value, text] of cases) assert.equal(plain(formatAmount(value, 'en')), text)
  })

  test('of bytes a second are shown in bits', () => assert.equal(plain(formatBits(31_560_000, 'en')), '252 Mbps'))

  test('have their prefix at an abbreviation, and before a word', () => {
    assert.equal(plain(formatAmount(67_600, 'en', 'pps')), '67.6 kpps')
    assert.equal(plain(formatAmount(67_600, 'en', 'flows/s')), '67.6 k flows/s')
  })

  test('of an axis have one unit, that of the largest', () => {
    const cases: [max: number, unit: string, ticks: number[], texts: string[], above: string][] = [
      [700_000, 'pps', [0, 100_000, 700_000], ['0', '100', '700'], 'kpps'],
      [4e9, 'bps', [0, 5e8, 4e9], ['0', '0.5', '4'], 'Gbps'],
      [12, 'flows/s', [0, 2.5], ['0', '2.5'], 'flows/s'],
      [5_000, 'flows/s', [1_000], ['1'], 'k flows/s'],
    ]
    for (const [max, unit, ticks, texts, above] of cases) {
      const axis = axisUnit(max, unit)
      assert.deepEqual(
        ticks.map((tick) => formatTick(tick / axis.by, 'en')),
        texts,
      )
      assert.equal(axis.unit, above)
    }
  })

  test('of storage have binary prefixes', () => {
    assert.equal(plain(formatBytes(0, 'en')), '0 B')
    assert.equal(plain(formatBytes(1536, 'en')), '1.5 KiB')
    assert.equal(plain(formatBytes(5 * 2 ** 30, 'en')), '5 GiB')
  })

  test('shares never round to nothing or to all', () => {
    assert.equal(formatShare(0, 'en'), '0%')
    assert.equal(formatShare(0.00001, 'en'), '0.1%')
    assert.equal(formatShare(0.973, 'en'), '97%')
    assert.equal(formatShare(0.99999, 'en'), '99.9%')
    assert.equal(formatShare(1, 'en'), '100%')
  })

  test('against normal are multiples', () => {
    assert.equal(formatTimes(3.24, 'en'), '×3.2')
    assert.equal(formatTimes(38.2, 'en'), '×38')
  })
})

describe('times', () => {
  const at = Date.UTC(2017, 2, 8, 10, 9, 14)
  const t = (key: string, { count }: { count: number }) =>
    `${count}${key.slice('format.'.length, 'format.'.length + 1)}`
  const translator = {
    t: (key: string, values: Readonly<Record<string, unknown>> = {}) => t(key, { count: Number(values.count) }),
  }

  test('are those of the zone that was chosen', () => {
    assert.equal(formatDateTime(at, 'en-GB', 'utc'), '8 Mar 2017, 10:09:14')
    assert.equal(formatMoment(at, at + 3_600_000, 'en-GB', 'utc'), '10:09:14')
    assert.equal(formatMoment(at, at + 86_400_000, 'en-GB', 'utc'), '8 Mar, 10:09')
  })

  test('are told from now', () => {
    assert.equal(formatAgo(at, at, 'en'), 'now')
    assert.equal(formatAgo(at - 59_000, at, 'en-GB'), '59 sec ago')
    assert.equal(formatAgo(at - 7_200_000, at, 'en'), '2 hr. ago')
  })

  test('that pass are told in their two largest parts', () => {
    const cases: [number, string][] = [
      [0, '0s'],
      [59.4, '59s'],
      [60, '1m'],
      [134, '2m 14s'],
      [3_600 + 59, '1h'],
      [90_000, '1d 1h'],
    ]
    for (const [seconds, text] of cases) assert.equal(formatDuration(seconds, translator), text)
  })
})

describe('names', () => {
  test('of ports and TCP flags', () => {
    assert.equal(serviceOf(123), 'NTP')
    assert.equal(serviceOf(40_000), null)
    assert.equal(flagNames(0x12), 'SYN ACK')
    assert.equal(flagNames(0), '')
  })
})
