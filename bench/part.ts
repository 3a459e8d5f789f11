// How smoothly the console scrolls through 100,000 events and 10,000 sites while ten events a second change, and how soon the page of an event
// can be used: a browser against the real service. Run: node bench/console.ts [events]

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ManualClock } from '../src/clock.ts'
import { parseIpv4 } from '../src/net/ipv4.ts'
import { storeFileOf } from '../src/store/data-directory.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import { eventOf } from '../test/helpers/api.ts'
import { addEvents } from '../test/helpers/events.ts'
import { type FlowSender, flowSender, synFlood } from '../test/helpers/flows.ts'
import { floodgauge, startService } from '../test/helpers/service.ts'
import messages from '../web/messages/en.json' with { type: 'json' }
import { percentile } from './load/http.ts'

const eventsDefault = 100_000
const sitesCount = 10_000
const monthMs = 29 * 86_400_000
const password = 'correct horse battery'
const email = 'ann@example.net'
/** Fifty networks of 200 sites, each with one that is attacked: an attack that goes on is reported every five seconds. */
const hosts = Array.from({ length: sitesCount }, (_, i) => `198.18.${Math.floor(i / 200)}.${i % 200}`)
const victims = hosts.filter((_, i) => i % 200 === 7)
const frameMs = 1000 / 60
const loadsCount = 20

async function fill(folder: string, eventsCount: number): Promise<void> {
  const service = await startService({ netflow: 0, ipfix: 0, sflow: 0 }, { dataFolder: folder })
  const code = new URL(service.setupUrl).searchParams.get('code')
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password, code })
  const answer = await fetch(`${service.url}/api/v1/setup`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
  await service.stop()
  await floodgauge('user', 'set', email, '--quota', String(sitesCount), '--data', folder)
  const now = Date.now()
  const store = await openSqliteStore(storeFileOf(folder), { clock: new ManualClock(now - monthMs) })
  const [user] = await store.listUsers()
  await store.addSites(user.id, hosts, now)
  for (let at = 0; at < eventsCount; at += 5_000) {
    const events = Array.from({ length: 5_000 }, (_, i) => {
      const createdMs = now - monthMs + Math.floor(((at + i) * monthMs) / eventsCount)
      const site = hosts[(at + i) % sitesCount]
      const address = parseIpv4(site) ?? 0
      return eventOf(user.id, at + i, { createdMs, startMs: createdMs, endMs: createdMs + 60_000, address, site })
    })
    await addEvents(store, events)
  }
  await store.close()
}

/** The times between frames, in ms, while the page is scrolled by `step` pixels a frame, for `frames` frames. */
async function framesOf(page: Page, step: number, frames: number): Promise<number[]> {
  const measured: unknown = await page.evaluate(`new Promise((resolve) => {
    const times = []
    let last = performance.now()
    const next = () => {
      const now = performance.now()
      times.push(now - last)
      last = now
      window.scrollBy(0, ${step})
      if (times.length < ${frames}) requestAnimationFrame(next)
      else resolve(times.slice(1))
    }
    requestAnimationFrame(next)
  })`)
  return Array.isArray(measured) ? measured.map(Number) : []
}

function tell(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  const [median, p95, p99] = [50, 95, 99].map((p) => percentile(sorted, p / 100).toFixed(1))
  const late = times.filter((time) => time > 1.5 * frameMs).length
  console.log(
    `${what}: ms a frame ${median} (p95 ${p95}, p99 ${p99}), ${((100 * late) / times.length).toFixed(1)} % late`,
  )
}

async function attack(sender: FlowSender, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    for (const victim of victims) await sender.send(synFlood(victim, 20, 1_000))
    await delay(1_000)
  }
}


const folder = mkdtempSync(join(tmpdir(), 'floodgauge-bench-'))
try {
  await fill(folder, 5000)
  const service = await startService({ netflow: 0, ipfix: 0, sflow: 0 }, { dataFolder: folder })
  const sender = await flowSender(service.flowAddresses[0])
  const stop = new AbortController()
  const attacks = attack(sender, stop.signal)
  console.log(JSON.stringify({ url: service.url }))
  await new Promise((resolve) => process.stdin.resume().on('end', resolve))
  stop.abort()
  await attacks
  await sender.close()
  await service.stop()
} finally {
  rmSync(folder, { recursive: true })
}
