// Datagrams of someone who means harm: exporters, domains and templates without end, more of each than a datagram should have, options that
// claim sampling, data that never gets its template, and good datagrams cut short and changed. The same for the same seed.

import { encodeMessage, type Field, type MessageHeader, type Record } from '../../../src/encode/messages.ts'
import type { Flow } from '../../helpers/encode/flow.ts'
import { Exporter } from '../../helpers/exporter.ts'
import type { Random } from '../../helpers/random.ts'

const bytesOf = (length: number, random: Random) => Uint8Array.from({ length }, () => random(256))

function headerOf(random: Random): MessageHeader {
  const version = random(2) === 0 ? 9 : 10
  return { version, nowMs: Date.now(), domain: random(2 ** 32), sequence: random(2 ** 32) }
}

function fieldsOf(count: number, random: Random): Field[] {
  return Array.from({ length: count }, () => ({ id: 1 + random(500), length: 1 + random(16) }))
}

const valuesOf = (fields: readonly Field[], random: Random) => fields.map(({ length }) => bytesOf(length, random))

/** Templates that nobody has seen before, with records. */
function newTemplates(random: Random): Uint8Array {
  const templates = Array.from({ length: 1 + random(8) }, () => ({
    id: 256 + random(65_000),
    fields: fieldsOf(1 + random(30), random),
  }))
  const records = templates.map((template): Record => ({ template, values: valuesOf(template.fields, random) }))
  return encodeMessage(headerOf(random), { templates, records })
}

/** One datagram with thousands of templates, or with one of thousands of fields. */
function hugeTemplates(random: Random): Uint8Array {
  const isLong = random(2) === 0
  const templates = isLong
    ? [{ id: 256 + random(65_000), fields: fieldsOf(15_000, random) }]
    : Array.from({ length: 4_000 }, (_, i) => ({ id: 256 + i, fields: fieldsOf(2, random) }))
  return encodeMessage(headerOf(random), { templates })
}

/** Samplers without end, and the rates that they claim. */
function options(random: Random): Uint8Array {
  const header = headerOf(random)
  const scope: Field = header.version === 9 ? { id: 1 + random(5), length: 4 } : { id: 144 + random(6), length: 4 }
  const fields = [scope, { id: 48, length: 4 }, { id: 50, length: 4 }, { id: 34, length: 4 }]
  const template = { id: 256 + random(100), scopes: 1, fields }
  const records = Array.from({ length: 60 }, (): Record => ({ template, values: valuesOf(fields, random) }))
  return encodeMessage(header, { templates: [template], records })
}

/** Data whose template never comes. */
function orphans(random: Random): Uint8Array {
  const fields = fieldsOf(4, random)
  const template = { id: 256 + random(65_000), fields }
  const records = Array.from({ length: 40 }, (): Record => ({ template, values: valuesOf(fields, random) }))
  return encodeMessage(headerOf(random), { records })
}

/** Good datagrams of every protocol; none of their addresses is watched by the test. */
function goodDatagrams(): Uint8Array[] {
  const nowMs = Date.now()
  const flows = Array.from(
    { length: 60 },
    (_, i): Flow => ({ src: `203.0.113.${i}`, dst: `198.51.100.${i}`, bytes: 500 }),
  )
  const protocols = ['netflow5', 'netflow9', 'ipfix', 'sflow5'] as const
  return protocols.flatMap((protocol) => new Exporter({ protocol, samplingRate: 10 }).datagrams(flows, nowMs))
}

function changed(datagram: Uint8Array, random: Random): Uint8Array {
  const copy = datagram.slice()
  for (let i = 0; i <= random(8); i++) copy[random(copy.length)] = random(256)
  return copy
}

/** Gives one datagram after another. */
export function hostileMix(random: Random): () => Uint8Array {
  const good = goodDatagrams()
  const anyGood = () => good[random(good.length)]
  const kinds: { share: number; make: () => Uint8Array }[] = [
    { share: 30, make: () => newTemplates(random) },
    { share: 1, make: () => hugeTemplates(random) },
    { share: 15, make: () => options(random) },
    { share: 14, make: () => orphans(random) },
    { share: 10, make: () => bytesOf(random(1_400), random) },
    { share: 15, make: () => changed(anyGood(), random) },
    { share: 15, make: () => changed(anyGood(), random).subarray(0, random(1_400)) },
  ]
  const lots = kinds.flatMap(({ share, make }) => new Array<() => Uint8Array>(share).fill(make))
  return () => lots[random(lots.length)]()
}
