import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, udpFrom } from '../../test/helpers/detection.ts'

const packets = 20
const fragments: Traffic = {
  recordsPerSecond: 40,
  row: { ipProto: 17, fragment: 1, srcPort: 0, dstPort: 0, packets, bytes: packets * 1_400 },
}
const answers = (recordsPerSecond: number): Traffic => ({
  recordsPerSecond,
  row: { ...udpFrom(53, packets * 1_400), packets },
})
const lastLabel = (lab: DetectionLab) => lab.reports.at(-1)?.label

describe('fragments', () => {
  it('are named by what amplifies them, be it too little to be judged by itself', () => {
    const lab = new DetectionLab().run(100, fragments, answers(10))
    assert.equal(lab.phases('opened').length, 1)
    assert.equal(lastLabel(lab), 'udp@attack@amp_flood_target-DNS')
  })

  it('are a flood of their own beside traffic that is less, or no more than ever', () => {
    assert.equal(lastLabel(new DetectionLab().run(30, fragments, answers(5))), 'udp@attack@frag_flood_target')
    const learnt = new DetectionLab().run(1_500, answers(10)).run(30, fragments, answers(10))
    assert.equal(lastLabel(learnt), 'udp@attack@frag_flood_target')
  })
})
