import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, udpFrom } from '../../../test/helpers/detection.ts'

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

  it('are over when what they accompanied is no more than ever', () => {
    const usual = answers(15)
    const lab = new DetectionLab()
      .run(1_500, usual)
      .run(100, usual, { ...fragments, recordsPerSecond: 16 }, answers(4))
      .run(120, usual)
    assert.deepEqual(lab.life(), ['opened', 'ended'])
    assert.equal(lastLabel(lab), 'udp@attack@amp_flood_target-DNS')
  })
})
