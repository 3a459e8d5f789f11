// Attacks of every kind, with returns, pulses, late records, restarts, notes of people and retention, watched from before the first to an hour after each was closed: no number
// contradicts another one, or itself a moment before. WATCH_HOURS=24 makes a day of it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Sent } from '../../../scripts/watch/looks.ts'
import { type Breach, Watch } from '../../../scripts/watch/watch.ts'
import { ACK, PSH, SYN } from '../../../src/net/tcp-flags.ts'
import { startMs, tcp, udpFrom } from '../../helpers/detection.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { address, type FlowRow } from '../../helpers/flow-rows.ts'
import { attackUntil, flowSender } from '../../helpers/flows.ts'
import { ServiceLab } from '../../helpers/labs/service.ts'
import { startService } from '../../helpers/service.ts'

const script = fileURLToPath(new URL('../../../scripts/watch-events.ts', import.meta.url))

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
  /** All of it was reported to the service: no restart was meanwhile, and pauses had nothing. */
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
/** Seconds. */
const notedEvery = 333
const forgottenEvery = 450
const activeSeconds = 700
/** Until an hour after the last was closed. */
const idleSeconds = 600 + 3_600 + 300
const roundSeconds = activeSeconds + idleSeconds
const seconds = Math.max(1, Math.round((Number(process.env.WATCH_HOURS ?? 0) * 3_600) / roundSeconds)) * roundSeconds

/** What exporters send in a second, which ends then. */
function rowsAt(second: number): Partial<FlowRow>[] {
  return scenes.flatMap((scene, number) => {
    const { heldSeconds = 1 } = scene
    if ((second + 1) % heldSeconds !== 0) return []
    const sentNow = Array.from({ length: heldSeconds }, (_, i) => second - heldSeconds + 1 + i)
    return sentNow.filter((each) => isOn(scene, each)).flatMap((each) => rowsOf(scene, number, each))
  })
}

function isOn({ spans }: Scene, second: number): boolean {
  return spans.some(([from, to]) => second % roundSeconds >= from && second % roundSeconds < to)
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
  const active = spans.reduce((all, [from, to]) => all + to - from, 0) * (seconds / roundSeconds)
  const packets = Math.round(flood.packets / flood.records) * flood.records * active
  return { victim, startMs, endMs: startMs + seconds * 1_000, packets, bytes: packets * (flood.row.bytes ?? 100) }
}

/** People look after the events that there are, before and after they were closed. */
async function noteAll(lab: ServiceLab, watch: Watch, note: { acknowledged: boolean }): Promise<void> {
  const classification = note.acknowledged ? 'attack' : 'false_positive'
  for (const id of watch.latest?.listed.keys() ?? [])
    await lab.note(id, { ...note, classification, text: `at ${lab.nowMs}` })
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
  for (let second = 0; second < seconds; second = (lab.nowMs - startMs) / 1_000) {
    const inRound = second % roundSeconds
    const down = downAt.find(([at]) => at === inRound)
    if (down !== undefined) await lab.restart(down[1])
    else await lab.second(rowsAt(second))
    if (inRound % notedEvery === 0) await noteAll(lab, watch, { acknowledged: inRound % (2 * notedEvery) === 0 })
    if (inRound % forgottenEvery === 0) await lab.forget()
    if (second % (inRound < activeSeconds ? 7 : 67) === 0) await watch.look()
  }
  watch.account(scenes.filter(({ isWhole }) => isWhole).map(sentTo))
  assert.equal(told(breaches), '')
})

it('the script watches a running service, and holds what was sent against it', { timeout: 480_000 }, async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const { client, email, token } = await makeFirstUser(service)
  const victim = '198.51.100.10'
  await client.addSites([victim])
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-watch-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const sentFile = join(folder, 'sent.jsonl')
  writeFileSync(
    sentFile,
    `${JSON.stringify({ victim, startMs: 0, endMs: Date.now() + 3_600_000, packets: 1, bytes: 1 })}\n`,
  )
  const env = { ...process.env, FLOODGAUGE_URL: service.url, FLOODGAUGE_EMAIL: email, FLOODGAUGE_TOKEN: token }
  const args = [script, '--for', '5s', '--every', '1s', '--json', '--command-line', '--sent', sentFile]
  const said = new Promise<{ status: number | null; lines: string[] }>((resolve) => {
    const child = execFile(process.execPath, args, { env }, (_, stdout, stderr) => {
      resolve({ status: child.exitCode, lines: (stdout + stderr).trim().split('\n') })
    })
  })
  const sender = await flowSender(service.flowAddresses[0])
  await attackUntil(sender, victim, async () => (await client.listEvents()).length > 0)
  await sender.close()
  const { status, lines } = await said
  const [counted, ...breaches] = lines.map((line) => JSON.parse(line)).toReversed()
  assert.equal(status, 1)
  assert.equal(counted.events, 1)
  // Less was reported to it than was sent.
  assert.deepEqual(new Set(breaches.map(({ rule }) => rule)), new Set(['as-sent']))
})
