// Captured exports, played through the service on a clock of their own time, and watched from before the first event to an hour after the last was closed.
// Run: node test/robustness/watch/captures.ts --watch HOSTS [--sampling N] [--restarts N] [--every SECONDS] FILE...
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { it, type TestContext } from 'node:test'
import { parseArgs } from 'node:util'
import { type Breach, Watch } from '../../../scripts/watch/watch.ts'
import { parseHostRecord } from '../../../src/access/host-record.ts'
import { sealEveryMs } from '../../../src/aggregate/seal-schedule.ts'
import type { WatchedHost } from '../../../src/cli/detect/event-lines.ts'
import { readCapture } from '../../../src/collect/capture/reader.ts'
import { ServiceLab } from '../../helpers/labs/service.ts'

/** While nothing goes on, looks are so far apart. */
const idleMs = 60_000
/** What is left to happen when a capture is over begins within so long. */
const tailMs = 180_000
/** An hour after a closing, and some looks. */
const afterClosingMs = 3_600_000 + 3 * idleMs
/** A restart takes so long; what exporters send meanwhile is lost. Seconds. */
const downSeconds = 8

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    watch: { type: 'string', default: '' },
    sampling: { type: 'string', default: '0' },
    restarts: { type: 'string', default: '0' },
    every: { type: 'string', default: '5' },
  },
})
const sites = values.watch.split(',').map(siteOf)
const [sampling, restarts, everyMs] = [Number(values.sampling), Number(values.restarts), Number(values.every) * 1_000]

function siteOf(text: string): WatchedHost {
  const parsed = parseHostRecord(text)
  if (!parsed.ok) throw new Error(`--watch: ${text}: ${parsed.reason}`)
  if (parsed.kind === 'fqdn' || parsed.kind === 'wildcard') throw new Error(`--watch: ${text} is a name`)
  return parsed
}

async function spanOf(file: string): Promise<{ firstMs: number; lastMs: number }> {
  const span = { firstMs: Number.POSITIVE_INFINITY, lastMs: 0 }
  for await (const { timeMs } of readCapture(file)) {
    span.firstMs = Math.min(span.firstMs, Math.floor(timeMs / 1_000) * 1_000)
    span.lastMs = Math.max(span.lastMs, timeMs)
  }
  return span
}

/** Looks as often as there is something to see. */
class Looks {
  readonly #lab: ServiceLab
  readonly watch: Watch
  readonly breaches: Breach[] = []
  #lookedMs = 0
  #isOn = false
  /** When there was an event last that was not closed. */
  unclosedMs = 0

  constructor(lab: ServiceLab) {
    this.#lab = lab
    this.watch = new Watch({
      ask: (path) => lab.ask(path),
      now: () => lab.nowMs,
      messages: () => lab.messages(),
      retentionMs: 400 * 86_400_000,
      onBreach: (breach) => this.breaches.push(breach),
    })
  }

  async look(): Promise<void> {
    const { nowMs } = this.#lab
    if (nowMs - this.#lookedMs < (this.#isOn ? everyMs : Math.min(idleMs, 6 * everyMs))) return
    this.#lookedMs = nowMs
    await this.watch.look()
    const listed = [...(this.watch.latest?.listed.values() ?? [])]
    this.#isOn = listed.some(({ state }) => state === 'open')
    if (listed.some(({ phase }) => phase !== 'closed')) this.unclosedMs = nowMs
  }
}

async function watched(t: TestContext, file: string): Promise<Looks> {
  const { firstMs, lastMs } = await spanOf(file)
  const lab = await ServiceLab.start(t, { fromMs: firstMs, sites, sampling })
  const looks = new Looks(lab)
  const restartsAt = Array.from(
    { length: restarts },
    (_, i) => firstMs + ((i + 1) * (lastMs - firstMs)) / (restarts + 1),
  )
  let downUntilMs = 0
  const runTo = async (ms: number) => {
    for (;;) {
      const nextMs = (Math.floor(lab.nowMs / sealEveryMs) + 1) * sealEveryMs
      if (nextMs > ms) return
      await lab.until(nextMs)
      if (nextMs % 1_000 !== 0) continue
      if (nextMs >= (restartsAt[0] ?? Number.POSITIVE_INFINITY)) {
        restartsAt.shift()
        await lab.restart(downSeconds)
        downUntilMs = lab.nowMs
      }
      await looks.look()
    }
  }
  for await (const datagram of readCapture(file)) {
    await runTo(datagram.timeMs)
    if (datagram.timeMs >= downUntilMs) lab.receive(datagram)
  }
  await runTo(lastMs + tailMs)
  while (lab.nowMs <= looks.unclosedMs + afterClosingMs) await runTo(lab.nowMs + idleMs)
  return looks
}

for (const file of files)
  it(file, async (t) => {
    const { watch, breaches } = await watched(t, file)
    const { looks, events, reads, unsteady, checks } = watch.counted
    t.diagnostic(
      `${basename(file)}: ${events} events, ${looks} looks, ${reads} reads (${unsteady} unsteady), ${checks} checks, ${breaches.length} breaches`,
    )
    const told = breaches.map(({ atMs, rule, id, text }) => `${new Date(atMs).toISOString()} ${rule} ${id}: ${text}`)
    assert.equal(told.slice(0, 100).join('\n'), '')
  })
