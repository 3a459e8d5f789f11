// Who may send flows is changed while the service runs, by the interface and by the command line: at once, for good, and nobody who works is locked out
// unawares.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client } from '../../../client/index.ts'
import { systemClock } from '../../../src/clock.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { Exporter } from '../../helpers/exporter.ts'
import { streamReport } from '../../helpers/exporters.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { floodgauge, type RunningService, startService } from '../../helpers/service.ts'
import { openFreshStore } from '../../helpers/store.ts'
import { until } from '../../helpers/until.ts'

const [one, other] = ['127.0.0.2', '127.0.0.3']

let folder: string
let service: RunningService
let client: Client
const sockets: Socket[] = []

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-admission-'))
  // Two exporters have worked before, as the store knows.
  const store = await openFreshStore(storeFileOf(folder), { clock: systemClock })
  const nowMs = Date.now()
  const at = { firstMs: nowMs - 3_600_000, countedFromMs: nowMs - 3_600_000, lastMs: nowMs }
  await store.saveStreamReports([one, other].map((address) => streamReport({ address, protocol: 'netflow5', ...at })))
  await store.close()
  service = await startService(undefined, { dataFolder: folder })
  client = (await makeFirstUser(service)).client
})
after(async () => {
  for (const socket of sockets) socket.close()
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function sender(address: string): Promise<() => void> {
  const socket = createSocket('udp4')
  sockets.push(socket)
  socket.bind(0, address)
  await once(socket, 'listening')
  const exporter = new Exporter({ protocol: 'netflow5' })
  return () => {
    const flows = [{ src: '198.51.100.1', dst: '192.0.2.1', bytes: 100 }]
    for (const datagram of exporter.datagrams(flows, Date.now())) socket.send(datagram, service.flowPort, '127.0.0.1')
  }
}

const refused = async () => metricSum(await metricsOf(service.url), 'floodgauge_ingest_refused_total', '"notAllowed"')
const heard = async (address: string) =>
  metricSum(await metricsOf(service.url), 'floodgauge_ingest_packets_total', `"${address}"`)
const command = (...args: string[]) => floodgauge('exporter', ...args, '--data', folder)

describe('who may send flows', () => {
  it('is set in the interface and counts at once; an exporter that it leaves out is named', async () => {
    const { allowed } = await client.listExporters()
    assert.deepEqual([allowed.source, allowed.senders], ['anybody', [one, other]])
    const change = { entries: [one] }
    await assert.rejects(client.call('setAllowedExporters', { body: change }), /127\.0\.0\.3/)
    await client.call('setAllowedExporters', { body: { ...change, mayLeaveOut: true } })
    const [sendOne, sendOther] = [await sender(one), await sender(other)]
    await until('one is heard, and the other refused', async () => {
      sendOne()
      sendOther()
      return (await heard(one)) > 0 && (await refused()) > 0
    })
    assert.equal(await heard(other), 0)
    const { exporters, notices, reception } = await until('it is named', async () => {
      const list = await client.listExporters()
      return list.notices.length > 0 ? list : null
    })
    assert.deepEqual(
      notices.map(({ kind, address }) => [kind, address]),
      [['refused', other]],
    )
    assert.deepEqual(
      reception.refusedSenders.map(({ address, workedBefore }) => [address, workedBefore]),
      [[other, true]],
    )
    const found = exporters.find(({ address }) => address === other)
    assert.deepEqual([found?.state, found?.findings[0].rule], ['error', 'refused'])
    assert.match(service.said(), /an exporter that had worked is refused/)
  })

  it('is changed by the command line, and undone, while the service runs', async () => {
    const sendOther = await sender(other)
    assert.match(await command('list'), /127\.0\.0\.3 +no/)
    assert.equal(await command('allow', '--current'), `may send flows: ${one}, ${other}\n`)
    await until('the other is heard', async () => {
      sendOther()
      return (await heard(other)) > 0
    })
    await assert.rejects(command('undo'), /would be left out: 127\.0\.0\.3/)
    await command('undo', '--yes')
    const { allowed } = await until('it is undone', async () => {
      const list = await client.listExporters()
      return list.allowed.entries.length === 1 ? list : null
    })
    assert.deepEqual([allowed.source, allowed.entries, allowed.previous], ['here', [one], [one, other]])
    assert.equal(await command('allow-all'), 'anybody may send flows\n')
  })

  it('is taken from the configuration where that says it, and the command line says so', async () => {
    const config = join(folder, 'floodgauge.yaml')
    writeFileSync(config, `ingest: { exporters: [${one}] }\n`)
    assert.match(
      await command('list', '--config', config),
      /may send flows \(ingest\.exporters of the configuration\): 127\.0\.0\.2/,
    )
    const outcome = JSON.parse(await command('allow', '192.0.2.0/24', '--yes', '--json', '--config', config))
    assert.equal(outcome.isInForce, false)
    await assert.rejects(command('allow', 'router.example'), /neither an address nor a prefix/)
    await assert.rejects(command('remove', '192.0.2.9'), /not on the list/)
  })
})
