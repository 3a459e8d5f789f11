// Moves exports in time: rewrites the times of a datagram's header and the absolute times of its records in place, so that a capture can be sent
// as if it were of today. Follows templates as the decoder does.

import {
  type Dialect,
  ipfixSets,
  netflow9Sets,
  placeAt,
  placeLength,
  type SetHandler,
  variableFieldAt,
  walkSets,
} from '../formats/sets.ts'
import { registry } from './choice.ts'
import type { Encoding } from './copy.ts'
import type { TemplateFields } from './template.ts'

/** Most templates or exporters that are kept: beyond them all are learnt again. */
const knownMax = 65_536

interface TimeField {
  encoding: Encoding | undefined
}

interface TimeTemplate {
  lengths: readonly number[]
  /** By field; undefined: no absolute time. */
  times: readonly (TimeField | undefined)[]
  lengthMin: number
}

const timeColumns: readonly string[] = ['startMs', 'endMs', 'bootMs']
const ntpEpochSeconds = 2_208_988_800n

/** Where a header has its seconds, by version. sFlow has none. */
const secondsAt: Record<number, number> = { 5: 8, 9: 8, 10: 4 }

export class Rebaser {
  readonly #templates = new Map<string, TimeTemplate>()
  /** By exporter. */
  readonly #shifts = new Map<string, number>()
  /** Clock offset of the current exporter, whole seconds as in headers. */
  #shiftMs = 0

  /**
   * `exporter`: whatever tells one socket of an exporter from another. Its clock is set by its first datagram, which was exported at `nowMs`; all
   * later ones keep their distance from it.
   */
  rebase(view: DataView, exporter: string, nowMs: number): void {
    if (view.byteLength < 16) return
    const version = view.getUint16(0)
    if (!Object.hasOwn(secondsAt, version)) return
    if (this.#shifts.size >= knownMax) this.#shifts.clear()
    this.#shiftMs = this.#shifts.get(exporter) ?? (Math.floor(nowMs / 1000) - view.getUint32(secondsAt[version])) * 1000
    this.#shifts.set(exporter, this.#shiftMs)
    if (version === 5) this.#moveSeconds(view, 8)
    else if (version === 9 && view.byteLength >= 20) {
      this.#moveSeconds(view, 8)
      this.#sets(view, 20, view.byteLength, netflow9Sets, `${exporter} 9 ${view.getUint32(16)}`)
    } else if (version === 10) {
      this.#moveSeconds(view, 4)
      const end = Math.min(view.getUint16(2), view.byteLength)
      this.#sets(view, 16, end, ipfixSets, `${exporter} 10 ${view.getUint32(12)}`)
    }
  }

  #sets(view: DataView, at: number, end: number, dialect: Dialect, domain: string): void {
    const handler: SetHandler = {
      isNewTemplate: () => true,
      onTemplate: (id, fields) => this.#learn(`${domain} ${id}`, fields),
      onData: (id, dataAt, dataEnd) => {
        const template = this.#templates.get(`${domain} ${id}`)
        if (template?.times.some((time) => time !== undefined)) this.#records(view, dataAt, dataEnd, template)
      },
      onRefusedTemplate: () => {},
      onWithdrawal: () => {},
      onUnknownSet: () => {},
      onTruncated: () => {},
      onMalformed: () => {},
    }
    walkSets(view, at, end, dialect, handler)
  }

  #learn(key: string, { keys, lengths }: TemplateFields): void {
    if (this.#templates.size >= knownMax) this.#templates.clear()
    const times = keys.map((elementKey) => {
      const element = registry.get(elementKey)
      if (element === undefined || element.basis !== undefined) return undefined
      return timeColumns.includes(element.column) ? { encoding: element.encoding } : undefined
    })
    const lengthMin = lengths.reduce((sum, length) => sum + (length === 65_535 ? 1 : length), 0)
    this.#templates.set(key, { lengths, times, lengthMin })
  }

  #records(view: DataView, at: number, end: number, { lengths, times, lengthMin }: TimeTemplate): void {
    while (at + lengthMin <= end) {
      for (let field = 0; field < lengths.length; field++) {
        const found = variableFieldAt(view, at, end, lengths[field])
        if (found < 0) return
        const length = placeLength(found)
        at = placeAt(found)
        const time = times[field]
        if (time !== undefined) this.#moveTime(view, at, length, time)
        at += length
      }
    }
  }

  #moveTime(view: DataView, at: number, length: number, { encoding }: TimeField): void {
    if (encoding === 'seconds' && length === 4) this.#moveSeconds(view, at)
    if (encoding === 'seconds' || length !== 8) return
    const value = view.getBigUint64(at)
    // Zero stands for no time.
    if (value === 0n) return
    const shiftMs = BigInt(this.#shiftMs)
    const isNtp = encoding !== undefined && value >> 32n >= ntpEpochSeconds
    const perMs = encoding === 'ntpNano' ? 1_000_000n : encoding === 'ntpMicro' ? 1_000n : 1n
    view.setBigUint64(at, BigInt.asUintN(64, value + (isNtp ? (shiftMs / 1000n) << 32n : shiftMs * perMs)))
  }

  #moveSeconds(view: DataView, at: number): void {
    view.setUint32(at, view.getUint32(at) + this.#shiftMs / 1000)
  }
}
