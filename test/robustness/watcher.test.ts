// Attacks of every kind, with returns, pulses, late records and restarts, watched from before the first to an hour after each was closed: no number
// contradicts another one, or itself a moment before. WATCH_HOURS=24 makes a day of it.
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import type { Sent } from '../../scripts/watch/looks.ts'
import { type Breach, Watch } from '../../scripts/watch/watch.ts'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { ACK, PSH, SYN } from '../../src/net/tcp-flags.ts'
import { startMs, tcp, udpFrom } from '../helpers/detection.ts'
import { address, type FlowRow } from '../helpers/flow-rows.ts'
import { ServiceLab } from '../helpers/service-lab.ts'

/** Records of a second, without the address and the time. */
interface Flood {
  row: Partial<FlowRow>
  records: number
  packets: number
}

/** What comes to a victim: in which seconds, from when to when (exclusive). */
interface Scene {
  victim: string
  flood: Flood
  spans: [from: number, to: number][]
  /** Addresses from the victim on that have the same. */
  hosts?: number
  /** Records are held back, and sent together so often. Seconds. */
  heldSeconds?: number
  /** What the service heard of all of it: no restart was meanwhile, and pauses had nothing. */
  isWhole?: boolean
}

const syn: Flood = { row: tcp(SYN), records: 20, packets: 2_000 }
const ntp: Flood = { row: udpFrom(123, 468), records: 20, packets: 3_000 }
const dns: Flood = { row: udpFrom(53, 1_200), records: 20, packets: 2_500 }
const visitors: Flood = { row: tcp(ACK | PSH, 400), records: 5, packets: 400 }
const unknown: Flood = { row: { ...udpFrom(0, 300), dstPort: 7_777 }, records: 20, packets: 25_000 }

/** Spans of `on` seconds every `every` seconds. */
const pulses = (from: number, to: number, [on, every]: [number, number]): [number, number][] =>
  Array.from({ length: Math.ceil((to - from) / every) }, (_, i) => [
    from + i * every,
    Math.min(to, from + i * every + on),
  ])

const scenes: Scene[] = [
  { victim: '192.0.2.10', flood: syn, spans: [[60, 150]], isWhole: true },
  {
    victim: '192.0.4.20',
    flood: dns,
    spans: [
      [20, 80],
      [160, 220],
      [400, 430],
    ],
  },
  { victim: '192.0.5.30', flood: ntp, spans: pulses(40, 260, [8, 20]) },
  { victim: '192.0.6.40', flood: visitors, spans: [[0, 700]] },
  { victim: '192.0.6.40', flood: ntp, spans: [[300, 380]] },
  { victim: '192.0.7.50', flood: unknown, spans: [[100, 130]] },
  { victim: '192.0.7.50', flood: ntp, spans: [[115, 190]] },
  { victim: '192.0.8.60', flood: syn, spans: [[60, 240]], heldSeconds: 30 },
  {
    victim: '192.0.9.0',
    flood: { row: tcp(SYN), records: 2, packets: 250 },
    spans: [
      [250, 330],
      [520, 560],
    ],
    hosts: 20,
  },
  {
    victim: '192.0.10.80',
    flood: syn,
    spans: [
      [100, 104],
      [150, 260],
      [262, 264],
    ],
  },
]

const downAt = [
  [285, 8],
  [460, 20],
] as const
const activeSeconds = 700
/** Until an hour after the last was closed. */
const idleSeconds = 600 + 3_600 + 300

/** What exporters send in a second, which ends then. */
function rowsAt(second: number): Partial<FlowRow>[] {
  return scenes.flatMap((scene, number) => {
    const { heldSeconds = 1 } = scene
    if ((second + 1) % heldSeconds !== 0) return []
    const seconds = Array.from({ length: heldSeconds }, (_, i) => second - heldSeconds + 1 + i)
    return seconds.filter((each) => isOn(scene, each)).flatMap((each) => rowsOf(scene, number, each))
  })
}

function isOn({ spans }: Scene, second: number): boolean {
  return spans.some(([from, to]) => second >= from && second < to)
}

function rowsOf({ victim, flood, hosts = 1 }: Scene, number: number, second: number): Partial<FlowRow>[] {
  const at = startMs + second * 1_000
  const packets = Math.round(flood.packets / flood.records)
  return Array.from({ length: hosts * flood.records }, (_, i) => ({
    ...flood.row,
    dstAddr: address(victim) + (i % hosts),
    srcAddr: 0x0b00_0000 + number * 0x1_0000 + (Math.imul(second * 31 + i, 2_654_435) & 0x3f),
    packets,
    bytes: packets * (flood.row.bytes ?? 100),
    startMs: at,
    endMs: at,
  }))
}

function sentTo(scene: Scene): Sent {
  const { victim, spans, flood } = scene
  const seconds = spans.reduce((all, [from, to]) => all + to - from, 0)
  const packets = Math.round(flood.packets / flood.records) * flood.records * seconds
  const [fromMs, toMs] = [spans[0][0], spans.at(-1)?.[1] ?? 0].map((second) => startMs + second * 1_000)
  return { victim, startMs: fromMs, endMs: toMs, packets, bytes: packets * (flood.row.bytes ?? 100) }
}

async function watched(t: TestContext): Promise<{ lab: ServiceLab; watch: Watch; breaches: Breach[] }> {
  const lab = await ServiceLab.start(t)
  const breaches: Breach[] = []
  const watch = new Watch({
    ask: (path) => lab.ask(path),
    now: () => lab.nowMs,
    messages: () => lab.messages(),
    retentionMs: 400 * 86_400_000,
    onBreach: (breach) => breaches.push(breach),
  })
  return { lab, watch, breaches }
}

function told(breaches: readonly Breach[]): string {
  return breaches
    .slice(0, 40)
    .map(({ atMs, rule, id, text }) => `${(atMs - startMs) / 1000} s ${rule} ${id}: ${text}`)
    .join('\n')
}

it('no number of any event contradicts another one, or itself, until an hour after it was closed', async (t) => {
  const { lab, watch, breaches } = await watched(t)
  for (let second = 0; second < activeSeconds + idleSeconds; second = (lab.nowMs - startMs) / 1_000) {
    const down = downAt.find(([at]) => at === second)
    if (down !== undefined) await lab.restart(down[1])
    else await lab.second(rowsAt(second))
    if (second % (second < activeSeconds ? 7 : 67) === 0) await watch.look()
  }
  watch.account(scenes.filter(({ isWhole }) => isWhole).map(sentTo))
  console.log(
    watch.counted,
    watch.reports.map((r) => [
      r.address,
      r.phase,
      r.returns,
      r.attackType,
      r.activeSeconds,
      r.total.packets,
      r.vectors.length,
    ]),
  )
  assert.equal(told(breaches), '')
  void formatIpv4
})
