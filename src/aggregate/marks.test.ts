import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { address } from '../../test/helpers/flow-rows.ts'
import { distinctPorts, distinctSources, hasImpossibleSource, portMark, sourceMark, sourcePortSpread } from './marks.ts'

const sourcesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => sourceMark(address('198.51.100.0') + i * 7)).reduce((a, b) => a | b, 0)
const portsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => portMark(40_000, 1_000 + i * 13)).reduce((a, b) => a | b, 0)

describe('marks', () => {
  it('tell how many different sources and destination ports there were, nearly', () => {
    assert.equal(distinctSources(0), 0)
    for (const count of [1, 3, 10, 30]) {
      assert.ok(Math.abs(distinctSources(sourcesOf(count)) - count) <= count * 0.5, `${count} sources`)
    }
    for (const count of [1, 3, 10]) {
      assert.ok(Math.abs(distinctPorts(portsOf(count)) - count) <= count * 0.5, `${count} ports`)
    }
    assert.equal(distinctSources(sourcesOf(2_000)), Number.POSITIVE_INFINITY)
    assert.equal(distinctPorts(portsOf(2_000)), Number.POSITIVE_INFINITY)
  })

  it('tell how far source ports are spread', () => {
    assert.equal(sourcePortSpread(portMark(443, 80)), 1 / 16)
    const ephemeral = [32_768, 40_000, 50_000, 60_999].map((port) => portMark(port, 80)).reduce((a, b) => a | b)
    assert.equal(sourcePortSpread(ephemeral), 4 / 16)
    const all = Array.from({ length: 16 }, (_, i) => portMark(i * 4_096, 80)).reduce((a, b) => a | b)
    assert.equal(sourcePortSpread(all), 1)
  })

  it('tell of sources that no packet can come from', () => {
    for (const source of ['0.1.2.3', '127.0.0.1', '224.0.0.251', '239.1.1.1', '240.0.0.1', '255.255.255.255']) {
      assert.ok(hasImpossibleSource(sourceMark(address(source))), source)
    }
    for (const source of ['1.1.1.1', '10.0.0.1', '126.255.255.255', '128.0.0.1', '192.168.1.1', '223.255.255.255']) {
      assert.ok(!hasImpossibleSource(sourceMark(address(source))), source)
    }
    assert.equal(distinctSources(sourceMark(address('255.0.0.1'))), distinctSources(sourceMark(address('1.1.1.1'))))
  })
})
