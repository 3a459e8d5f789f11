import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DetectionLab, tcp, victim } from '../../../test/helpers/detection.ts'
import { batchOf } from '../../../test/helpers/flow-rows.ts'
import { ACK, SYN } from '../../net/tcp-flags.ts'
import type { Statistics } from '../incidents/incident-report.ts'

it('the lists of a network leave out records to addresses that are not judged', () => {
  const prefixes = [{ prefix: '192.0.2.0/26', enabled: false }]
  const carpet = Array.from({ length: 60 }, (_, i) => ({
    recordsPerSecond: 12,
    row: { ...tcp(SYN), dstAddr: victim + 60 + i },
  }))
  const unjudged = { recordsPerSecond: 50, row: { ...tcp(SYN), dstAddr: victim, dstPort: 8_080 } }
  const lab = new DetectionLab({ prefixes }).run(20, ...carpet, unjudged).run(300)
  const { destinationPort } = lab.details('ended').statistics
  assert.deepEqual(
    destinationPort.map(({ item, flows }) => [item, flows]),
    [[443, 20 * 60 * 12]],
  )
})

it('of a record that began before the attack, the lists have the part that came since, and in the two seconds before', () => {
  const flood = { recordsPerSecond: 1_000, row: tcp(SYN) }
  const lab = new DetectionLab().run(100)
  const began = lab.nowMs / 1_000
  lab.run(10, flood)
  const download = { ...tcp(ACK, 1_400), dstAddr: victim, dstPort: 50_000, packets: 6_000, bytes: 6_000 * 1_400 }
  lab.ingest.fold(batchOf([{ ...download, startMs: (began - 50) * 1_000, endMs: (began + 9) * 1_000 }]))
  lab.run(5, flood).run(300)
  const { destinationPort } = lab.details('ended').statistics
  const listed = destinationPort.find(({ item }) => item === 50_000)
  assert.deepEqual([listed?.flows, listed?.packets, listed?.bytes], [1, 1_200, 1_200 * 1_400])
})

it('of a record that goes on after the attack, the lists have the part that came until a few seconds after it', () => {
  const flood = { recordsPerSecond: 1_000, row: tcp(SYN) }
  const lab = new DetectionLab().run(100)
  const began = lab.nowMs / 1_000
  lab.run(10, flood).run(110)
  const download = { ...tcp(ACK, 1_400), dstAddr: victim, dstPort: 50_000, packets: 12_000, bytes: 12_000 * 1_400 }
  lab.ingest.fold(batchOf([{ ...download, startMs: began * 1_000, endMs: (began + 119) * 1_000 }]))
  const packetsOf = (statistics: Statistics | null | undefined) =>
    statistics?.destinationPort.find(({ item }) => item === 50_000)?.packets
  lab.run(5).run(10, flood).run(900)
  const { total, details } = closedOf(lab)
  // A hundred packets a second, in the ten seconds of the attack, and five after it.
  assert.equal(packetsOf(details?.statistics), 1_500)
  assert.equal(total, 20_000 + 1_000)
})

function closedOf(lab: DetectionLab) {
  const [closed] = lab.phases('closed')
  return { total: Math.round(closed.packetsPerSecond * closed.activeSeconds), details: closed.details }
}
