// A service that can't start: it says why in one line, ends with status 1, and leaves nothing locked or running.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { systemClock } from '../../../src/clock.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLogger } from '../../../src/log.ts'
import { startService as startInProcess } from '../../../src/main.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { lockDirectory } from '../../../src/store/sqlite/directory-lock.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { DetectionLab } from '../../helpers/detection.ts'
import { floodgauge, startService } from '../../helpers/service.ts'

const anyPorts = { http: '127.0.0.1:0', netflow: '127.0.0.1:0', ipfix: '', sflow: '' }
let folder: string
let tcpPort: number
let udpPort: number
const tcp = createServer()
const udp = createSocket('udp4')

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-start-'))
  tcp.listen(0, '127.0.0.1')
  udp.bind(0, '127.0.0.1')
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')])
  tcpPort = (tcp.address() as AddressInfo).port
  udpPort = udp.address().port
})

after(() => {
  tcp.close()
  udp.close()
  rmSync(folder, { recursive: true })
})

/** What the command says of its failure: one line. */
async function refusal(given: Record<string, string>): Promise<string> {
  const options = { ...anyPorts, data: join(folder, 'data'), ...given }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const error = await floodgauge('serve', ...args).then(
    () => assert.fail('it ended well'),
    (failure: Error & { cause: { code: number; stderr: string } }) => failure,
  )
  assert.equal(error.cause.code, 1)
  const lines = error.cause.stderr.trimEnd().split('\n')
  assert.equal(lines.length, 1, error.cause.stderr)
  return lines[0]
}

/** The same in this process, where nothing ends by the end of a process. */
async function failsInProcess(flags: Record<string, string>, expected: RegExp): Promise<void> {
  const data = join(folder, 'in-process')
  const start = startInProcess({
    config: loadConfig({ env: {}, flags: { ...anyPorts, data, ...flags } }),
    clock: systemClock,
    log: createLogger('silent'),
    version: 'test',
    onFailure: () => {},
  })
  await assert.rejects(start, expected)
  lockDirectory(data).close()
}

describe('a port that is taken', () => {
  it('is named', async () => {
    const line = await refusal({ http: `127.0.0.1:${tcpPort}` })
    assert.equal(line, `floodgauge: the HTTP interface cannot listen at 127.0.0.1:${tcpPort}: the port is in use`)
  })

  it('leaves the data directory unlocked', async () => {
    await failsInProcess({ http: `127.0.0.1:${tcpPort}` }, /HTTP interface cannot listen/)
    await failsInProcess({ netflow: `127.0.0.1:${udpPort}` }, /flows cannot listen at 127.*: the port is in use$/)
  })
})

it('a start that fails leaves what is normal as it was saved', async () => {
  const data = join(folder, 'in-process')
  const [learnt] = new DetectionLab().run(5, { recordsPerSecond: 10, row: {} }).detector.takeBaselines({ all: true })
  const savedMs = systemClock.now() - 60_000
  const open = () => openSqliteStore(storeFileOf(data), { clock: systemClock })
  const before = await open()
  await before.saveBaselines([{ ...learnt, heardMs: savedMs, savedMs }])
  await before.close()
  await failsInProcess({ http: `127.0.0.1:${tcpPort}` }, /HTTP interface cannot listen/)
  const after = await open()
  const { baselines } = await after.loadBaselines({ heardSinceMs: 0 })
  await after.close()
  assert.deepEqual(
    baselines.map((each) => each.savedMs),
    [savedMs],
  )
})

it('an address that is not of this machine is named', async () => {
  await failsInProcess(
    { netflow: '203.0.113.9:2055' },
    /listen at 203\.0\.113\.9:2055: this machine has no such address/,
  )
})

it('a second service on a data directory is refused, and the first goes on', async () => {
  const service = await startService()
  try {
    const line = await refusal({ data: service.dataFolder })
    assert.equal(line, `floodgauge: a Floodgauge service is running on the data directory ${service.dataFolder}`)
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  } finally {
    await service.stop()
  }
})

describe('a data directory that can not be made', () => {
  it('is named with the reason', () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    assert.throws(() => lockDirectory(join(file, 'data')), /data directory \/.*\/a-file\/data: ENOTDIR/)
  })

  it('is no reason to hang', { skip: process.platform !== 'linux' && 'there is no /proc' }, async () => {
    assert.match(await refusal({ data: '/proc/floodgauge/data' }), /data directory \/proc\/floodgauge\/data: ENOENT/)
  })
})

it('a bad configuration is refused by path, place and reason', async () => {
  const config = join(folder, 'floodgauge.yaml')
  writeFileSync(config, '# ours\nhttp:\n  ratePerMinute: many\n')
  const line = await refusal({ config })
  assert.match(line, /^floodgauge: configuration: http\.ratePerMinute: must be .*many.*floodgauge\.yaml:3\)$/)
})
