import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, udpFrom, victim } from '../../../test/helpers/detection.ts'
import { createRandom, type Random } from '../../../test/helpers/random.ts'
import { ACK, PSH, SYN } from '../../net/tcp-flags.ts'

const network = victim - (victim % 256)

/** Background noise: a packet of another scanner in each second, to each of some addresses. */
const noise = (addresses: number): Traffic[] =>
  Array.from({ length: addresses }, (_, i) => ({ recordsPerSecond: 1, row: { ...tcp(SYN), dstAddr: network + i } }))

/** Single packets from made-up sources, to addresses of the network in turn. */
function madeUp(random: Random, perSecond: number, row: Traffic['row'], addresses = 1): Traffic[] {
  return Array.from({ length: perSecond }, (_, i) => ({
    recordsPerSecond: 1,
    row: { ...row, srcAddr: random(2 ** 32), dstAddr: addresses === 1 ? victim : network + (i % addresses) },
  }))
}

function labelsOf(usual: readonly Traffic[], seconds: number, now: () => Traffic[]): (string | null)[] {
  const lab = new DetectionLab({ learnSeconds: 300 }).run(600, ...usual)
  for (let second = 0; second < seconds; second++) lab.run(1, ...usual, ...now())
  return [...new Map(lab.reports.map(({ incident, label }) => [incident, label])).values()]
}

describe('made-up sources', () => {
  const random = createRandom(7)

  it('are evidence whatever the length of the packets', () => {
    assert.deepEqual(
      labelsOf(noise(1), 20, () => madeUp(random, 150, tcp(ACK | PSH, 900))),
      ['tcp@attack@ack_flood_target'],
    )
    assert.deepEqual(
      labelsOf(noise(1), 20, () => madeUp(random, 150, tcp(SYN, 900))),
      ['tcp@attack@syn_flood_target'],
    )
  })

  it('are evidence in the sums of a network, too', () => {
    assert.deepEqual(
      labelsOf(noise(10), 20, () => madeUp(random, 256, udpFrom(9_000), 256)),
      ['udp@attack@simple_flood_target'],
    )
  })

  it('are evidence at a host that has such packets anyway, from twice as many on and above its spread', () => {
    const players = { recordsPerSecond: 40, sources: 40, row: { ...udpFrom(27_005, 3_000), packets: 10 } }
    assert.deepEqual(
      labelsOf([players], 20, () => madeUp(random, 1_000, udpFrom(40_000, 300))),
      ['udp@attack@simple_flood_target'],
    )
  })

  it('are none when they are of one kind: a host with a wrong address', () => {
    const from = (each: Traffic): Traffic => ({ ...each, row: { ...each.row, srcAddr: 0x7f00_0001 } })
    assert.deepEqual(
      labelsOf(noise(1), 20, () => madeUp(random, 150, udpFrom(40_000)).map(from)),
      [],
    )
  })
})

describe('a scanner beside the noise of a minute', () => {
  it('stays one', () => {
    const scan = (perSecond: number) => {
      let port = 0
      return () =>
        Array.from({ length: perSecond }, () => ({
          recordsPerSecond: 1,
          row: { ...tcp(SYN), srcAddr: 0x0102_0304, srcPort: 51_000, dstPort: port++ % 65_536 },
        }))
    }
    assert.deepEqual(labelsOf(noise(1), 90, scan(1_200)), [])
  })
})

describe('answers of name servers to a whole network that asks for none', () => {
  it('are an attack from the floor of one address on', () => {
    const answers = Array.from({ length: 256 }, (_, i) => ({
      recordsPerSecond: 2,
      row: { ...udpFrom(53, 1_200), dstAddr: network + i },
    }))
    assert.deepEqual(
      labelsOf(noise(10), 30, () => answers),
      ['udp@attack@amp_flood_target-DNS'],
    )
  })
})

describe('datagrams in fragments', () => {
  it('are named by their fragments at every rate', () => {
    for (const perSecond of [300, 3_000, 30_000]) {
      const first = { recordsPerSecond: perSecond, ports: 60_000, row: udpFrom(40_000, 1_500) }
      const others = { ...udpFrom(0, 1_400), dstPort: 0, fragment: 1 }
      assert.deepEqual(
        labelsOf(noise(1), 20, () => [first, { recordsPerSecond: 2 * perSecond, row: others }]),
        ['udp@attack@frag_flood_target'],
      )
    }
  })
})
