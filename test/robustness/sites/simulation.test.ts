// Simulated attacks on a running service: sent through its own ports, found by its own detection, and kept apart from what exporters tell.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { after, before, it } from 'node:test'
import { formatIpv4, parseIpv4 } from '../../../src/net/ipv4.ts'
import { clientOf, type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { attackUntil, type FlowSender, flowSender } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { floodgauge, mainFile, type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const site = '198.51.100.0/29'
const first = '198.51.100.0'
const exporter = '127.0.0.2'

let service: RunningService
let user: FirstUser
let sender: FlowSender

before(async () => {
  // Only the test may send; the service's own datagrams come from elsewhere.
  service = await startService(undefined, {
    env: { FLOODGAUGE_INGEST_WORKERS: '2', FLOODGAUGE_INGEST_EXPORTERS: exporter },
  })
  user = await makeFirstUser(service)
  sender = await flowSender(service.flowAddresses[0], { from: exporter })
  await user.client.addSites([site])
})

after(async () => {
  await sender?.close()
  await service?.stop()
})

const simulate = (...args: string[]) =>
  floodgauge('simulate', site, ...args, '--url', service.url, '--email', user.email, '--token', user.token)

/** Until the site's last simulation is over. */
const over = () =>
  until('the simulation is over', async () => {
    const simulation = await user.client.getSimulation(site)
    return simulation?.state === 'over' && simulation
  })

it('is found, told by the command line with its delay, and leaves no trace in what is known of exporters and traffic', async (t) => {
  const remote = ['--url', service.url, '--email', user.email, '--token', user.token]
  const follower = spawn(process.execPath, [mainFile, 'event', 'follow', '--every', '1s', ...remote])
  t.after(() => follower.kill())
  const followed = text(follower.stdout)
  const told = await simulate('--seconds', '10')
  const [, id = ''] = /^event ([0-9a-f]{24}) after [\d.]+ s\n$/.exec(told) ?? []
  assert.notEqual(id, '', told)
  const report = await user.client.getEventReport(id)
  assert.deepEqual(
    [report?.isTest, report?.attackType, report?.classification, report?.address],
    [true, 'udp@attack@amp_flood_target-NTP', 'test', first],
  )
  const simulation = await over()
  assert.equal(simulation.event?.id, id)
  const ended = await user.client.getEventReport(id)
  assert.deepEqual([ended?.state, ended?.why[0]?.source], ['ended', 'absolute'])

  assert.deepEqual(await user.client.listEvents(), [])
  assert.equal(await user.client.getEvent(id), null)
  const metrics = await metricsOf(service.url)
  for (const name of ['ingest_datagrams_total', 'ingest_flows_total', 'fold_flows_total', 'detect_incidents_total']) {
    assert.equal(metricSum(metrics, `floodgauge_${name}`), 0, name)
  }
  assert.equal(metricSum(metrics, 'floodgauge_events_total'), 0)
  assert.ok(metricSum(metrics, 'floodgauge_simulated_datagrams_total', 'result="counted"') > 30)
  assert.equal((await user.client.getTarget(first))?.classes.length, 0)
  assert.match(
    await floodgauge('event', 'list', ...remote),
    new RegExp(` ${id} .* test: udp@attack@amp_flood_target-NTP `),
  )
  assert.equal(await floodgauge('event', 'list', '--json', ...remote), '')
  for (const change of ['began', 'ended'])
    assert.match(service.said(), new RegExp(`"event":"${id}","isTest":true,.*event of a simulated attack ${change}`))
  const shown = await floodgauge('event', 'show', id, ...remote)
  assert.match(shown, /^test +the attack was simulated$/m)
  follower.kill('SIGINT')
  assert.equal((await followed).match(new RegExp(` ${id} .* test: udp@attack@amp_flood_target-NTP `, 'g'))?.length, 1)
})

it('hides no real attack on the same address at the same time: both are events, and only one is a test', async () => {
  await simulate('--vector', 'syn', '--seconds', '60')
  await attackUntil(sender, first, async () => (await user.client.listEvents()).length === 1)
  const [real] = await user.client.findEvents({ test: false })
  const tests = await user.client.findEvents({ test: true, state: 'open' })
  assert.deepEqual([real.address, real.attackType, real.state], [first, 'tcp@attack@syn_flood_target', 'open'])
  assert.deepEqual(
    tests.map(({ address, attackType }) => [address, attackType]),
    [[first, 'tcp@attack@syn_flood_target']],
  )
  const sourcesOf = async (id: string) => {
    const report = await until('there are lists', async () => {
      const found = await user.client.getEventReport(id)
      return found !== null && found.statistics.sources.entries.length > 0 && found
    })
    return new Set(report.statistics.sources.entries.map(({ item }) => (item >>> 24).toString()))
  }
  assert.deepEqual(await sourcesOf(tests[0].id), new Set(['198']))
  assert.deepEqual(await sourcesOf(real.id), new Set(['11']))
  await user.client.stopSimulation(site)
  await over()
  assert.equal((await user.client.getEventReport(tests[0].id))?.state, 'ended')
  assert.equal((await user.client.getEventReport(real.id))?.state, 'open')
})

it('is told not to be found by the exit status', async () => {
  const missed = simulate('--vector', 'udp', '--seconds', '10', '--rate', '1000', '--address', '198.51.100.3')
  await assert.rejects(missed, /no event of the simulated attack/)
  await assert.rejects(simulate('--seconds', '9'), /from 10 to 300/)
  await assert.rejects(simulate('--address', '192.0.2.1'), /address of the site/)
})

it('ends with the service, though that is killed', async () => {
  const address = formatIpv4((parseIpv4(first) ?? 0) + 5)
  const told = await simulate('--vector', 'icmp', '--seconds', '120', '--address', address)
  const id = told.split(' ')[1]
  service.process.kill('SIGKILL')
  await until('it is dead', async () => service.process.signalCode === 'SIGKILL')
  const again = await startService(undefined, { dataFolder: service.dataFolder })
  try {
    const client = clientOf(again.url, user)
    const report = await client.getEventReport(id)
    assert.deepEqual([report?.state, report?.isTest, report?.end], ['ended', true, report?.lastSeen])
    assert.equal(await client.getSimulation(site), null)
  } finally {
    await again.stop()
  }
})
