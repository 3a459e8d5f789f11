import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DetectionLab, udpFrom, victim } from '../../test/helpers/detection.ts'
import { RateRing } from './rates.ts'

it('what comes to the addresses of a network is added up once, however many of them stand out', (test) => {
  const { mock } = test.mock.method(RateRing.prototype, 'packetsIn')
  const callsFor = (hosts: number) => {
    const before = mock.callCount()
    const carpet = Array.from({ length: hosts }, (_, i) => ({
      recordsPerSecond: 150,
      row: { ...udpFrom(123, 468), dstAddr: victim + i },
    }))
    const lab = new DetectionLab().run(5, ...carpet)
    const [opened, ...others] = lab.phases('opened')
    assert.deepEqual([opened.victims.length, others], [hosts, []])
    return mock.callCount() - before
  }
  assert.ok(callsFor(80) < 5 * callsFor(20))
})
