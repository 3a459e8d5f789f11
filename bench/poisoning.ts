// What an attacker gains who raises what is normal before the attack, who knows the lines, and stays below them: weeks of it through the detector, ten
// seconds at a time, and the least attack that is then still seen. Run: node bench/poisoning.ts [--days N] [--only TEXT]: spells of as many days at most, and
// traffic with this in its name.
import { parseArgs } from 'node:util'
import { Value } from 'typebox/value'
import { portMark, sourceMark } from '../src/aggregate/marks.ts'
import { createCounterColumns, createRecordColumns, type SealedSlot, slotLayout } from '../src/aggregate/sealed-slot.ts'
import { Detector } from '../src/detect/detector.ts'
import { detectSettings } from '../src/detect/settings.ts'
import { TCP, UDP } from '../src/net/protocols.ts'
import { ClassKeys } from '../src/vectors/class-keys.ts'
import { classOf, compileVectors } from '../src/vectors/compile.ts'
import { vectors } from '../src/vectors/vectors.ts'
import { createRandom } from '../test/helpers/random.ts'

const { values } = parseArgs({
  options: { days: { type: 'string', default: '28' }, only: { type: 'string', default: '' } },
})
const daysMax = Number(values.days)

const settings = Value.Parse(detectSettings, Value.Default(detectSettings, {}))
const classes = compileVectors(vectors)
const { list: classKeys } = new ClassKeys(vectors)
const startSecond = 1_800_000_000
const hour = 3_600
const day = 24 * hour
const step = 10
const victim = 0xc000_020a
/** What any link carries. Packets a second. */
const ratesMost = 1e9
/** In peace before, longer than an address learns without a bound. Seconds. */
const peace = 8 * day
/** Below the line by as much. */
const caution = 0.9
const orOf = (marks: number[]) => marks.reduce((all, mark) => (all | mark) >>> 0, 0)
const sources = orOf(Array.from({ length: 200 }, (_, i) => sourceMark(0x0b00_0000 + i * 2_654_435)))

interface Kind {
  name: string
  trafficClass: number
  ports: number
  /** What the host has in peace, packets/s. */
  usual: number
  bytes: number
}

const kinds: Kind[] = [
  {
    name: 'answers of NTP servers, 1/s usual',
    trafficClass: classOf(classes, UDP, 123, 33_000, 0, 0),
    ports: portMark(123, 33_000),
    usual: 1,
    bytes: 468,
  },
  {
    name: 'SYN, 20/s usual',
    trafficClass: classOf(classes, TCP, 40_000, 443, 2, 0),
    ports: portMark(40_000, 443),
    usual: 20,
    bytes: 60,
  },
  {
    name: 'UDP of a service, 300/s usual',
    trafficClass: classOf(classes, UDP, 40_000, 9_000, 0, 0),
    ports: portMark(40_000, 9_000),
    usual: 300,
    bytes: 300,
  },
]

/** A day of visitors: least at night. */
const tideAt = (second: number) => 0.6 + 0.4 * Math.sin((2 * Math.PI * (second % day)) / day)

/** `hosts`: as many neighbours get the same. */
function slotOf(
  { trafficClass, bytes, ports }: Kind,
  second: number,
  seconds: number,
  rate: number,
  hosts = 1,
): SealedSlot {
  const counters = createCounterColumns(hosts * (seconds + 1))
  for (let host = 0; host < hosts; host++) {
    for (let i = 0; i <= seconds; i++) {
      const sign = i === 0 ? 1 : i === seconds ? -1 : 0
      const row = counters.rows++
      counters.address[row] = victim + host
      counters.trafficClass[row] = trafficClass
      counters.second[row] = second + i
      counters.packets[row] = counters.observed[row] = sign * rate
      counters.bytes[row] = sign * rate * bytes
      counters.flows[row] = (sign * rate) / 2
      if (i < seconds && rate > 3) counters.sources[row] = sources
      if (i < seconds) counters.ports[row] = ports
    }
  }
  const sealedMs = (second + seconds) * 1_000
  return { layout: slotLayout, classKeys, sealedMs, counters, records: createRecordColumns(0), exporters: [''] }
}

class Played {
  readonly kind: Kind
  readonly detector = new Detector({ settings })
  second = startSecond - (startSecond % day)
  events = 0

  constructor(kind: Kind) {
    this.kind = kind
  }

  run(seconds: number, extraAt: (second: number) => number, { every = step, hosts = 1 } = {}): this {
    for (const end = this.second + seconds; this.second < end; this.second += every) {
      const rate = this.kind.usual * tideAt(this.second) + extraAt(this.second)
      this.detector.accept(slotOf(this.kind, this.second, every, rate, hosts))
      const reports = this.detector.pass((this.second + every) * 1_000)
      this.events += reports.filter(({ phase }) => phase === 'opened').length
    }
    return this
  }

  /** The line of the class with its whole signature, packets/s. */
  get line(): number {
    const { label } = vectorOf(this.kind)
    const state = this.detector.stateOf(victim, 0).classes.find((each) => each.label === label)
    return state?.lines?.whole ?? 0
  }

  /** The least attack that is seen within a minute, of those that double; the baselines are moved to a detector of its own. */
  leastSeen(): number {
    const saved = this.detector.takeBaselines({ all: true })
    for (let attack = 50; attack < 1e8; attack *= 1.25) {
      const probe = new Played(this.kind)
      probe.second = this.second
      probe.detector.restore(saved, this.second * 1_000)
      probe.run(60, () => 0, { every: 1 }).run(60, () => attack, { every: 1 })
      if (probe.events > 0) return attack
    }
    return Number.POSITIVE_INFINITY
  }
}

function vectorOf({ trafficClass }: Kind) {
  const vector = classes.vectors[trafficClass]
  if (vector === undefined) throw new Error('no vector')
  return vector
}

interface Method {
  name: string
  days: number
  /** Whether the attacker sends now. */
  isOn: (second: number, random: number) => boolean
  hosts?: number
}

const methods: Method[] = [
  { name: 'always, just below the line', days: 0.25, isOn: () => true },
  { name: 'always, just below the line', days: 1, isOn: () => true },
  { name: 'always, just below the line', days: 7, isOn: () => true },
  { name: 'always, just below the line', days: 28, isOn: () => true },
  { name: 'an hour a day, the same', days: 28, isOn: (second) => second % day < hour },
  { name: 'five minutes of every 25, at random', days: 28, isOn: (_, random) => random < 0.2 },
  { name: 'always, to 64 addresses of the /24', days: 7, isOn: () => true, hosts: 64 },
]

console.log(
  '| traffic | what the attacker sends | for | events | line, packets/s | least attack that is seen, packets/s |',
)
console.log('|---|---|---|---|---|---|')
for (const kind of kinds.filter(({ name }) => name.includes(values.only))) {
  const quiet = new Played(kind).run(peace, () => 0)
  const [line, least] = [quiet.line, quiet.leastSeen()]
  for (const { name, days, isOn, hosts = 1 } of methods) {
    if (days > daysMax) continue
    const random = createRandom(1)
    const played = new Played(kind).run(peace, () => 0, { hosts })
    let rate = 0
    let isSending = false
    played.run(
      days * day,
      (second) => {
        if (second % 300 === 0) {
          isSending = isOn(second, random(1_000) / 1_000)
          rate = Math.min(ratesMost, Math.max(0, caution * played.line - kind.usual * tideAt(second)))
        }
        return isSending ? rate : 0
      },
      { hosts },
    )
    const of = (before: number, after: number) => `${round(before)} → ${round(after)}`
    const row = [kind.name, name, spanOf(days), played.events, of(line, played.line), of(least, played.leastSeen())]
    console.log(`| ${row.join(' | ')} |`)
  }
}

function spanOf(days: number): string {
  return days < 1 ? `${days * 24} hours` : days === 1 ? 'a day' : `${days} days`
}

function round(value: number): string {
  return value < 1e6 ? Math.round(value).toLocaleString('en') : value.toExponential(0)
}
