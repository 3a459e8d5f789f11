// The whole service under load: how many requests a second it answers while flows arrive, and how many flows before one is lost. The service,
// the sender of flows and the HTTP load are three processes that share the machine.
//   node bench/service.ts [seconds [flows-per-second [requests-per-second]]]    the claim: fails when a flow is lost or answers are late
//   node bench/service.ts max [seconds-per-step [first-flows-per-second]]       raises the rate of flows until some are lost
// PROFILE=DIR writes CPU profiles of the service there.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeFirstUser } from '../test/helpers/first-user.ts'
import { metricSum, metricsOf } from '../test/helpers/metrics.ts'
import { type RunningService, startService } from '../test/helpers/service.ts'
import { type Sent, sites } from './load/flow-sender.ts'
import { httpLoad, type Load, percentile } from './load/http.ts'
import { threadCpu } from './load/thread-cpu.ts'

/** A thread's counters reach /metrics once a second. */
const settledMs = 2_500
const warmUpSeconds = 3
const connections = 16
const stepFactor = 1.25
const flowsPerSecondMax = 5_000_000

interface Counts {
  decoded: number
  folded: number
  refused: number
  /** Datagrams, by the kernel. */
  dropped: number
  events: number
}

const metricNames = {
  decoded: 'floodgauge_ingest_flows_total',
  folded: 'floodgauge_fold_flows_total',
  refused: 'floodgauge_fold_refused_total',
  dropped: 'floodgauge_ingest_socket_drops_total',
  events: 'floodgauge_events_total',
} as const satisfies Record<keyof Counts, string>

async function countsOf(service: RunningService): Promise<Counts> {
  const text = await metricsOf(service.url)
  const { decoded, folded, refused, dropped, events } = metricNames
  return {
    decoded: metricSum(text, decoded),
    folded: metricSum(text, folded),
    refused: metricSum(text, refused),
    dropped: metricSum(text, dropped),
    events: metricSum(text, events),
  }
}

function difference(after: Counts, before: Counts): Counts {
  return {
    decoded: after.decoded - before.decoded,
    folded: after.folded - before.folded,
    refused: after.refused - before.refused,
    dropped: after.dropped - before.dropped,
    // The flood begins with the warm-up.
    events: after.events,
  }
}

/** As shares of a core, the threads that did something. */
function cpuText(before: Map<string, number>, after: Map<string, number>, seconds: number): string {
  return [...after]
    .map(([name, used]) => ({ name, percent: ((used - (before.get(name) ?? 0)) / seconds) * 100 }))
    .filter(({ percent }) => percent >= 0.5)
    .sort((a, b) => b.percent - a.percent)
    .map(({ name, percent }) => `${name} ${percent.toFixed(0)} %`)
    .join(', ')
}

/** `engineId`: each run is an exporter of its own, since it counts its records from 0. */
async function sendFlows(port: number, flowsPerSecond: number, seconds: number, engineId: number): Promise<Sent> {
  const file = fileURLToPath(new URL('load/flow-sender.ts', import.meta.url))
  const sender = fork(file, [port, flowsPerSecond, seconds, engineId].map(String))
  const [sent]: Sent[] = await once(sender, 'message')
  return sent
}

async function start(): Promise<{ service: RunningService; load: Omit<Load, 'seconds'> }> {
  const { PROFILE } = process.env
  const nodeArgs = PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILE}`]
  const env = { FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' }
  const service = await startService({ netflow: 0, ipfix: 0, sflow: 0 }, { env, nodeArgs })
  const { email, token, client } = await makeFirstUser(service)
  const { success } = await client.addSites(sites)
  if (success.length !== sites.length) throw new Error(`only ${success.length} sites could be added`)
  const head = ['GET /open/site HTTP/1.1', 'host: bench', `x-svc-authtoken: ${token}`, `x-svc-authemail: ${email}`]
  const request = `${head.join('\r\n')}\r\n\r\n`
  return { service, load: { port: Number(new URL(service.url).port), request, connections } }
}

async function measureClaim(seconds: number, flowsPerSecond: number, requestsPerSecond: number): Promise<boolean> {
  const { service, load } = await start()
  try {
    await Promise.all([
      sendFlows(service.flowPort, flowsPerSecond, warmUpSeconds, 1),
      httpLoad({ ...load, seconds: warmUpSeconds, requestsPerSecond }),
    ])
    await delay(settledMs)
    const before = await countsOf(service)
    const pid = service.process.pid ?? 0
    const cpuBefore = threadCpu(pid)
    const [sent, { latenciesMs, statuses }] = await Promise.all([
      sendFlows(service.flowPort, flowsPerSecond, seconds, 2),
      httpLoad({ ...load, seconds, requestsPerSecond }),
    ])
    const cpu = cpuText(cpuBefore, threadCpu(pid), seconds)
    await delay(settledMs)
    const counts = difference(await countsOf(service), before)

    const answered = latenciesMs.length / seconds
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(latenciesMs, share).toFixed(2))
    console.log(`flows: ${sent.flows} sent, ${(sent.flows / sent.seconds).toFixed(0)}/s; ${counts.decoded} decoded,`)
    console.log(`  ${counts.folded} of them for the ${sites.length} sites, ${counts.refused} turned away;`)
    console.log(`  ${counts.dropped} datagrams dropped by the kernel; ${counts.events} events so far`)
    console.log(`GET /open/site, ${sites.length} sites: ${answered.toFixed(0)}/s, ${[...statuses].join(' × ')}`)
    console.log(`  p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`)
    console.log(`CPU of the service, of a core: ${cpu || 'unknown'}`)
    const isWhole =
      counts.decoded === sent.flows && counts.dropped === 0 && sent.flows / sent.seconds > flowsPerSecond * 0.98
    const isFast = answered >= requestsPerSecond * 0.999 && statuses.get(200) === latenciesMs.length
    console.log(isWhole && isFast ? 'as claimed' : 'NOT as claimed')
    return isWhole && isFast
  } finally {
    await service.stop()
  }
}

async function measureMax(seconds: number, first: number): Promise<void> {
  const { service } = await start()
  try {
    for (let rate = first, step = 1; rate < flowsPerSecondMax; rate *= stepFactor, step++) {
      const before = await countsOf(service)
      const pid = service.process.pid ?? 0
      const cpuBefore = threadCpu(pid)
      const sent = await sendFlows(service.flowPort, rate, seconds, step % 256)
      const cpu = cpuText(cpuBefore, threadCpu(pid), seconds)
      await delay(settledMs)
      const { decoded, folded, dropped, refused } = difference(await countsOf(service), before)
      const lost = sent.flows - decoded
      console.log(
        `${(sent.flows / sent.seconds).toFixed(0)} flows/s (asked ${rate.toFixed(0)}): ${lost} of ${sent.flows} lost, ${dropped} datagrams by the kernel; ${folded} folded, ${refused} turned away; ${cpu}`,
      )
      if (lost > 0 || sent.flows / sent.seconds < rate * 0.8) return
    }
  } finally {
    await service.stop()
  }
}

if (process.argv[2] === 'max') await measureMax(Number(process.argv[3] ?? 5), Number(process.argv[4] ?? 100_000))
else {
  const [seconds = 20, flowsPerSecond = 100_000, requestsPerSecond = 2_000] = process.argv.slice(2).map(Number)
  if (!(await measureClaim(seconds, flowsPerSecond, requestsPerSecond))) process.exitCode = 1
}
