// Traces in stored form: a blob for each, little-endian. It is checked when it is read, since a disk may have changed it.
//
//   version 1 | 1: learnt, 2: judged | limits 4 x 4: packets, bytes, flows, sensitivity | attacks 1 | then for each its first and last second 4 + 4, the
//   length of its id 1 and the id, the length of its label 1 (255: none) and the label | classes 1 | then for each its key 4 (vectors/class-keys.ts), its
//   normal 4 x 4: level, mean, spread, packet length | steps with traffic as bits 1 | for each of them packets, bytes, flows, observed 4 x 4, marks of
//   sources and ports 4 + 4, seconds with made-up sources 1
import type { ClassKeys } from '../../vectors/class-keys.ts'
import { stepSeconds, stepsPerTrace, type Trace, type TraceClass, type TracedAttack, type TraceStep } from './trace.ts'

/** A trace as it is sent and stored. */
export interface SavedTrace {
  address: number
  length: number
  /** Where it begins, Unix time. */
  second: number
  octets: Uint8Array
}

const version = 1
const [learntBit, judgedBit] = [1, 2]
const noLabel = 255
const stepOctets = 4 * 4 + 4 + 4 + 1
const classOctets = 4 + 4 * 4 + 1

export function encodeTrace(trace: Trace, keys: ClassKeys): SavedTrace {
  const { address, length, second, learnt, judged, limits, classes, attacks } = trace
  const sizeOfAttack = ({ id, label }: TracedAttack) => 4 + 4 + 1 + id.length + 1 + (label?.length ?? 0)
  const sizeOfClass = ({ steps }: TraceClass) => classOctets + stepOctets * steps.filter((step) => step !== null).length
  const size = [...attacks.map(sizeOfAttack), ...classes.map(sizeOfClass)].reduce((sum, each) => sum + each, 20)
  const octets = new Uint8Array(size)
  const writer = new Writer(octets)
  writer.octet(version)
  writer.octet((learnt ? learntBit : 0) + (judged ? judgedBit : 0))
  for (const limit of [limits.packets, limits.bytes, limits.flows, limits.sensitivity]) writer.float(limit)
  writer.octet(attacks.length)
  for (const { id, label, startSecond, lastSecond } of attacks) {
    writer.word(startSecond)
    writer.word(lastSecond)
    writer.text(id)
    if (label === null) writer.octet(noLabel)
    else writer.text(label)
  }
  writer.octet(classes.length)
  for (const { trafficClass, normal, steps } of classes) {
    writer.word(keys.keyOf(trafficClass))
    for (const number of [normal.level, normal.mean, normal.spread, normal.packetBytes]) writer.float(number)
    writer.octet(steps.reduce((bits, step, i) => bits + (step === null ? 0 : 2 ** i), 0))
    for (const step of steps) {
      if (step === null) continue
      for (const amount of [step.packets, step.bytes, step.flows, step.observed]) writer.float(amount)
      writer.word(step.sources)
      writer.word(step.ports)
      writer.octet(step.forgedSeconds)
    }
  }
  return { address, length, second, octets }
}

/** Null when it is damaged, or of another version. Classes that the table of vectors lacks are left out. */
export function decodeTrace({ address, length, second, octets }: SavedTrace, keys: ClassKeys): Trace | null {
  try {
    return { address, length, second, ...read(new Reader(octets), keys) }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Throws RangeError on impossible values. */
function read(reader: Reader, keys: ClassKeys): Omit<Trace, 'address' | 'length' | 'second'> {
  if (reader.octet() !== version) throw new RangeError('of another version')
  const bits = reader.octet()
  const [packets, bytes, flows, sensitivity] = [reader.limit(), reader.limit(), reader.limit(), reader.amount()]
  if (sensitivity === 0) throw new RangeError('no sensitivity')
  const attacks = Array.from({ length: reader.octet() }, (): TracedAttack => {
    const [startSecond, lastSecond] = [reader.word(), reader.word()]
    return { startSecond, lastSecond, id: reader.text(reader.octet()), label: labelOf(reader) }
  })
  const classes: TraceClass[] = []
  for (let left = reader.octet(); left > 0; left--) {
    const trafficClass = keys.classOf(reader.word())
    const [level, mean, spread] = [reader.amount(), reader.amount(), reader.amount()]
    const normal = { level, mean, spread, packetBytes: reader.amount() }
    const present = reader.octet()
    const steps = Array.from({ length: stepsPerTrace }, (_, i) => ((present >> i) & 1 ? stepFrom(reader) : null))
    if (trafficClass !== null) classes.push({ trafficClass, normal, steps })
  }
  const [learnt, judged] = [(bits & learntBit) !== 0, (bits & judgedBit) !== 0]
  return { learnt, judged, limits: { packets, bytes, flows, sensitivity }, classes, attacks }
}

function labelOf(reader: Reader): string | null {
  const length = reader.octet()
  return length === noLabel ? null : reader.text(length)
}

function stepFrom(reader: Reader): TraceStep {
  const [packets, bytes, flows, observed] = [reader.amount(), reader.amount(), reader.amount(), reader.amount()]
  const [sources, ports, forgedSeconds] = [reader.word(), reader.word(), reader.octet()]
  if (forgedSeconds > stepSeconds) throw new RangeError('more seconds than there are')
  return { packets, bytes, flows, observed, sources, ports, forgedSeconds }
}

class Writer {
  readonly #octets: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(octets: Uint8Array) {
    this.#octets = octets
    this.#view = new DataView(octets.buffer)
  }

  octet(value: number): void {
    this.#octets[this.#at++] = value
  }

  word(value: number): void {
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
  }

  float(value: number): void {
    this.#view.setFloat32(this.#at, value, true)
    this.#at += 4
  }

  /** ASCII, of less than 255 characters. */
  text(value: string): void {
    this.octet(value.length)
    for (let i = 0; i < value.length; i++) this.octet(value.charCodeAt(i))
  }
}

/** Reads past the end throw RangeError, as does a number that no trace has. */
class Reader {
  readonly #view: DataView
  #at = 0

  constructor({ buffer, byteOffset, byteLength }: Uint8Array) {
    this.#view = new DataView(buffer, byteOffset, byteLength)
  }

  octet(): number {
    return this.#view.getUint8(this.#at++)
  }

  word(): number {
    this.#at += 4
    return this.#view.getUint32(this.#at - 4, true)
  }

  amount(): number {
    const amount = this.limit()
    if (!Number.isFinite(amount)) throw new RangeError('no amount')
    return amount
  }

  limit(): number {
    this.#at += 4
    const limit = this.#view.getFloat32(this.#at - 4, true)
    // Written so that NaN is refused, too.
    if (!(limit >= 0)) throw new RangeError('no limit')
    return limit
  }

  text(length: number): string {
    let text = ''
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.octet())
    return text
  }
}
