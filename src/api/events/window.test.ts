import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { EventFilter } from '../../store/store.ts'
import type { RawQuery } from '../http/endpoints.ts'
import { encodeCursor, parseEventQuery, parseFindQuery } from './window.ts'

const nowMs = Date.UTC(2026, 0, 31, 12)
const dayMs = 86_400_000
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

describe('the window of an event query', () => {
  const cases: [query: RawQuery, fromMs: number | null, toMs: number | null][] = [
    [{}, nowMs - 30 * dayMs, null],
    [{ last: '1' }, nowMs - dayMs, null],
    [{ last: '365' }, nowMs - 365 * dayMs, null],
    [{ last: '030' }, nowMs - 30 * dayMs, null],
    [{ start: '2020-01-01' }, day('2020-01-01'), null],
    [{ end: '2026-01-20' }, day('2026-01-20') - 30 * dayMs, day('2026-01-20')],
    [{ start: '2020-01-01', end: '2026-01-20' }, day('2020-01-01'), day('2026-01-20')],
    [{ start: '2020-01-01', end: '2020-01-01' }, day('2020-01-01'), day('2020-01-01')],
    [{ last: '7', start: '2020-01-01' }, nowMs - 7 * dayMs, null],
    [{ last: '7', start: '2026-01-30' }, day('2026-01-30'), null],
    [{ last: '7', end: '2026-01-30' }, nowMs - 7 * dayMs, day('2026-01-30')],
    [{ last: '7', start: '2026-01-29', end: '2026-01-30' }, day('2026-01-29'), day('2026-01-30')],
    [{ last: '1', start: '2019-01-01', end: '2020-01-01' }, nowMs - dayMs, day('2020-01-01')],
    [{ other: 'x' }, nowMs - 30 * dayMs, null],
  ]
  for (const [query, fromMs, toMs] of cases) {
    it(JSON.stringify(query), () => {
      assert.deepEqual(parseEventQuery(query, nowMs), {
        ok: true,
        wanted: { fromMs, toMs, filter: { isTest: false }, after: null, limit: null },
      })
    })
  }
})

describe('a wrong query names the parameters', () => {
  const cases: [query: RawQuery, parameters: string[]][] = [
    [{ last: '0' }, ['last']],
    [{ last: '366' }, ['last']],
    [{ last: '-1' }, ['last']],
    [{ last: '1.5' }, ['last']],
    [{ last: '7.0' }, ['last']],
    [{ last: '1e1' }, ['last']],
    [{ last: '0x7' }, ['last']],
    [{ last: ' 7' }, ['last']],
    [{ last: '' }, ['last']],
    [{ last: 'week' }, ['last']],
    [{ last: '9'.repeat(1_000) }, ['last']],
    [{ last: ['7', '7'] }, ['last']],
    [{ start: '' }, ['start']],
    [{ start: 'now' }, ['start']],
    [{ start: '2017-02-30' }, ['start']],
    [{ start: ['2017-02-03', '2017-02-03'] }, ['start']],
    [{ end: ['2017-02-03', '2017-02-04'] }, ['end']],
    [{ end: '2017' }, ['end']],
    [{ start: '2020-01-02', end: '2020-01-01' }, ['end']],
    [{ start: '2020-01-01T00:00:01Z', end: '2020-01-01' }, ['end']],
    [{ limit: '0' }, ['limit']],
    [{ limit: '1001' }, ['limit']],
    [{ limit: ['1', '2'] }, ['limit']],
    [{ cursor: 'x' }, ['cursor']],
    [{ cursor: 'A'.repeat(36) }, ['cursor']],
    [{ cursor: '' }, ['cursor']],
    [{ last: 'x', start: 'y', end: 'z', limit: '-', cursor: '!' }, ['last', 'start', 'end', 'limit', 'cursor']],
  ]
  for (const [query, parameters] of cases) {
    it(JSON.stringify(query).slice(0, 80), () => {
      const parsed = parseEventQuery(query, nowMs)
      assert.deepEqual(parsed.ok ? [] : parsed.errors.map(({ parameter }) => parameter), parameters)
    })
  }
})

describe('cursors', () => {
  it('give back the key that they were made of', () => {
    const digits = fc.stringMatching(/^[0-9a-f]{24}$/)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), digits, (createdMs, id) => {
        const parsed = parseEventQuery({ cursor: encodeCursor({ createdMs, id }), limit: '5' }, nowMs)
        assert.deepEqual(parsed.ok && parsed.wanted.after, { createdMs, id })
      }),
    )
  })
})

describe('the filters of an event query', () => {
  const parsed = (query: RawQuery) => parseFindQuery(query, nowMs)
  const cases: [query: RawQuery, filter: EventFilter][] = [
    [{}, {}],
    [{ site: '*.Example.COM.' }, { site: '*.example.com' }],
    [{ site: '192.0.2.99/24' }, { site: '192.0.2.0/24' }],
    [{ address: '192.0.2.1' }, { address: 0xc000_0201 }],
    [{ state: 'open' }, { isOpen: true }],
    [{ state: 'ended' }, { isOpen: false }],
    [{ attackType: 'tcp@attack@syn_flood_target' }, { label: 'tcp@attack@syn_flood_target' }],
    [{ attackType: 'unknown' }, { label: null }],
    [{ deviationMin: '2.5' }, { deviationMin: 2.5 }],
    [{ deviationMin: '1e3' }, { deviationMin: 1_000 }],
    [{ deviationMin: '2.5E-05' }, { deviationMin: 0.000_025 }],
    [{ deviationMin: '1.7976931348623157e+308' }, { deviationMin: Number.MAX_VALUE }],
    [{ deviationMin: '0.1000000000000000055511151231257827' }, { deviationMin: 0.1 }],
    [{ test: 'true' }, { isTest: true }],
    [{ deviationMin: '-0.0' }, { deviationMin: -0 }],
    [{ deviationMin: '9'.repeat(400) }, { deviationMin: Number.POSITIVE_INFINITY }],
    [
      { address: '192.0.2.1', deviationMin: '0' },
      { address: 0xc000_0201, deviationMin: 0 },
    ],
  ]
  for (const [query, filter] of cases) {
    it(JSON.stringify(query).slice(0, 80), () => {
      const { ok, wanted } = { wanted: null, ...parsed(query) }
      assert.deepEqual([ok, wanted?.filter], [true, filter])
    })
  }

  it('are not those of the frozen list, which has no tests', () => {
    const { ok, wanted } = { wanted: null, ...parseEventQuery({ state: 'nonsense' }, nowMs) }
    assert.deepEqual([ok, wanted?.filter], [true, { isTest: false }])
  })

  it('are named when they are wrong', () => {
    const wrong = { site: '10.0.0.0/8', address: '1.1.1', state: 'closed', deviationMin: '-1', last: '0' }
    for (const [parameter, text] of Object.entries(wrong)) {
      const { ok, errors } = { errors: [], ...parsed({ [parameter]: text }) }
      assert.deepEqual([ok, errors.map((error) => ('parameter' in error ? error.parameter : ''))], [false, [parameter]])
    }
    for (const text of ['', 'x', ' 1', '1,5', '.5', '5.', '1e', '0x7', '1_000', 'NaN', 'Infinity', '-0.1', '-1e-9'])
      assert.equal(parsed({ deviationMin: text }).ok, false, text)
    assert.equal(parsed({ address: ['192.0.2.1', '192.0.2.2'] }).ok, false)
  })
})
