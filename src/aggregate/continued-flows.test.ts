import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ContinuedFlows, flowKey } from './continued-flows.ts'

describe('flows that are reported again and again', () => {
  const key = flowKey(1, 7, 2, 3, 123, 40_000, 17)

  it('count from where the record before ended, when all are dated from the beginning', () => {
    const flows = new ContinuedFlows()
    assert.equal(flows.since(key, 1_000, 1_060), 1_000)
    assert.equal(flows.since(key, 1_000, 1_120), 1_061)
    // The exporter counts by its uptime.
    assert.equal(flows.since(key, 1_001, 1_180), 1_121)
  })

  it('count as they are dated when each begins where the one before ended', () => {
    const flows = new ContinuedFlows()
    for (const first of [1_000, 1_061, 1_122]) assert.equal(flows.since(key, first, first + 60), first)
  })

  it('count as they are dated when another record is of the same packets, as they leave', () => {
    const flows = new ContinuedFlows()
    flows.since(key, 1_000, 1_060)
    assert.equal(flows.since(key, 1_000, 1_061), 1_000)
    assert.equal(flows.since(key, 1_000, 1_120), 1_062)
    assert.equal(flows.since(key, 1_000, 1_121), 1_000)
  })

  it('count as they are dated when one comes twice, or late', () => {
    const flows = new ContinuedFlows()
    flows.since(key, 1_000, 1_120)
    assert.equal(flows.since(key, 1_000, 1_120), 1_000)
    assert.equal(flows.since(key, 1_000, 1_060), 1_000)
    assert.equal(flows.since(key, 1_000, 1_180), 1_121)
  })

  it('are told apart by all of their fields, and by the stream', () => {
    const fields = [1, 7, 2, 3, 123, 40_000, 17] as const
    const keys = fields.map((_, i) => {
      const changed = [...fields] as [number, number, number, number, number, number, number]
      changed[i]++
      return flowKey(...changed)
    })
    assert.equal(new Set([key, ...keys]).size, fields.length + 1)
  })

  it('are told apart by interfaces whose numbers have more than 16 bits', () => {
    const keys = [0, 1, 16, 65_536, 0x1a00_0000, 0x1a01_0000].map((ingress) =>
      flowKey(1, ingress, 2, 3, 123, 40_000, 17),
    )
    assert.equal(new Set(keys).size, keys.length)
  })

  it('give way to others in the same place', () => {
    const flows = new ContinuedFlows(1)
    flows.since(key, 1_000, 1_060)
    flows.since(key + 1, 1_000, 1_060)
    assert.equal(flows.replaced, 1)
    assert.equal(flows.since(key, 1_000, 1_120), 1_000)
  })
})
