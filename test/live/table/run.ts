// The table of attacks by exporters: every attack over one wire, on which all exporters sit, each with a service of its own; two hours later, what each
// service says, beside what was on the wire and what nfdump made of the same export. A watch looks on at each service all the time. It needs root and the
// packages of .ci/run. Run: node test/live/table/run.ts [--seconds 7200] [--only TEXT] [--out FILE], or --from FILE to print what was recorded.
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatIpv4 } from '../../../src/net/ipv4.ts'
import { Lab } from '../wire/lab.ts'
import { totals } from '../wire/nfdump.ts'
import { startBridge } from '../wire/open-vswitch.ts'
import { type Attack, attacks, rangeOf } from './attacks.ts'
import { tableExporters } from './exporters.ts'
import { Observer } from './observer.ts'
import { type Account, type Recorded, sum } from './outcome.ts'
import { tableOf } from './report.ts'
import { Sending } from './sending.ts'
import { type Amount, Wire } from './wire.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '7200' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'table.json' },
    from: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
/** Before the first attack: everything is up. */
const leadMs = 3_000
/** When services are stopped that are to be, after the beginning: no attack goes on then. Seconds. */
const restartAt = 870
const saveEveryMs = 600_000
/** Packets may be seen so long before and after they were to be sent. */
const aroundMs = 2_000

if (values.from !== undefined) print(JSON.parse(readFileSync(values.from, 'utf8')))
else await run()

async function run(): Promise<void> {
  const lab = new Lab(0, ['20.159.0.1'])
  const bridge = await startBridge(lab, lab.folder)
  const sending = new Sending(lab, bridge.name)
  sending.prepare()
  const wire = new Wire(lab)
  const observers = tableExporters.map((exporter, number) => new Observer(exporter, { lab, bridge, number, seconds }))
  for (const observer of observers) await observer.start()
  const beginMs = Date.now() + leadMs
  const endMs = beginMs + seconds * 1_000
  const chosen = attacks.filter(
    ({ name, spans }) => name.includes(values.only) && spans.every(([, to]) => to <= seconds),
  )
  sending.startOrdinary(seconds)
  say(`${chosen.length} attacks, ${observers.length} exporters, until ${new Date(endMs).toISOString()}`)

  const sent = Promise.all(
    chosen.map((attack) => sending.send(attack, beginMs).then(() => say(`${attack.name}: sent`))),
  )
  const restarted = restart(observers, beginMs)
  const save = async (withNfdump: boolean) => {
    const recorded = await record(chosen, { observers, wire, beginMs, withNfdump })
    writeFileSync(values.out, JSON.stringify(recorded))
    return recorded
  }
  for (let nextMs = beginMs + saveEveryMs; Date.now() < endMs; nextMs += saveEveryMs) {
    await sleep(Math.max(0, Math.min(nextMs, endMs) - Date.now()))
    await save(false)
  }
  await Promise.all([sent, restarted, ...observers.map((observer) => observer.watchEnds(60_000))])
  print(await save(true))
  for (const observer of observers) await observer.stop()
  await wire.stop()
  await lab.close()
}

async function restart(observers: readonly Observer[], beginMs: number): Promise<void> {
  if (restartAt >= seconds) return
  await sleep(Math.max(0, beginMs + restartAt * 1_000 - Date.now()))
  for (const observer of observers.filter(({ exporter }) => exporter.isRestarted)) {
    await observer.restart()
    say(`${observer.exporter.name}: restarted`)
  }
}

interface Sources {
  observers: readonly Observer[]
  wire: Wire
  beginMs: number
  /** nfdump is asked for minutes, in which nobody listens to the exporters. */
  withNfdump: boolean
}

async function record(chosen: readonly Attack[], { observers, wire, beginMs, withNfdump }: Sources): Promise<Recorded> {
  const recorded: Recorded = { beginMs, attacks: chosen.map(({ name }) => name), wire: {}, accounts: {} }
  const windows = ({ spans }: Attack) =>
    spans.map(([from, to]) => [beginMs + from * 1_000 - aroundMs, beginMs + to * 1_000 + aroundMs] as const)
  for (const attack of chosen)
    recorded.wire[attack.name] = sum(windows(attack).map((window) => wire.sum(rangeOf(attack.victims), window)))
  for (const observer of observers) {
    const account: Account = {
      reports: await twice(() => observer.events()),
      toldMs: Object.fromEntries(observer.toldMs),
      nfdump: {},
      watched: observer.watched,
    }
    recorded.accounts[observer.exporter.name] = account
  }
  if (!withNfdump) return recorded
  for (const { exporter, records } of observers)
    for (const attack of chosen)
      recorded.accounts[exporter.name].nfdump[attack.name] = sum(
        windows(attack).map((window) => nfdumpOf(records, attack.victims, window)),
      )
  return recorded
}

/** Asks again when the service had just closed a connection that was idle. */
async function twice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch {
    return await ask()
  }
}

function nfdumpOf(records: string, victims: string, [fromMs, toMs]: readonly [number, number]): Amount {
  const filter = victims.includes('/') ? `dst net ${victims}` : `dst ip ${formatIpv4(rangeOf(victims).first)}`
  const { packets, bytes } = totals(records, filter, ['-t', `${localTime(fromMs)}-${localTime(toMs)}`])
  return { packets, bytes }
}

/** As nfdump reads a time. */
function localTime(ms: number): string {
  const date = new Date(ms)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('/')
  return `${day}.${[two(date.getHours()), two(date.getMinutes()), two(date.getSeconds())].join(':')}`
}

function print(recorded: Recorded): void {
  const chosen = attacks.filter(({ name }) => recorded.attacks.includes(name))
  process.stdout.write(tableOf(chosen, tableExporters, recorded))
}

function say(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`)
}
