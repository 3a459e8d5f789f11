// The secrets of every kind of channel, of the mail server, of the heartbeat, of the environment that hooks run in, and the tokens of links in messages: marked, used, made
// to fail, and then looked for in all that the service answers, logs, counts, and writes to its store and to a backup.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { type EndpointName, endpoints } from '../../../src/contract/endpoints.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { attackUntil, flowSender } from '../../helpers/flows.ts'
import { WebhookReceiver } from '../../helpers/servers/webhook-receiver.ts'
import { floodgauge, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const site = '198.51.100.10'
const marks: string[] = []
/** Letters and digits, which every kind takes. */
const mark = () => {
  const made = `mArKeDsEcReT${String(marks.length).padStart(4, '0')}`.padEnd(32, 'x')
  marks.push(made)
  return made
}

/** A channel of each kind with secrets. Those of even places work. */
function channelsTo(server: string) {
  const paths = ['slack', 'mattermost', 'rocket-chat', 'discord', 'teams'] as const
  const given = [
    ...paths.map((kind) => ({ kind, secrets: { url: `${server}/${kind}/${mark()}` }, settings: {} })),
    { kind: 'telegram', secrets: { token: `1234:${mark()}` }, settings: { server: `${server}/telegram`, chat: '1' } },
    { kind: 'ntfy', secrets: { token: mark() }, settings: { server: `${server}/ntfy`, topic: 'x' } },
    { kind: 'gotify', secrets: { token: mark() }, settings: { server: `${server}/gotify` } },
    { kind: 'pagerduty', secrets: { routingKey: mark() }, settings: { server: `${server}/pagerduty` } },
    { kind: 'opsgenie', secrets: { apiKey: mark() }, settings: { server: `${server}/opsgenie` } },
    { kind: 'alertmanager', secrets: { authorization: `Bearer ${mark()}` }, settings: { urls: [`${server}/am`] } },
    { kind: 'mail', secrets: {}, settings: { to: ['noc@example.net'] } },
    { kind: 'exec', secrets: {}, settings: { hook: 'environment' } },
  ]
  return given.map((channel) => ({ name: channel.kind, ...channel }))
}

function spellingsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  return [text, bytes.toString('base64').replaceAll('=', ''), bytes.toString('hex')]
}

function checkNone(where: string, text: string, secrets: readonly string[]): void {
  for (const secret of secrets)
    for (const spelling of spellingsOf(secret)) assert.ok(!text.includes(spelling), `${where} has ${spelling}`)
}

/** With a public address the service prints its link under that. */
const setupUrlIn = (text: string) => /https:\S+\/setup\?code=\S+/.exec(text)?.[0] ?? ''

it('secrets of every kind are in no answer, log, number, store or backup', { timeout: 480_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-secrets-'))
  const at = (name: string) => join(folder, name)
  // Every second kind fails, in three ways.
  const fails = /\/(?:mattermost|discord|telegram|gotify|opsgenie)\b/
  const receiver = await new WebhookReceiver(({ path }) => {
    const [failing] = fails.exec(path) ?? []
    return failing === undefined ? { status: 200, body: '{"ok":true}' } : { status: 500 - (failing.length % 2) * 97 }
  }).start()
  const server = new URL(receiver.url).origin
  writeFileSync(at('environment'), `#!/bin/sh\nenv >>${at('environment.out')}\nenv\nexit 1\n`)
  chmodSync(at('environment'), 0o700)
  writeFileSync(at('config.yaml'), `alerts:\n  hooks: [{ name: environment, command: [${at('environment')}] }]\n`)
  const smtp = { HOST: '127.0.0.1', PORT: '9', TLS: 'none', USER: 'someone', PASSWORD: mark(), FROM: 'a@example.net' }
  const service = await startService(undefined, {
    dataFolder: at('data'),
    args: ['--config', at('config.yaml')],
    env: {
      FLOODGAUGE_LOG_LEVEL: 'debug',
      FLOODGAUGE_HTTP_PUBLIC_URL: 'https://floodgauge.example.net',
      FLOODGAUGE_ALERTS_HEARTBEAT_URL: `${server}/heartbeat/${mark()}`,
      FLOODGAUGE_ALERTS_HEARTBEAT_EVERY_SECONDS: '10',
      ...Object.fromEntries(Object.entries(smtp).map(([name, value]) => [`FLOODGAUGE_ALERTS_SMTP_${name}`, value])),
      OF_THE_MACHINE: mark(),
    },
  })
  let log = service.said()
  for (const stream of [service.process.stdout, service.process.stderr])
    stream?.on('data', (part: string) => {
      log += part
    })
  const sender = await flowSender(service.flowAddresses[0])
  t.after(async () => {
    await sender.close()
    await service.stop()
    receiver.stop()
    rmSync(folder, { recursive: true })
  })
  const { email, token, client } = await makeFirstUser({ ...service, setupUrl: setupUrlIn(log) })
  await client.addSites([site])
  const headers = { 'x-svc-authemail': email, 'x-svc-authtoken': token }
  let said = ''
  const call = async (method: string, path: string, body?: object) => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(`${service.url}${path}`, { method, headers: { ...headers, ...type }, ...given })
    const text = await answer.text()
    said += `${JSON.stringify([...answer.headers])} ${text}`
    return { status: answer.status, text }
  }
  const channels = channelsTo(server)
  const ids: string[] = []
  for (const channel of channels) {
    const { status, text } = await call('POST', '/api/v1/alerts/channels', channel)
    assert.equal(status, 200, `${channel.kind}: ${text}`)
    ids.push(JSON.parse(text).channel.id)
  }
  const ofKind = (kind: string) => receiver.received.filter(({ path }) => path.startsWith(`/${kind}`))
  const overHttp = channels.filter(({ kind }) => kind !== 'mail' && kind !== 'exec')
  const pathOf = ({ kind }: { kind: string }) => (kind === 'alertmanager' ? 'am' : kind)
  await attackUntil(sender, site, async () => overHttp.every((each) => ofKind(pathOf(each)).length > 0))
  await until('the hook was run', async () => existsSync(at('environment.out')))
  for (const id of ids) await call('POST', `/api/v1/alerts/channels/${id}/test`)
  await until('the heartbeat was sent', async () => ofKind('heartbeat').length > 0)
  const { deliveries } = JSON.parse((await call('GET', '/api/v1/alerts/deliveries')).text)
  for (const { id } of deliveries) await call('GET', `/api/v1/alerts/deliveries/${id}`)
  const names = Object.keys(endpoints) as EndpointName[]
  for (const { method, path } of names.map((name) => endpoints[name].route))
    if (method === 'GET' && path !== '/api/v1/stream') await call('GET', path.replace(/\{\w+\}/, deliveries[0].eventId))
  await call('GET', '/metrics')

  const links = [...new Set(JSON.stringify(receiver.received).match(/acknowledge\?t=[0-9a-f.]+/g))]
  assert.ok(links.length > 0)
  const tokens = links.map((link) => link.slice('acknowledge?t='.length))
  checkNone('an answer', said, [...marks, ...tokens])
  // Whoever has a link looks at it, presses its button, and shows it to others cut short.
  for (const link of links.flatMap((each) => [each, each.slice(0, -1)]))
    for (const method of ['GET', 'POST']) await fetch(`${service.url}/api/v1/alerts/${link}`, { method })
  checkNone('the command', await floodgauge('backup', '--data', at('data'), at('backup.db')), marks)
  checkNone(
    'a message',
    receiver.received.map(({ path, body }) => (path.startsWith('/pagerduty') ? '' : body)).join(),
    marks,
  )
  checkNone('what a hook sees', readFileSync(at('environment.out'), 'utf8'), [...marks, ...tokens])
  await service.stop()
  assert.ok(log.includes('a hook failed') && log.length > 500)
  checkNone('the log', log, [...marks, ...tokens])
  checkNone('the backup', readFileSync(at('backup.db'), 'latin1'), [...marks, ...tokens])
  for (const file of readdirSync(at('data'), { recursive: true, withFileTypes: true }))
    if (file.isFile())
      checkNone(file.name, readFileSync(join(file.parentPath, file.name), 'latin1'), [...marks, ...tokens])
})
