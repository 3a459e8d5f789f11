import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DetectionLab, type Traffic, tcp, victim } from '../../../test/helpers/detection.ts'
import { batchOf, type FlowRow } from '../../../test/helpers/flow-rows.ts'
import { ACK, PSH } from '../../net/tcp-flags.ts'

/** Connections that go on, each reported by an exporter with a flow cache once in `timeoutSeconds`. */
interface Held {
  connections: number
  sources: number
  timeoutSeconds?: number
  row?: Partial<FlowRow>
  /** Source ports of the clients: those of a host with Linux's defaults. */
  sourcePorts?: readonly [first: number, count: number]
}

const linuxPorts = [32_768, 28_232] as const

/** A second of them. */
function fold(
  lab: DetectionLab,
  { connections, sources, timeoutSeconds = 60, row, sourcePorts = linuxPorts }: Held,
): void {
  const second = lab.nowMs / 1_000
  const [first, count] = sourcePorts
  const rows = Array.from({ length: connections }, (_, i) => i).flatMap((i) => {
    if ((i + second) % timeoutSeconds !== 0) return []
    return {
      dstAddr: victim,
      srcAddr: 0x0b00_0001 + Math.imul(i % sources, 2_654_435),
      srcPort: first + ((i * 7_919) % count),
      ...{ ipProto: 6, dstPort: 80, tcpFlags: ACK | PSH, packets: 6, bytes: 6 * 68 },
      startMs: lab.nowMs - (timeoutSeconds - 1) * 1_000,
      endMs: lab.nowMs,
      ...row,
    }
  })
  lab.ingest.fold(batchOf(rows))
}

const visitors: Traffic = { recordsPerSecond: 1, sources: 3, row: { ...tcp(0x1b, 4_000), packets: 10, dstPort: 80 } }

function run(lab: DetectionLab, seconds: number, ...held: Held[]): DetectionLab {
  for (let i = 0; i < seconds; i++) {
    for (const each of held) fold(lab, each)
    lab.run(1, visitors)
  }
  return lab
}

/** After it has been learnt that there are few visitors, and these. */
function labelsAfter(held: Held, usual: Held[] = []): (string | null)[] {
  const lab = run(new DetectionLab({ learnSeconds: 300 }), 900, ...usual)
  assert.deepEqual(lab.life(), [])
  return run(lab, 180, ...usual, held)
    .phases('opened')
    .map(({ label }) => label)
}

describe('connections that are held open', () => {
  it('are found when few clients have hundreds of them, and hardly use them', () => {
    assert.deepEqual(labelsAfter({ connections: 600, sources: 1 }), ['tcp@attack@slow_conn_target'])
    assert.deepEqual(labelsAfter({ connections: 1_200, sources: 8, timeoutSeconds: 30 }), [
      'tcp@attack@slow_conn_target',
    ])
  })

  it('are found whatever the system of the clients', () => {
    for (const sourcePorts of [
      [49_152, 16_384],
      [32_768, 14_116],
    ] as const)
      assert.deepEqual(labelsAfter({ connections: 600, sources: 2, sourcePorts }), ['tcp@attack@slow_conn_target'])
  })

  it('are found when more clients have dozens each', () => {
    assert.deepEqual(labelsAfter({ connections: 1_200, sources: 30 }), ['tcp@attack@slow_conn_target'])
  })

  it('are an attack to whoever knows nothing of before, too, by the line without a normal', () => {
    const lab = run(new DetectionLab({ learnSeconds: 300 }), 900)
    const [{ why }] = run(lab, 180, { connections: 600, sources: 1 }).phases('opened')
    const [{ source, threshold, value, unlearnt }] = why
    assert.equal(source, 'absolute')
    assert.equal(unlearnt?.threshold, threshold)
    assert.ok(value > threshold && unlearnt.deviation > 1 && unlearnt.measurable > 0)
  })

  it('go on as one attack until they are closed', () => {
    const lab = run(new DetectionLab({ learnSeconds: 300 }), 900)
    run(lab, 600, { connections: 600, sources: 2 })
    assert.deepEqual(lab.life(), ['opened'])
    assert.deepEqual(run(lab, 300).life(), ['opened', 'ended'])
  })

  const nearMisses: Record<string, [held: Held, usual?: Held[]]> = {
    'fewer, as of a host with many tabs': [{ connections: 150, sources: 1 }],
    'of more clients, a few each, as of browsers with tabs': [{ connections: 300, sources: 50 }],
    'of many clients, as web sockets and mail are': [{ connections: 600, sources: 200 }],
    'of a proxy, which has them always': [{ connections: 620, sources: 4 }, [{ connections: 600, sources: 4 }]],
    'that carry requests': [{ connections: 600, sources: 1, row: { bytes: 6 * 300 } }],
    'that are busy, as remote sessions are': [{ connections: 600, sources: 1, row: { packets: 60, bytes: 60 * 68 } }],
    'one lively session, a record of each packet': [
      { connections: 30, sources: 1, timeoutSeconds: 1, sourcePorts: [50_000, 1], row: { packets: 1, bytes: 68 } },
    ],
    'a few sessions that are reported each second': [
      { connections: 12, sources: 1, timeoutSeconds: 1, sourcePorts: [50_000, 12], row: { packets: 6, bytes: 400 } },
    ],
    'downloads, whose clients acknowledge': [{ connections: 600, sources: 1, row: { tcpFlags: ACK, bytes: 6 * 52 } }],
    'sampled, of which nothing follows': [{ connections: 600, sources: 1, row: { samplingRate: 100 } }],
  }
  for (const [name, [held, usual]] of Object.entries(nearMisses)) {
    it(`are none: ${name}`, () =>
      assert.deepEqual(
        labelsAfter(held, usual).filter((label) => label?.includes('slow')),
        [],
      ))
  }
})
