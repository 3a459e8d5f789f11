// The way from packet to phone, by the command that looks after it: a real service, a real receiver, and what the exit status says.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, before, it } from 'node:test'
import { type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { WebhookReceiver } from '../../helpers/servers/webhook-receiver.ts'
import { mainFile, type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const sites = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4', '198.51.100.5']
let service: RunningService
let user: FirstUser
let receiver: WebhookReceiver

before(async () => {
  receiver = await new WebhookReceiver().start()
  service = await startService()
  user = await makeFirstUser(service)
  await user.client.addSites(sites)
  const ofUrl = { kind: 'webhook', settings: { url: receiver.url } }
  await user.client.call('addChannel', { body: { name: 'Hook', ...ofUrl } })
})

after(async () => {
  await service?.stop()
  receiver?.stop()
})

function start(site: string, ...args: string[]) {
  const env = { FLOODGAUGE_URL: service.url, FLOODGAUGE_EMAIL: user.email, FLOODGAUGE_TOKEN: user.token }
  return spawn(process.execPath, [mainFile, 'simulate', site, ...args], { env: { ...process.env, ...env } })
}

async function run(site: string, ...args: string[]) {
  const child = start(site, '--alerts', '--wait', ...args)
  const [[status], out, err] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  return { status, out, err }
}

it('is shown from the first datagram to the receiver, marked as a test, and its end follows', async () => {
  const { status, out, err } = await run(sites[0], '--seconds', '10')
  assert.equal(status, 0, err)
  assert.match(out, /^event [0-9a-f]{24} after [\d.]+ s\nSTATE .*\ndone +[\d.]+ s {2}webhook +Hook\n$/)
  const [{ type, data }] = receiver.received.map(({ body }) => JSON.parse(body))
  assert.deepEqual([type, data.event.isTest, data.event.site], ['event.started', true, sites[0]])
  await until('its end is told', async () => receiver.received.some(({ body }) => body.includes('event.ended')))
})

it('tells nobody without being asked', async () => {
  const before = receiver.received.length
  const child = start(sites[1], '--seconds', '10')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  await until('it is over', async () => (await user.client.getSimulation(sites[1]))?.state === 'over')
  assert.equal(receiver.received.length, before)
})

it('says by its status that the time ran out, and then leaves nothing that goes on', async () => {
  receiver.answer = () => ({ status: 503 })
  const { status, out, err } = await run(sites[2], '--seconds', '300', '--timeout', '6')
  receiver.answer = () => ({ status: 204 })
  assert.deepEqual([status, /^failing .* Hook .*503/m.test(out)], [4, true], out + err)
  assert.match(err, /the time ran out before every channel was told: Hook\n$/)
  const { endsAt = '' } = (await user.client.getSimulation(sites[2])) ?? {}
  assert.ok(Date.parse(endsAt) < Date.now() + 1_000)
})

it('counts neither for nor against it what is held on purpose, and fails what is disabled', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = await user.client.call('addSilence', { body: { reason: 'x', sites: [sites[3]], until } })
  const held = await run(sites[3], '--seconds', '10')
  assert.deepEqual([held.status, /^held .* held by a silence until /m.test(held.out)], [5, true], held.out)
  await user.client.call('endSilence', { params: { id } })
  const { channels } = await user.client.call('listChannels')
  await user.client.call('changeChannel', { params: { id: channels[0].id }, body: { isDisabled: true } })
  const disabled = await run(sites[4], '--seconds', '10')
  assert.deepEqual([disabled.status, /^disabled .* Hook/m.test(disabled.out)], [3, true], disabled.out)
})

it('sends no more when it is interrupted', async () => {
  const child = start(sites[0], '--alerts', '--wait', '--seconds', '300', '--rate', '1000')
  const said = text(child.stderr)
  await until('it is sent', async () => (await user.client.getSimulation(sites[0]))?.state === 'running')
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [1, null])
  assert.match(await said, /interrupted: nothing more is sent\n$/)
  const { endsAt = '' } = (await user.client.getSimulation(sites[0])) ?? {}
  assert.ok(Date.parse(endsAt) < Date.now() + 1_000)
})
