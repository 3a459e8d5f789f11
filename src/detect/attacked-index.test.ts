import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DetectionLab, tcp, victim } from '../../test/helpers/detection.ts'
import { SYN } from '../net/tcp-flags.ts'

it('the lists of a network leave out records to addresses that are not judged', () => {
  const prefixes = [{ prefix: '192.0.2.0/26', enabled: false }]
  const carpet = Array.from({ length: 60 }, (_, i) => ({
    recordsPerSecond: 12,
    row: { ...tcp(SYN), dstAddr: victim + 60 + i },
  }))
  const unjudged = { recordsPerSecond: 50, row: { ...tcp(SYN), dstAddr: victim, dstPort: 8_080 } }
  const lab = new DetectionLab({ prefixes }).run(20, ...carpet, unjudged).run(300)
  const { dstport } = lab.details('ended').statistics
  assert.deepEqual(
    dstport.map(({ item, flows }) => [item, flows]),
    [[443, 20 * 60 * 12]],
  )
})
