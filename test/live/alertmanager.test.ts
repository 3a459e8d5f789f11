// A real Alertmanager, of Debian, takes what its channels say: an alert that fires once however often it is repeated, and its end.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { alertmanager } from '../../src/alert/channels/alertmanager.ts'
import type { Message } from '../../src/alert/channels/kind.ts'
import { listOf } from '../../src/alert/outgoing/reach.ts'
import { installationOf, ofSystem } from '../helpers/labs/alerts.ts'
import { messageOf } from '../helpers/labs/messages.ts'
import { nastyValues } from '../helpers/labs/nasty.ts'
import { WebhookReceiver } from '../helpers/servers/webhook-receiver.ts'
import { patienceMs, until } from '../helpers/until.ts'
import { freePort } from './free-port.ts'
import { findProgram, skip } from './requirements.ts'

interface Told {
  status: string
  alerts: { status: string; labels: Record<string, string>; annotations: Record<string, string> }[]
}

async function start(t: TestContext): Promise<{ url: string; told: () => Told[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-alertmanager-'))
  const receiver = await new WebhookReceiver(() => ({ status: 200 })).start()
  const config = join(folder, 'config.yml')
  writeFileSync(
    config,
    `route: { receiver: test, group_by: [event], group_wait: 0s, group_interval: 1s, repeat_interval: 1h }
receivers: [{ name: test, webhook_configs: [{ url: '${receiver.url}', send_resolved: true }] }]
`,
  )
  const port = await freePort()
  const program = spawn(
    findProgram('prometheus-alertmanager'),
    [
      ...[`--config.file=${config}`, `--storage.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`],
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  )
  t.after(async () => {
    program.kill()
    if (program.exitCode === null) await new Promise((done) => program.once('exit', done))
    receiver.stop()
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => {
    try {
      return (await fetch(`${url}/-/ready`)).ok
    } catch {
      return false
    }
  }
  await until('Alertmanager is ready', isReady)
  return { url, told: () => receiver.received.map(({ body }) => JSON.parse(body)) }
}

test('Alertmanager fires once, and hears the end', { skip, timeout: 480_000 }, async (t) => {
  const { url, told } = await start(t)
  const options = () => ({
    ...{
      settings: { urls: [url] },
      secrets: {},
      installation: installationOf(),
      channelId: 'c1',
      userId: 'u1',
      email: '',
    },
    ...{
      reach: 'any' as const,
      allowed: listOf([]),
      resolve: ofSystem,
      nowMs: Date.now(),
      signal: AbortSignal.timeout(patienceMs),
    },
  })
  const start1 = new Date(Date.now() - 60_000).toISOString()
  const goesOn: Message = messageOf('event.started', { start: start1, end: null })
  assert.deepEqual(await alertmanager.send(goesOn, options()), { outcome: 'done', pauseMs: null, text: 'HTTP 200' })
  await until('it fires', async () => told().length === 1)
  const [{ status, alerts }] = told()
  assert.equal(status, 'firing')
  assert.deepEqual(alerts[0].labels, {
    ...{ alertname: 'DDoS', event: goesOn.report.id, site: '*.example.com', address: '192.0.2.10' },
    ...{ attack_type: 'udp@attack@amp_flood_target-NTP', severity: 'high' },
  })
  assert.match(alerts[0].annotations.summary, /^\[HIGH\] NTP amplification/)
  assert.equal((await alertmanager.repeat?.([goesOn], options()))?.outcome, 'done')
  await delay(2_500)
  assert.equal(told().length, 1)
  const over = messageOf('event.ended', { start: start1, end: new Date(Date.now() - 1_000).toISOString() })
  assert.equal((await alertmanager.send(over, options())).outcome, 'done')
  await until('it is resolved', async () => told().length === 2)
  assert.deepEqual([told()[1].status, told()[1].alerts[0].status], ['resolved', 'resolved'])
})

test('Alertmanager takes every name as one label', { skip, timeout: 480_000 }, async (t) => {
  const { url, told } = await start(t)
  for (const [index, value] of nastyValues.entries()) {
    const given = { id: index.toString(16).padStart(24, '0'), site: value, domain: value, attackType: value, end: null }
    const { outcome, text } = await alertmanager.send(messageOf('event.started', given), {
      ...{
        settings: { urls: [url] },
        secrets: {},
        installation: installationOf(),
        channelId: 'c1',
        userId: 'u1',
        email: '',
      },
      ...{
        reach: 'any',
        allowed: listOf([]),
        resolve: ofSystem,
        nowMs: Date.now(),
        signal: AbortSignal.timeout(patienceMs),
      },
    })
    assert.deepEqual([outcome, text], ['done', 'HTTP 200'], value.slice(0, 50))
  }
  await until('all fire', async () => told().length === nastyValues.length)
  const names = ['address', 'alertname', 'attack_type', 'event', 'severity', 'site']
  for (const { alerts } of told()) assert.deepEqual(Object.keys(alerts[0].labels).sort(), names)
})
