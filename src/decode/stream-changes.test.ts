import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Decoded, decodeAll, exportedMs } from '../../test/helpers/decoded.ts'
import { optionsOf, recordOf, templateOf } from '../../test/helpers/encode/records.ts'
import { encodeMessage, type MessageHeader, type MessageParts } from '../encode/messages.ts'
import { checkSaved, type SavedStream, type StreamChange } from './saved-streams.ts'
import { StreamChanges } from './stream-changes.ts'

const ipfix = (parts: MessageParts, header: Partial<MessageHeader> = {}) =>
  encodeMessage({ version: 10, nowMs: exportedMs, ...header }, parts)
const netflow9 = (parts: MessageParts, header: Partial<MessageHeader> = {}) => ipfix(parts, { version: 9, ...header })

const flows = templateOf(256, [1, 4])
const flow = recordOf(flows, 1)
const told = optionsOf(300, 10, [34, 4, 100])
const definitions = [flows, told.template]

function watched(options = {}) {
  const decoded = decodeAll([], options)
  return { decoded, changes: new StreamChanges(decoded.decoder.streams) }
}

/** What a store would hold after these changes. */
function savedFrom(changes: readonly StreamChange[]): SavedStream[] {
  return changes.map((change) => ({ ...change, templates: change.templates ?? [] }))
}

/** A decoder that starts with what another one has saved. */
function restarted(saved: readonly SavedStream[], options = {}): Decoded {
  const decoded = decodeAll([], options)
  decoded.decoder.streams.restore(checkSaved(saved, 0).streams)
  return decoded
}

const all = Number.POSITIVE_INFINITY

describe('what is known of streams', () => {
  it('is used after a restart: templates, sampling and the start', () => {
    for (const encode of [ipfix, netflow9]) {
      const version = encode === ipfix ? 10 : 9
      const rate = optionsOf(300, version, [34, 4, 100])
      const { decoded, changes } = watched()
      decodeAll([encode({ templates: [flows, rate.template], records: [rate, flow] })], { into: decoded })
      const after = restarted(savedFrom(changes.take(all)))
      decodeAll([encode({ records: [recordOf(flows, 7)] })], { into: after })
      assert.deepEqual(
        after.records.map(({ bytes, samplingRate }) => [bytes, samplingRate]),
        [[7, 100]],
      )
      assert.equal(after.decoder.streams.list[0]?.counters.setsWithoutTemplate, 0)
    }
  })

  it('includes when an IPFIX exporter started, for times that count from there', () => {
    const boot = optionsOf(300, 10, [160, 8, exportedMs - 3_600_000])
    const uptimes = templateOf(256, [22, 4], [21, 4])
    const { decoded, changes } = watched()
    decodeAll([ipfix({ templates: [uptimes, boot.template], records: [boot, recordOf(uptimes, 1, 2)] })], {
      into: decoded,
    })
    const after = restarted(savedFrom(changes.take(all)))
    decodeAll([ipfix({ records: [recordOf(uptimes, 3_590_000, 3_595_000)] })], { into: after })
    assert.equal(after.records[0].endMs, exportedMs - 5_000)
  })

  it('is of the same socket and domain only', () => {
    const { decoded, changes } = watched()
    decodeAll([ipfix({ templates: definitions, records: [told, flow] })], { into: decoded })
    for (const other of [{ port: 7 }, { address: '192.0.2.9' }]) {
      const after = restarted(savedFrom(changes.take(all)))
      decodeAll([ipfix({ records: [recordOf(flows, 7)] })], { into: after, ...other })
      assert.equal(after.records.length, 0)
    }
  })

  it('is of no use when a NetFlow v9 exporter has restarted as well: its data waits', () => {
    const { decoded, changes } = watched()
    decodeAll([netflow9({ templates: [flows], records: [flow] })], { into: decoded })
    const after = restarted(savedFrom(changes.take(all)))
    const bootMs = exportedMs - 10_000
    decodeAll([netflow9({ records: [recordOf(flows, 7)] }, { bootMs })], { into: after })
    assert.equal(after.records.length, 0)
    assert.equal(after.decoder.counters.templatesOutdated, 1)
    decodeAll([netflow9({ templates: [flows] }, { bootMs })], { into: after })
    assert.equal(after.records.length, 1)
  })

  it('is told once, and again when it changes', () => {
    const { decoded, changes } = watched()
    const define = ipfix({ templates: definitions, records: [told, recordOf(flows, 1)] })
    decodeAll([define], { into: decoded })
    const [first, ...none] = changes.take(all)
    assert.deepEqual([first.templates?.map(({ id }) => id), none], [[256, 300], []])
    decodeAll([define], { into: decoded })
    assert.deepEqual(changes.take(all), [])
    const changed = templateOf(256, [1, 8])
    decodeAll([ipfix({ templates: [changed], records: [recordOf(changed, 1)] })], { into: decoded })
    assert.deepEqual(
      changes.take(all).map(({ templates }) => templates?.map(({ id, octets }) => [id, octets.at(-1)])),
      [
        [
          [300, 4],
          [256, 8],
        ],
      ],
    )
    decodeAll([ipfix({ withdrawals: [256] })], { into: decoded })
    assert.deepEqual(
      changes.take(all).map(({ templates }) => templates?.map(({ id }) => id)),
      [[300]],
    )
    decodeAll([ipfix({ records: [{ ...told, values: [0, 200] }] })], { into: decoded })
    assert.deepEqual(
      changes.take(all).map(({ sampling }) => sampling),
      [[{ scope: 'exporter', rate: 200 }]],
    )
  })

  it('no longer includes a template that has changed, also before data comes for the new one', () => {
    const { decoded, changes } = watched()
    decodeAll([ipfix({ templates: [flows], records: [flow] })], { into: decoded })
    changes.take(all)
    decodeAll([ipfix({ templates: [templateOf(256, [1, 8])] })], { into: decoded })
    assert.deepEqual(
      changes.take(all).map(({ templates }) => templates),
      [[]],
    )
  })

  it('is told again now and then while the stream sends', () => {
    const { decoded, changes } = watched()
    decodeAll([ipfix({ templates: definitions, records: [flow] })], { into: decoded })
    changes.take(all)
    decodeAll([ipfix({ records: [recordOf(flows, 1)] })], { into: decoded, receivedMs: exportedMs + 599_000 })
    assert.deepEqual(changes.take(all), [])
    decodeAll([ipfix({ records: [recordOf(flows, 1)] })], { into: decoded, receivedMs: exportedMs + 600_000 })
    assert.deepEqual(
      changes.take(all).map(({ seenMs, templates }) => [seenMs, templates]),
      [[exportedMs + 600_000, null]],
    )
  })

  it('comes in bounded parts, and no stream holds up the others', () => {
    const { decoded, changes } = watched()
    const many = Array.from({ length: 50 }, (_, i) => templateOf(256 + i, [1, 4]))
    const records = many.map((template) => recordOf(template, 1))
    for (let domain = 0; domain < 4; domain++)
      decodeAll([ipfix({ templates: many, records }, { domain })], { into: decoded })
    const seen = new Set<string>()
    for (let part = 0; part < 30; part++) {
      // The first stream changes all the time.
      const other = templateOf(256, [1, 1 + (part % 8)])
      decodeAll([ipfix({ templates: [other], records: [recordOf(other, 1)] })], { into: decoded })
      const taken = changes.take(20)
      assert.equal(taken.length, 1, 'one stream has more already')
      for (const { domain, templates } of taken) for (const { id } of templates ?? []) seen.add(`${domain} ${id}`)
    }
    assert.equal(seen.size, 200)
  })

  it('of newcomers is not saved while they crowd the table, and whole once they have worked for minutes', () => {
    const { decoded, changes } = watched({ streamsMax: 16 })
    const other = templateOf(257, [1, 8])
    const send = (parts: MessageParts, domain: number, minute = 0) =>
      decodeAll([ipfix(parts, { domain })], { into: decoded, receivedMs: exportedMs + minute * 60_000 })
    send({ templates: [flows, other], records: [flow, recordOf(other, 1)] }, 1)
    assert.equal(changes.take(all).length, 1)
    send({ withdrawals: [256] }, 1)
    for (let domain = 2; domain < 14; domain++) send({ templates: [flows], records: [flow] }, domain)
    assert.deepEqual(changes.take(all), [])
    for (let minute = 1; minute < 3; minute++) send({ records: [recordOf(other, 1)] }, 1, minute)
    assert.deepEqual(
      changes.take(all).map(({ domain, templates }) => [domain, templates?.map(({ id }) => id)]),
      [[1, [257]]],
    )
  })

  it('that nobody told, or that no data came for, is not saved', () => {
    const { decoded, changes } = watched()
    decodeAll([ipfix({ records: [recordOf(templateOf(999, [1, 4]), 1)] })], { into: decoded })
    decodeAll([ipfix({ templates: [flows] }), ipfix({ templates: [templateOf(256, [1, 8])] })], { into: decoded })
    assert.deepEqual(changes.take(all), [])
    decodeAll([ipfix({ withdrawals: [256] })], { into: decoded })
    assert.deepEqual(changes.take(all), [])
  })
})

describe('saved streams are checked', () => {
  const { decoded, changes } = watched()
  decodeAll([ipfix({ templates: definitions, records: [told, flow] })], { into: decoded })
  const [saved] = savedFrom(changes.take(all))

  it('and sound ones are taken', () => {
    assert.deepEqual(checkSaved([saved], 0), { streams: [saved], refused: 0 })
  })

  it('and those unseen for long are left out', () => {
    assert.deepEqual(checkSaved([saved], exportedMs + 1), { streams: [], refused: 0 })
  })

  it('and what could not be is refused and counted', () => {
    const [template] = saved.templates
    const octets = template.octets.slice()
    const templates = [
      { ...template, octets: octets.subarray(0, octets.length - 1) },
      { ...template, octets: new Uint8Array([...octets, 0, 0, 0, 0]) },
      { ...template, octets: new Uint8Array(0) },
      { ...template, octets: new Uint8Array(70_000) },
      { ...template, id: 257 },
      { ...template, options: true },
    ]
    const sampling = [
      { scope: 'sampler', id: -1, rate: 5 },
      { scope: 'none', rate: 5 },
      { scope: 'exporter', rate: 0.5 },
      null,
      7,
    ]
    const broken = { ...saved, templates, sampling: sampling as SavedStream['sampling'] }
    const { streams, refused } = checkSaved([broken], 0)
    assert.equal(refused, templates.length + sampling.length)
    assert.deepEqual([streams[0].templates, streams[0].sampling], [[], []])
    for (const wrong of [{ port: 70_000 }, { domain: -1 }, { seenMs: Number.NaN }, { address: '' }])
      assert.deepEqual(checkSaved([{ ...saved, ...wrong }], 0), { streams: [], refused: 1 })
  })

  it('and bounded: no more templates than a stream may have', () => {
    const after = restarted([saved], { templatesPerStreamMax: 1 })
    decodeAll([ipfix({ records: [recordOf(flows, 7)] })], { into: after })
    assert.equal(after.decoder.streams.templates, 1)
  })
})
