import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatTime, parseTime } from './time.ts'

describe('parseTime', () => {
  const cases: [text: string, time: string | null][] = [
    ['2017-03-08', '2017-03-08T00:00:00.000Z'],
    ['2017-03-08 10:09:18', '2017-03-08T10:09:18.000Z'],
    ['2017-03-08T10:09:18', '2017-03-08T10:09:18.000Z'],
    ['2017-03-08T10:09:18+00:00', '2017-03-08T10:09:18.000Z'],
    ['2017-03-08T10:09:18Z', '2017-03-08T10:09:18.000Z'],
    ['2017-03-08t10:09:18z', '2017-03-08T10:09:18.000Z'],
    ['2017-03-08T10:09:18+01:30', '2017-03-08T08:39:18.000Z'],
    ['2017-03-08T10:09:18-0130', '2017-03-08T11:39:18.000Z'],
    ['2017-03-08T10:09:18+08', '2017-03-08T02:09:18.000Z'],
    ['2017-03-08T00:00:00 00:00', '2017-03-08T00:00:00.000Z'],
    ['2017-03-08T00:00:00 02:00', '2017-03-07T22:00:00.000Z'],
    ['2017-03-08 00:00:00 02:00', '2017-03-07T22:00:00.000Z'],
    ['2017-03-08T10:09:18.5Z', '2017-03-08T10:09:18.500Z'],
    ['2017-03-08T10:09:18,25Z', '2017-03-08T10:09:18.250Z'],
    ['2017-03-08T10:09:18.123000+00:00', '2017-03-08T10:09:18.123Z'],
    ['2017-03-08T10:09:18.1230001+00:00', '2017-03-08T10:09:18.124Z'],
    ['2017-03-08T10:09:18.9999Z', '2017-03-08T10:09:19.000Z'],
    ['2016-02-29', '2016-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['2017-02-29', null],
    ['2017-02-30', null],
    ['2017-04-31 00:00:00', null],
    ['2017-00-10', null],
    ['2017-13-10', null],
    ['2017-01-00', null],
    ['2017-01-32', null],
    ['2017-03-08 24:00:00', null],
    ['2017-03-08 23:60:00', null],
    ['2017-03-08 23:59:60', null],
    ['2017-03-08T10:09:18+24:00', null],
    ['2017-03-08T10:09:18+01:60', null],
    ['2017-03-08T10:09', null],
    ['2017-03-08T', null],
    ['2017-3-8', null],
    ['20170308', null],
    ['1488967758', null],
    [' 2017-03-08', null],
    ['2017-03-08 ', null],
    ['2017-03-08\n', null],
    ['2017-03-08T10:09:18 Z', null],
    ['２０１７-03-08', null],
    ['yesterday', null],
    ['', null],
  ]
  for (const [text, time] of cases) {
    it(`${JSON.stringify(text)} -> ${time ?? 'none'}`, () => {
      const ms = parseTime(text)
      assert.equal(ms === null ? null : new Date(ms).toISOString(), time)
    })
  }

  it('reads what formatTime writes, at any offset', () => {
    const second = fc.integer({ min: -62_000_000_000, max: 250_000_000_000 })
    fc.assert(
      fc.property(second, fc.integer({ min: -1439, max: 1439 }), (seconds, offsetMinutes) => {
        const ms = seconds * 1000
        assert.equal(parseTime(formatTime(ms)), ms)
        const two = (value: number) => String(Math.abs(value)).padStart(2, '0')
        const offset = `${offsetMinutes < 0 ? '-' : '+'}${two(Math.trunc(offsetMinutes / 60))}:${two(offsetMinutes % 60)}`
        const local = formatTime(ms + offsetMinutes * 60_000).replace('+00:00', offset)
        assert.equal(parseTime(local), ms)
        if (offsetMinutes >= 0) assert.equal(parseTime(local.replace('+', ' ')), ms)
      }),
    )
  })

  it('agrees with the calendar on which dates there are', () => {
    const part = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'))
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2100 }), part(14), part(33), (year, month, day) => {
        const text = `${year}-${month}-${day}`
        const date = new Date(`${text}T00:00:00Z`)
        const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
        assert.equal(parseTime(text) !== null, exists, text)
      }),
    )
  })

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const ms = parseTime(text)
        assert.ok(ms === null || Number.isSafeInteger(ms))
      }),
    )
  })
})

describe('formatTime', () => {
  it('is the date as JavaScript writes it, without milliseconds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -8.64e15, max: 8.64e15 }),
        fc.double({ min: -1e12, max: 3e12, noNaN: true }),
        (far, near) => {
          for (const ms of [far, near]) assert.equal(formatTime(ms), `${new Date(ms).toISOString().slice(0, 19)}+00:00`)
        },
      ),
    )
    assert.throws(() => formatTime(Number.NaN), RangeError)
  })

  it('writes whole seconds with a numeric offset', () => {
    assert.equal(formatTime(Date.UTC(2017, 2, 8, 10, 9, 18, 999)), '2017-03-08T10:09:18+00:00')
  })
})
