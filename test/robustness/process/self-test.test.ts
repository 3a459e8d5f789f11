// Readiness while a part of the service is broken for good: each case breaks one in a running service, which had been ready and goes on answering.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { flowSender } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import type { Fault } from './faults.ts'

const faultsFile = fileURLToPath(new URL('./faults.ts', import.meta.url))
/** A minute until the next test, two that fail. */
const boundMs = 180_000

interface Readiness {
  status: string
  checks: Record<string, { ok: boolean; detail: string; since?: string }>
}

async function readinessOf(url: string): Promise<Readiness> {
  return JSON.parse(await (await fetch(`${url}/readyz`)).text())
}

/** The checks that a broken part makes fail, and what that of the self-test says. */
const cases: { fault: Fault; what: string; fails: string[]; says: RegExp }[] = [
  { fault: 'detector-stuck', what: 'the detector is stuck', fails: ['detection', 'selfTest'], says: /within 10 s$/ },
  { fault: 'collector-stuck', what: 'a collector is stuck', fails: ['watch', 'selfTest'], says: /does not answer$/ },
  { fault: 'socket-dead', what: 'nobody hears a port', fails: ['selfTest'], says: /nothing listens there$/ },
  { fault: 'list-lost', what: 'the list of addresses is lost', fails: ['watch'], says: /./ },
]

describe('the service is not ready', { concurrency: true }, () => {
  for (const { fault, what, fails, says } of cases) {
    it(`when ${what}`, { timeout: 2 * boundMs }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'floodgauge-fault-'))
      const file = join(folder, 'fault')
      const service = await startService(undefined, {
        nodeArgs: ['--import', faultsFile],
        env: { FAULT_FILE: file, FLOODGAUGE_LOG_LEVEL: 'error' },
      })
      try {
        const user = await makeFirstUser(service)
        assert.equal((await readinessOf(service.url)).status, 'ready')
        writeFileSync(file, fault)
        await until('the fault is there', async () => service.said().includes(`fault: ${fault}`))
        if (fault === 'list-lost') await user.client.addSites(['198.51.100.7'])
        const checks = await until(
          `${fails.join(', ')} fail`,
          async () => {
            const { status, checks } = await readinessOf(service.url)
            return status === 'not ready' && fails.every((name) => checks[name]?.ok === false) && checks
          },
          boundMs,
        )
        if (fails.includes('selfTest')) assert.match(checks.selfTest?.detail ?? '', says)
        for (const name of fails) assert.match(checks[name]?.since ?? '', /^20\d\d-/)
        for (const name of ['store', 'integrity', 'listeners']) assert.equal(checks[name]?.ok, true, name)
      } finally {
        await service.stop()
        rmSync(folder, { recursive: true })
      }
    })
  }
})

it('a self-test is seen by nobody: no exporter, no event, no flow, no address', async () => {
  const service = await startService(undefined, { env: { FLOODGAUGE_LOG_LEVEL: 'error' } })
  const sender = await flowSender(service.flowAddresses[0])
  try {
    // Collectors report what they have counted once a second.
    const text = await until('its datagrams are counted', async () => {
      const metrics = await metricsOf(service.url)
      return metricSum(metrics, 'floodgauge_simulated_datagrams_total', 'result="counted"') >= 3 && metrics
    })
    assert.equal(metricSum(text, 'floodgauge_selftest_runs_total', 'result="found"'), 3)
    for (const name of [
      'floodgauge_ingest_exporters',
      'floodgauge_ingest_packets_total',
      'floodgauge_ingest_streams',
      'floodgauge_watched_addresses',
      'floodgauge_detect_tracked_targets',
      'floodgauge_detect_incidents_total',
      'floodgauge_fold_flows_total',
      'floodgauge_series_points_total',
      'floodgauge_simulations_total',
    ]) {
      assert.equal(metricSum(text, name), 0, name)
    }
    const { checks } = await readinessOf(service.url)
    assert.match(checks.flows?.detail ?? '', /^no datagram yet$/)
  } finally {
    await sender.close()
    await service.stop()
  }
})
