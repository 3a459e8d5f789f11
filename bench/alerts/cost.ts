// What the threads of detection cost while every channel hangs, against the same without channels: processor time for each flow record, in many short rounds that
// take turns (without, with, with, without), so that a machine that is slower for a while is so for both. As Linux accounts it, in nanoseconds. One user's channels
// have four messages under way at a time; the others wait. Run: node bench/alerts/cost.ts [pairs [channels]]
import { fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { makeFirstUser } from '../../test/helpers/first-user.ts'
import { type FlowSender, flowSender, synFlood } from '../../test/helpers/flows.ts'
import { metricSum, metricsOf } from '../../test/helpers/metrics.ts'
import { type RunningService, startService } from '../../test/helpers/service.ts'
import { threadCpu } from '../load/thread-cpu.ts'
import { addWebhook, changeChannel } from './channels.ts'
import { startReceiver } from './receiver.ts'

const [pairs = 40, channels = 50] = process.argv.slice(2).map(Number)
const roundMs = 2_000
/** After channels were switched. */
const settleMs = 300
const attacksPerRound = 4
/** Ordinary traffic meanwhile, of a process of its own: well below what the machine takes. */
const flowsPerSecond = 200_000
const flowSenderFile = fileURLToPath(new URL('../load/flow-sender.ts', import.meta.url))

/** Networks of RFC 2544 that the ordinary traffic leaves alone. */
const firstNetwork = 20
const networks = 236
const networkAt = (index: number) => 0xc612_0000 + (firstNetwork + (index % networks)) * 256
const victimAt = (index: number) => formatIpv4(networkAt(index) + 1 + Math.floor(index / networks))

const isOfDetection = (name: string) => /detect|collect/i.test(name)

async function usedBy(service: RunningService) {
  const flows = metricSum(await metricsOf(service.url), 'floodgauge_ingest_flows_total')
  const cpu = [...threadCpu(service.process.pid ?? 0)]
  return { flows, seconds: cpu.reduce((sum, [name, seconds]) => sum + (isOfDetection(name) ? seconds : 0), 0) }
}

/** Nanoseconds of CPU a flow of the threads that receive and judge, while a few attacks begin. */
async function costOf(service: RunningService, sender: FlowSender, round: number): Promise<number> {
  const before = await usedBy(service)
  const endMs = performance.now() + roundMs
  while (performance.now() < endMs) {
    for (let index = 0; index < attacksPerRound; index++)
      await sender.send(synFlood(victimAt(round * attacksPerRound + index), 150, 100))
    await delay(100)
  }
  const after = await usedBy(service)
  return ((after.seconds - before.seconds) * 1e9) / (after.flows - before.flows)
}

const at = (values: readonly number[], share: number) => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(2)} %`

/** The middle of the ratios, and where it lies in 95 of 100 samples drawn from them. */
function middleOf(ratios: readonly number[]): string {
  const drawn = Array.from({ length: 2_000 }, () =>
    at(
      ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)]),
      0.5,
    ),
  )
  return `${percent(at(ratios, 0.5))} (95 of 100: ${percent(at(drawn, 0.025))} to ${percent(at(drawn, 0.975))})`
}

const hanging = await startReceiver(false)
const service = await startService(undefined, {
  env: { FLOODGAUGE_LOG_LEVEL: 'error', FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' },
})
const sender = await flowSender(service.flowAddresses[0])
const rounds = pairs * 2
const seconds = Math.ceil((rounds * (roundMs + settleMs + 1_000)) / 1_000) + 20
const traffic = fork(flowSenderFile, [String(service.flowPort), String(flowsPerSecond), String(seconds)])
process.once('exit', () => traffic.kill())
try {
  const user = await makeFirstUser(service)
  await user.client.addSites(Array.from({ length: networks }, (_, n) => `${formatIpv4(networkAt(n))}/24`))
  const ids: string[] = []
  for (let n = 0; n < channels; n++)
    ids.push(await addWebhook(service.url, user, { name: `hanging ${n}`, url: hanging.url }))
  const turn = async (isDisabled: boolean) => {
    await Promise.all(ids.map((id) => changeChannel(service.url, user, id, { isDisabled })))
    await delay(settleMs)
  }
  // What is compiled on the way is compiled before.
  for (let round = 0; round < 4; round++) await costOf(service, sender, round)
  const costs: { without: number[]; with: number[] } = { without: [], with: [] }
  for (let pair = 0; pair < pairs; pair++)
    for (const place of [0, 1]) {
      const which = (place + pair) % 2 === 0 ? 'without' : 'with'
      await turn(which === 'without')
      costs[which].push(await costOf(service, sender, 4 + pair * 2 + place))
    }
  const events = (await user.client.listEvents({ last: 1 })).length
  const text = await metricsOf(service.url)
  const drops = metricSum(text, 'floodgauge_ingest_socket_drops_total')
  const [waiting, told] = [
    metricSum(text, 'floodgauge_alert_waiting'),
    metricSum(text, 'floodgauge_alert_notices_total'),
  ]
  const ratios = costs.with.map((cost, pair) => cost / costs.without[pair])
  const nanoseconds = (values: readonly number[]) =>
    `${at(values, 0.5).toFixed(0)} ns a flow (half of the rounds: ${at(values, 0.25).toFixed(0)} to ${at(values, 0.75).toFixed(0)})`
  console.log(`${pairs} pairs of rounds of ${roundMs / 1_000} s, ${flowsPerSecond} flows/s, ${drops} datagrams dropped`)
  console.log(`  ${events} events, ${told} notices; ${hanging.arrivals.length} attempts hung, ${waiting} messages wait`)
  console.log(`  without channels ${nanoseconds(costs.without)}`)
  console.log(`  with ${channels} that hang ${nanoseconds(costs.with)}`)
  console.log(`  more, pair by pair: ${middleOf(ratios)}`)
} finally {
  traffic.kill()
  await sender.close()
  hanging.stop()
  await service.stop()
}
