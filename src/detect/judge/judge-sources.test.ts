import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp } from '../../../test/helpers/detection.ts'
import type { FlowRow } from '../../../test/helpers/flow-rows.ts'
import { ACK, SYN } from '../../net/tcp-flags.ts'

const rate = 25

/** Sampled packets a second, each with the source and the ports that `of` gives the n-th. */
function labelsAfter(seconds: number, of: (n: number) => Partial<FlowRow>): (string | null)[] {
  const lab = new DetectionLab()
  let n = 0
  for (let second = 0; second < seconds; second++) {
    const each = (): Traffic => ({ recordsPerSecond: 1, row: { samplingRate: 8, ...of(n++) } })
    lab.run(1, ...Array.from({ length: rate }, each))
  }
  return lab.phases('opened').map(({ label }) => label)
}

/** Anywhere in 32 bits. */
function anywhere(n: number): number {
  const mixed = Math.imul(n + 1, 0x9e37_79b1)
  const once = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2_ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}
/** Where hosts are. */
const hosts = (n: number) => 0x0100_0000 + (anywhere(n) % 0x5f00_0000)

describe('sources', () => {
  it('that no packet can come from show a flood of ordinary packets that is small yet', () => {
    const ack = tcp(ACK)
    assert.deepEqual(
      labelsAfter(12, (n) => ({ ...ack, srcAddr: anywhere(n) })),
      ['tcp@attack@ack_flood_target'],
    )
    assert.deepEqual(
      labelsAfter(12, (n) => ({ ...ack, srcAddr: hosts(n) })),
      [],
    )
    assert.deepEqual(
      labelsAfter(12, (n) => ({ ...ack, srcAddr: n === 60 ? 0xe000_0001 : hosts(n) })),
      [],
    )
    assert.deepEqual(
      labelsAfter(12, (n) => ({ ...ack, srcAddr: n % 60 === 0 ? 0x7f00_0001 + n : hosts(n) })),
      [],
      'few of them',
    )
  })

  it('that are one, with ports all over, show a flood and no scan', () => {
    const syn = (n: number) => ({ ...tcp(SYN), srcAddr: 0x0102_0304, dstPort: anywhere(n) >>> 16 })
    const sprayed = (n: number) => ({ ...syn(n), srcPort: anywhere(n) & 0xffff })
    assert.deepEqual(labelsAfter(8, sprayed), ['tcp@attack@syn_flood_target'])
    assert.deepEqual(
      labelsAfter(8, (n) => ({ ...syn(n), srcPort: 40_000 })),
      [],
      'a scanner has one',
    )
    assert.deepEqual(
      labelsAfter(8, (n) => ({ ...syn(n), srcPort: 32_768 + (n % 20_000) })),
      [],
      'a host has its own range',
    )
    assert.deepEqual(
      labelsAfter(8, (n) => ({ ...sprayed(n), dstPort: 443 })),
      [],
      'a translator, to one port',
    )
  })
})
