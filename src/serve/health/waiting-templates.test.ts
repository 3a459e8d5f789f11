import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportedMs as nowMs, streamReport } from '../../../test/helpers/exporters.ts'
import { checkTemplates } from './waiting-templates.ts'

const { counters } = streamReport({})
const had = { lastMs: nowMs, counters: { ...counters, records: 100 }, recordsPerSecond: 0 }
const waits = streamReport({ ...had, waiting: [{ template: 256, sets: 3 }] })
const understood = streamReport({ ...had, recordsPerSecond: 20 })
const check = (streams: (typeof waits)[], areListed: boolean) => checkTemplates({ streams, nowMs, areListed })

describe('the templates of exporters', () => {
  it('are there', () => {
    for (const areListed of [true, false]) assert.equal(check([understood], areListed).ok, true)
    assert.equal(check([], false).ok, true)
  })

  it('are missed where listed exporters alone may send, and their number is told, not who', () => {
    const { ok, detail } = check([understood, waits, waits], true)
    assert.deepEqual([ok, detail], [false, '2 streams of exporters had records, and now wait for their templates'])
  })

  it('are no reason while others are understood and anybody may send: a stranger could wait for ever', () => {
    const { ok, isWarning } = check([understood, waits], false)
    assert.deepEqual([ok, isWarning], [true, true])
    assert.equal(check([waits], false).ok, false)
  })

  it('are not missed by a stream that never had records, is silent, or is read in part', () => {
    for (const stream of [
      { ...waits, counters },
      { ...waits, lastMs: nowMs - 121_000 },
      { ...waits, recordsPerSecond: 5 },
      { ...waits, recordsPerSecond: null },
    ]) {
      const report =
        'counters' in stream && stream.counters === counters
          ? { ...stream, counters: { ...counters, records: 0 } }
          : stream
      assert.deepEqual(check([report], true).isWarning, undefined)
    }
  })
})
