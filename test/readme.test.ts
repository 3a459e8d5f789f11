// Runs the quick start of the README and the commands of the tutorial as they stand there. Only addresses and ports are exchanged for those
// of a service that the test starts.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import dgram from 'node:dgram'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { TCP } from '../src/net/protocols.ts'
import { SYN } from '../src/net/tcp-flags.ts'
import { Exporter } from './helpers/exporter.ts'
import { fencedBlocks } from './helpers/markdown.ts'
import { type RunningService, startService } from './helpers/service.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The commands of a document that are marked so, one text a block. */
const stepsIn = (path: string, mark: string) =>
  fencedBlocks(readFileSync(`${root}/${path}`, 'utf8'))
    .filter(({ language, marks }) => language === 'sh' && marks.includes(mark))
    .map(({ text }) => text)
const event = { withinMs: 60_000, everyMs: 500 }

/** The text between two steps, so that variables of the shell live on. */
const mark = '--- next step ---'

/** Runs steps in one shell, with the service's address and data in the place of the defaults; gives what each wrote. */
function runSteps(texts: readonly string[], service: RunningService): Promise<string[]> {
  const script = texts
    .join(`\necho '${mark}'\n`)
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('npx floodgauge', `${root}/bin/floodgauge`)
  return new Promise((resolve, reject) => {
    const env = { ...process.env, FLOODGAUGE_STORE_DIR: service.dataFolder, FLOODGAUGE_URL: service.url }
    execFile('bash', ['-euo', 'pipefail', '-c', script], { env, timeout: 480_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stderr}\n${stdout}`, { cause: error }))
      else resolve(stdout.split(`${mark}\n`))
    })
  })
}

/** Reports 30,000 SYN a second from many addresses, until it is told to stop. */
async function flood(victim: string, port: number, until: AbortSignal): Promise<void> {
  const exporter = new Exporter({ protocol: 'netflow9' })
  const socket = dgram.createSocket('udp4')
  while (!until.aborted) {
    const nowMs = Date.now()
    const flows = Array.from({ length: 600 }, (_, i) => ({
      src: `10.0.${i >> 8}.${i & 255}`,
      dst: victim,
      srcPort: 1_024 + i,
      dstPort: 443,
      ipProto: TCP,
      tcpFlags: SYN,
      packets: 10,
      bytes: 400,
      startMs: nowMs - 1_000,
      endMs: nowMs,
    }))
    for (const datagram of exporter.datagrams(flows, nowMs)) socket.send(datagram, port, '127.0.0.1')
    await sleep(200)
  }
  socket.close()
}

test('the quick start of the README leads to an event', { timeout: 480_000 }, async (t) => {
  const texts = stepsIn('README.md', 'quickstart')
  assert.equal(texts.length, 3, 'user and token, add a site, list events')
  const service = await startService()
  t.after(service.stop)
  const [, added = '', none = ''] = await runSteps(texts, service)
  assert.deepEqual(JSON.parse(added), { status: 1, success: ['192.0.2.10', '198.51.100.0/24'], error: [] })
  assert.deepEqual(JSON.parse(none), { data: [] })

  const stop = new AbortController()
  t.after(() => stop.abort())
  const flooding = flood('192.0.2.10', service.flowPort, stop.signal)
  // The user is there already; the other steps may be repeated.
  const again = texts.map((text) => text.replace(/^.* user add .*$/m, ':'))
  const end = Date.now() + event.withinMs
  for (;;) {
    const [, , listed = ''] = await runSteps(again, service)
    const { data } = JSON.parse(listed)
    if (data.length > 0) {
      assert.equal(data.length, 1)
      assert.equal(data[0].ip, '192.0.2.10')
      assert.equal(data[0].site, '192.0.2.10')
      assert.equal(data[0].attack_type, 'tcp@attack@syn_flood_target')
      break
    }
    assert.ok(Date.now() < end, `no event: ${service.said()}`)
    await sleep(event.everyMs)
  }
  stop.abort()
  await flooding
})

test('the tutorial leads to a simulated attack and its event', { timeout: 480_000 }, async (t) => {
  const service = await startService()
  t.after(service.stop)
  const said = await runSteps(stepsIn('docs/tutorial.md', 'tutorial'), service)
  assert.equal(said.length, 7)
  const [, exporters = '', sites = '', lines = '', simulated = '', listed = '', events = ''] = said
  assert.deepEqual(JSON.parse(exporters).exporters, [])
  assert.match(sites, /^192\.0\.2\.10 +enabled/m)
  assert.match(lines, /tcp@attack@syn_flood_target/)
  const id = /^event ([0-9a-f]{24}) after /.exec(simulated)?.[1]
  assert.ok(id !== undefined, simulated)
  assert.match(listed, new RegExp(`${id}.* test: tcp@attack@syn_flood_target`))
  assert.deepEqual(
    JSON.parse(events).events.map((event: { id: string }) => event.id),
    [id],
  )
})
