// Signatures of DNS messages by a shared key (TSIG, RFC 8945): a request is signed, and every answer to it checked, one of several messages
// included, of which some need not be signed. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readName, types, type WireMessage, type WireRecord, wireForm } from './wire.ts'

//  TSIG data: algorithm name, time signed (48 bits), fudge (16), MAC size (16), MAC, original id (16), error (16), other size (16), other

export const tsigAlgorithms = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const
export type TsigAlgorithm = (typeof tsigAlgorithms)[number]

export interface TsigKey {
  /** Canonical. */
  name: string
  algorithm: TsigAlgorithm
  secret: Buffer
}

interface Tsig {
  algorithm: string | null
  timeSigned: number
  fudge: number
  mac: Buffer
  originalId: number
  error: number
  other: Buffer
}

const classAny = 255
const fudgeSeconds = 300
/** Messages in a row that need not be signed (RFC 8945 section 5.3.1). */
const unsignedMax = 99

/** The request with its signature, and what checks the answers to it. */
export function signRequest(
  request: Buffer,
  key: TsigKey,
  nowSeconds: number,
): { message: Buffer; answers: SignedAnswers } {
  const variables = { timeSigned: nowSeconds, fudge: fudgeSeconds, error: 0, other: Buffer.alloc(0) }
  const mac = hmac(key, [request, encodeVariables(key, variables)])
  const data = Buffer.concat([
    wireForm(key.algorithm),
    encodeTime(variables),
    uint16(mac.length),
    mac,
    request.subarray(0, 2),
    uint16(0),
    uint16(0),
  ])
  const record = Buffer.concat([
    wireForm(key.name),
    uint16(types.TSIG),
    uint16(classAny),
    Buffer.alloc(4),
    uint16(data.length),
    data,
  ])
  const message = Buffer.concat([request, record])
  message.writeUInt16BE(request.readUInt16BE(10) + 1, 10)
  return { message, answers: new SignedAnswers(key, mac) }
}

/** The answers to one request, in order. */
export class SignedAnswers {
  readonly #key: TsigKey
  /** The code of the last signed message. */
  #mac: Buffer
  /** The messages since then. */
  #unsigned: Buffer[] = []
  #isFirst = true

  constructor(key: TsigKey, requestMac: Buffer) {
    this.#key = key
    this.#mac = requestMac
  }

  /** Whether the last message of all, too, is signed. */
  get isComplete(): boolean {
    return !this.#isFirst && this.#unsigned.length === 0
  }

  /** False: the message is not what the other end signed. `read`: the message, as it was read. */
  take(message: Buffer, read: WireMessage, nowSeconds: number): boolean {
    const record = tsigRecord(read)
    if (record === null) {
      this.#unsigned.push(message)
      return !this.#isFirst && this.#unsigned.length <= unsignedMax
    }
    const tsig = decodeTsig(message, record)
    const isForm = record.class === classAny && record.ttlSeconds === 0
    const isOurs = record.name === this.#key.name && tsig?.algorithm === this.#key.algorithm
    if (tsig === null || !isForm || !isOurs || tsig.error !== 0) return false
    const stripped = Buffer.from(message.subarray(0, record.at))
    stripped.writeUInt16BE(tsig.originalId, 0)
    stripped.writeUInt16BE(read.additionals - 1, 10)
    const mac = hmac(this.#key, [
      uint16(this.#mac.length),
      this.#mac,
      ...this.#unsigned,
      stripped,
      this.#isFirst ? encodeVariables(this.#key, tsig) : encodeTime(tsig),
    ])
    const isRight = tsig.mac.length === mac.length && timingSafeEqual(tsig.mac, mac)
    this.#mac = mac
    this.#unsigned = []
    this.#isFirst = false
    return isRight && Math.abs(nowSeconds - tsig.timeSigned) <= tsig.fudge
  }
}

/** Whether the other end says that it does not accept the signature. */
export function refusesSignature(message: Buffer, read: WireMessage): boolean {
  const record = tsigRecord(read)
  return record !== null && (decodeTsig(message, record)?.error ?? 0) !== 0
}

function tsigRecord({ last, additionals }: WireMessage): WireRecord | null {
  return last !== null && additionals > 0 && last.type === types.TSIG ? last : null
}

function decodeTsig(message: Buffer, { dataAt, end }: WireRecord): Tsig | null {
  const algorithm = readName(message, dataAt)
  if (algorithm === null || algorithm.end + 10 > end) return null
  const at = algorithm.end
  const macEnd = at + 10 + message.readUInt16BE(at + 8)
  if (macEnd + 6 > end || macEnd + 6 + message.readUInt16BE(macEnd + 4) !== end) return null
  return {
    algorithm: algorithm.text,
    timeSigned: message.readUIntBE(at, 6),
    fudge: message.readUInt16BE(at + 6),
    mac: message.subarray(at + 10, macEnd),
    originalId: message.readUInt16BE(macEnd),
    error: message.readUInt16BE(macEnd + 2),
    other: message.subarray(macEnd + 6, end),
  }
}

type Variables = Pick<Tsig, 'timeSigned' | 'fudge' | 'error' | 'other'>

/** RFC 8945 section 4.3.3. */
function encodeVariables({ name, algorithm }: TsigKey, variables: Variables): Buffer {
  const { error, other } = variables
  return Buffer.concat([
    wireForm(name),
    uint16(classAny),
    Buffer.alloc(4),
    wireForm(algorithm),
    encodeTime(variables),
    uint16(error),
    uint16(other.length),
    other,
  ])
}

function encodeTime({ timeSigned, fudge }: Pick<Variables, 'timeSigned' | 'fudge'>): Buffer {
  const octets = Buffer.alloc(8)
  octets.writeUIntBE(timeSigned, 0, 6)
  octets.writeUInt16BE(fudge, 6)
  return octets
}

function hmac({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  const made = createHmac(algorithm.slice('hmac-'.length), secret)
  for (const part of parts) made.update(part)
  return made.digest()
}

function uint16(value: number): Buffer {
  const octets = Buffer.alloc(2)
  octets.writeUInt16BE(value)
  return octets
}
