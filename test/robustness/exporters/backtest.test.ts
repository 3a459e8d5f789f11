// What a service finds while exports arrive is what `floodgauge detect` finds in a capture of them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { systemClock } from '../../../src/clock.ts'
import { formatIpv4 } from '../../../src/net/ipv4.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { type DatagramToCapture, writeCapture } from '../../helpers/encode/capture.ts'
import { Exporter, type Flow } from '../../helpers/exporter.ts'
import { type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { floodgauge, type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const network = '198.51.100.0/24'
const stepMs = 200
const seconds = 12

interface Attack {
  victim: string
  fromSecond: number
  toSecond: number
  flow: Partial<Flow>
}

const attacks: Attack[] = [
  {
    victim: '198.51.100.7',
    fromSecond: 2,
    toSecond: 9,
    flow: { ipProto: 17, srcPort: 123, packets: 10, bytes: 4_680 },
  },
  { victim: '198.51.100.9', fromSecond: 5, toSecond: 12, flow: { ipProto: 6, tcpFlags: 2, packets: 5, bytes: 300 } },
]

/** Visitors of one address, and the attacks, reported as they happen. */
function exported(startMs: number): DatagramToCapture[] {
  const exporter = new Exporter({ protocol: 'netflow9' })
  const count = (seconds * 1000) / stepMs
  return Array.from({ length: count }, (_, step) => {
    const timeMs = startMs + step * stepMs
    const times = { startMs: timeMs - stepMs, endMs: timeMs - 1 }
    const second = (step * stepMs) / 1000
    const flows = attacks
      .filter(({ fromSecond, toSecond }) => second > fromSecond && second <= toSecond)
      .flatMap(({ victim, flow }) => {
        return Array.from({ length: 30 }, (_, i) => ({
          src: formatIpv4(0x0b00_0000 + step * 1_000 + i * 7),
          dst: victim,
          srcPort: 1_024 + step * 30 + i,
          dstPort: 443,
          ...flow,
          ...times,
        }))
      })
    const visitor = { src: '203.0.113.5', dst: '198.51.100.20', ipProto: 6, tcpFlags: 0x1b, packets: 4, bytes: 2_000 }
    return exporter.datagrams([...flows, { ...visitor, srcPort: 40_000, dstPort: 443, ...times }], timeMs)
  }).flatMap((payloads, step) => payloads.map((payload) => ({ timeMs: startMs + step * stepMs, payload })))
}

let folder = ''
let service: RunningService
let user: FirstUser
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-backtest-'))
  service = await startService()
  user = await makeFirstUser(service)
})
after(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Found {
  address: string
  label: string | null
  startMs: number
}

/** Those of the store, which a service that has stopped leaves. */
async function recorded(dataFolder: string): Promise<Found[]> {
  const store = await openSqliteStore(storeFileOf(dataFolder), { clock: systemClock })
  try {
    const owner = await store.userByEmail(user.email)
    const window = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, after: null, limit: 100 }
    const events = await store.eventsBetween(owner?.id ?? '', window)
    return events.map(({ address, label, startMs }) => ({ address: formatIpv4(address), label, startMs }))
  } finally {
    await store.close()
  }
}

it('a service and a capture tell of the same attacks', async () => {
  const capture = join(folder, 'exports.pcap')
  const capturedMs = 1_800_000_000_000
  writeCapture(capture, exported(capturedMs))
  const lines = (await floodgauge('detect', capture, '--watch', network)).trimEnd().split('\n')
  const inCapture = lines.map((line): Found => {
    const { ip, attack_type, start } = JSON.parse(line)
    return { address: ip, label: attack_type, startMs: Date.parse(start) }
  })
  assert.deepEqual(
    inCapture.map(({ address }) => address),
    attacks.map(({ victim }) => victim),
  )

  await user.client.addSites([network])
  const beforeMs = Date.now()
  await floodgauge('send', capture, '--to', `127.0.0.1:${service.flowPort}`, '--rebase')
  const sentMs = Date.now()
  await until('both events', async () => (await user.client.listEvents()).length === attacks.length)
  const { dataFolder } = service
  service.process.kill('SIGTERM')
  await until('the end of the service', async () => service.process.exitCode !== null)
  const live = await recorded(dataFolder)

  const told = (found: Found[]) => found.map(({ address, label }) => ({ address, label }))
  assert.deepEqual(told(live), told(inCapture))
  // How much later it was sent than it was captured, as the beginning of each attack says, to the second that begins are told in.
  const shifts = live.map(({ startMs }, i) => startMs - inCapture[i].startMs)
  for (const shiftMs of shifts) {
    assert.ok(shiftMs > beforeMs - capturedMs - 1000 && shiftMs < sentMs - seconds * 1000 - capturedMs + 2000)
    assert.ok(Math.abs(shiftMs - shifts[0]) <= 1000, `${shifts}`)
  }
})
