import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAll, exportedMs } from '../../../test/helpers/decoded.ts'
import { optionsOf, recordOf, scopedOf as scoped, templateOf } from '../../../test/helpers/encode/records.ts'
import { encodeMessage, type Record, type Value } from '../../encode/messages.ts'

type Option = [id: number, length: number, value: Value]

function message(records: readonly Record[], { version = 10, domain = 0 }: { version?: 9 | 10; domain?: number } = {}) {
  const templates = [...new Map(records.map(({ template }) => [template.id, template])).values()]
  return encodeMessage({ version, nowMs: exportedMs, domain }, { templates, records })
}

/** Rates of records whose only field of interest is `field`, after these options data. */
function rates(
  options: readonly Option[][],
  field: Option | null,
  values: readonly Value[] = [0],
  version: 9 | 10 = 10,
) {
  const template = field === null ? templateOf(256) : templateOf(256, [field[0], field[1]])
  const records = values.map((value) => (field === null ? recordOf(template) : recordOf(template, value)))
  const told = options.map((each, i) => optionsOf(300 + i, version, ...each))
  return decodeAll([message([...told, ...records], { version })]).records.map(({ samplingRate }) => samplingRate)
}

const random = (id: number, rate: number): Option[] => [
  [48, 1, id],
  [49, 1, 2],
  [50, 4, rate],
]
const bySampler: Option = [48, 1, 0]

describe('sampling rates of options data', () => {
  it('count for the whole exporter when they name no sampler', () => {
    assert.deepEqual(rates([[[34, 4, 2_000]]], null), [2_000])
    assert.deepEqual(rates([[[34, 4, 2_000]]], null, [0], 9), [2_000])
  })

  it('count by sampler', () => {
    assert.deepEqual(rates([random(1, 4_000), random(2, 2_000)], bySampler, [1, 2, 1]), [4_000, 2_000, 4_000])
    assert.deepEqual(
      rates(
        [
          [
            [302, 8, 77],
            [305, 4, 1],
            [306, 4, 99],
          ],
        ],
        [302, 8, 0],
        [77],
      ),
      [100],
    )
  })

  it('of a sampler that is not known are unknown, unless the exporter said one for all', () => {
    assert.deepEqual(rates([random(1, 4_000), random(2, 2_000)], bySampler, [3]), [null])
    assert.deepEqual(rates([random(1, 4_000), random(2, 2_000), [[34, 4, 7]]], bySampler, [3, 1]), [7, 4_000])
  })

  it('of the only sampler count for records that name none', () => {
    assert.deepEqual(rates([random(1, 4_000)], null), [4_000])
    assert.deepEqual(rates([random(1, 4_000), random(2, 2_000)], null), [null])
  })

  it('change when the exporter says so', () => {
    assert.deepEqual(rates([[[34, 4, 100]], [[34, 4, 200]]], null), [200])
  })

  it('belong to their domain', () => {
    const template = templateOf(256)
    const decoded = decodeAll([
      message([optionsOf(300, 10, [34, 4, 100])], { domain: 1 }),
      message([recordOf(template)], { domain: 1 }),
      message([recordOf(template)], { domain: 2 }),
    ])
    assert.deepEqual(
      decoded.records.map(({ samplingRate }) => samplingRate),
      [100, null],
    )
  })

  it('several records of one template', () => {
    const [one, two, three] = [1, 2, 3].map((id) => optionsOf(300, 9, ...random(id, id * 10)))
    const template = templateOf(256, [48, 1])
    const records = [3, 1, 2].map((id) => recordOf(template, id))
    const decoded = decodeAll([message([one, two, three, ...records], { version: 9 })])
    assert.deepEqual(
      decoded.records.map(({ samplingRate }) => samplingRate),
      [30, 10, 20],
    )
  })
})

describe('a rate', () => {
  const told = (...options: Option[]) => rates([options], null)[0]

  it('of n in N goes before one of intervals, and those before a plain number', () => {
    assert.equal(told([305, 4, 1], [309, 4, 1], [310, 4, 256]), 256)
    assert.equal(told([34, 4, 5], [305, 4, 2], [306, 4, 6]), 4)
  })

  it('of an interval alone is that interval', () => {
    assert.equal(told([305, 4, 1_000]), 1_000)
  })

  it('of a probability', () => {
    const half = new Uint8Array(8)
    new DataView(half.buffer).setFloat64(0, 0.5)
    assert.equal(told([311, 8, half]), 2)
  })

  it('that makes no sense does not count', () => {
    for (const options of [
      [[34, 4, 0]],
      [
        [309, 4, 10],
        [310, 4, 1],
      ],
      [[311, 8, new Uint8Array(8).fill(0xff)]],
    ] as Option[][]) {
      assert.equal(told(...options), null)
    }
  })

  it('is of its record alone: nothing is left of the record before in the same place', () => {
    const population = templateOf(256, [309, 4], [310, 4])
    const interval = templateOf(257, [34, 65_535])
    const decoded = decodeAll([message([recordOf(population, 1, 256)])])
    decodeAll([message([recordOf(interval, Uint8Array.of(50))])], { into: decoded })
    decodeAll([message([recordOf(interval, new Uint8Array(0))])], { into: decoded })
    assert.deepEqual(
      decoded.records.map(({ samplingRate }) => samplingRate),
      [256, 50, null],
    )
  })

  it('within the record goes before options data, unless it is zero', () => {
    assert.deepEqual(rates([[[34, 4, 100]]], [34, 4, 0], [50, 0]), [50, 100])
  })
})

describe('rates by interface', () => {
  const flows = templateOf(256, [10, 4], [14, 4])
  const flow = (ingress: number, egress: number) => recordOf(flows, ingress, egress)
  const ratesOf = (told: Record[], records: Record[], version: 9 | 10 = 10) => {
    const decoded = decodeAll([message([...told], { version }), message(records, { version })])
    const { samplingUnknown } = decoded.decoder.streams.list[0]?.counters ?? { samplingUnknown: -1 }
    return [decoded.records.map(({ samplingRate }) => samplingRate), samplingUnknown]
  }

  it('count for records that came in there, else for those that left there', () => {
    const told = [scoped([10, 4, 3], [34, 4, 100]), scoped([10, 4, 4], [34, 4, 500])]
    assert.deepEqual(ratesOf(told, [flow(3, 4), flow(4, 3), flow(9, 4), flow(9, 9)]), [[100, 500, 500, null], 1])
  })

  it('as the scope of NetFlow v9 as well', () => {
    assert.deepEqual(ratesOf([scoped([2, 4, 3], [34, 4, 100])], [flow(3, 1), flow(1, 1)], 9), [[100, null], 1])
  })

  it('count for templates that were there before', () => {
    const decoded = decodeAll([message([flow(3, 4)])])
    decodeAll([message([scoped([10, 4, 3], [34, 4, 100])]), message([flow(3, 4)])], { into: decoded })
    assert.deepEqual(
      decoded.records.map(({ samplingRate }) => samplingRate),
      [null, 100],
    )
  })

  it('are no rate of the exporter, nor of other interfaces', () => {
    const bare = recordOf(templateOf(257))
    const [three, four] = [scoped([10, 4, 3], [34, 4, 100]), scoped([10, 4, 4], [34, 4, 200])]
    const whole = optionsOf(300, 10, [34, 4, 7])
    assert.deepEqual(ratesOf([three, four], [bare, flow(9, 9)]), [[null, null], 2])
    assert.deepEqual(ratesOf([three, whole], [bare, flow(9, 9), flow(9, 3)]), [[7, 7, 100], 0])
  })

  it('that all have count for records that name none', () => {
    const bare = recordOf(templateOf(257))
    const [three, four] = [3, 4].map((id) => scoped([10, 4, id], [34, 4, 100]))
    assert.deepEqual(ratesOf([three, four], [bare]), [[100], 0])
    assert.deepEqual(rates([random(1, 50), random(2, 50)], null), [50])
  })
})

describe('a rate by template, or by a sequence of selectors', () => {
  it('counts for the records of that template', () => {
    const [first, second] = [templateOf(256), templateOf(257)]
    for (const version of [9, 10] as const) {
      const told = scoped(version === 9 ? [5, 2, 257] : [145, 2, 257], [34, 4, 100])
      const decoded = decodeAll([message([told, recordOf(first), recordOf(second)], { version })])
      assert.deepEqual(
        decoded.records.map(({ samplingRate }) => samplingRate),
        [null, 100],
      )
    }
  })

  it('counts for records that name the sequence (PSAMP)', () => {
    const selector = scoped([302, 8, 5], [304, 2, 1], [305, 4, 1], [306, 4, 9])
    const sequence = { ...scoped([301, 8, 77], [302, 8, 5]) }
    sequence.template = { ...sequence.template, id: 311 }
    const flows = templateOf(256, [301, 8])
    const decoded = decodeAll([message([selector, sequence, recordOf(flows, 77), recordOf(flows, 78)])])
    assert.deepEqual(
      decoded.records.map(({ samplingRate }) => samplingRate),
      [10, 10],
    )
  })
})

describe('where a rate comes from', () => {
  const from = (records: Record[], options = {}) => {
    const { decoder } = decodeAll([message(records)], options)
    const sampling = decoder.streams.list[0]?.sampling
    return [sampling?.from, sampling?.lastRate]
  }

  it('is kept with it', () => {
    const flow = recordOf(templateOf(256))
    const told = optionsOf(300, 10, [34, 4, 100])
    assert.deepEqual(from([flow]), ['none', 0])
    assert.deepEqual(from([told, flow]), ['options', 100])
    assert.deepEqual(from([told, recordOf(templateOf(256, [34, 4]), 50)]), ['record', 50])
    assert.deepEqual(from([optionsOf(300, 10, ...random(1, 30)), recordOf(templateOf(256, [48, 1]), 1)]), [
      'sampler',
      30,
    ])
    assert.deepEqual(from([told, flow], { samplingOverrideOf: () => 7 }), ['override', 7])
  })
})

describe('a record whose rate is not known', () => {
  const unknown = (...datagrams: Uint8Array[]) => {
    const { decoder, records } = decodeAll(datagrams)
    return [records.map(({ samplingRate }) => samplingRate), decoder.streams.list[0]?.counters.samplingUnknown]
  }

  it('is counted when its exporter samples', () => {
    const bySampler = templateOf(256, [48, 1])
    assert.deepEqual(unknown(message([recordOf(bySampler, 3), recordOf(bySampler, 0)])), [[null, null], 1])
    const told = optionsOf(300, 10, ...random(1, 4_000))
    assert.deepEqual(unknown(message([told, recordOf(bySampler, 1), recordOf(bySampler, 3)])), [[4_000, null], 1])
    const withoutRate = optionsOf(300, 10, [302, 4, 9])
    assert.deepEqual(unknown(message([withoutRate, recordOf(templateOf(256, [302, 4]), 9)])), [[null], 1])
  })

  it('is not when nothing was ever said of sampling', () => {
    assert.deepEqual(unknown(message([recordOf(templateOf(256))])), [[null], 0])
  })

  it('has that of the exporter as a whole, in domain 0 (RFC 7011 section 3.1)', () => {
    const flow = recordOf(templateOf(256))
    for (const order of [0, 1]) {
      const whole = message([optionsOf(300, 10, [34, 4, 100])])
      const own = message([flow], { domain: 5 })
      const decoded = decodeAll(order === 0 ? [whole, own] : [own, whole, own])
      assert.equal(decoded.records.at(-1)?.samplingRate, 100)
    }
  })
})

describe('a rate that is hard to believe', () => {
  const told = (version: 9 | 10, rate: number, options = {}) => {
    const inRecord = decodeAll([message([recordOf(templateOf(256, [34, 4]), rate)], { version })], options)
    const inOptions = decodeAll(
      [message([optionsOf(300, version, [34, 4, rate]), recordOf(templateOf(256))], { version })],
      options,
    )
    const [one, other] = [inRecord, inOptions].map(({ records, decoder }) => [
      records[0].samplingRate,
      decoder.streams.list[0]?.sampling.doubts,
    ])
    assert.deepEqual(one, other)
    return one
  }

  it('in the wrong byte order is read the other way round, and flagged', () => {
    assert.deepEqual(told(9, 0xe803_0000), [1_000, ['byteOrder']])
    assert.deepEqual(told(10, 0x0100_0000), [1, ['byteOrder']])
    assert.deepEqual(told(10, 0x0004_0000), [262_144, ['maybeByteOrder']])
  })

  it('since no exporter samples so little is unknown, and flagged', () => {
    assert.deepEqual(told(10, 0x1234_5678), [null, ['tooLarge']])
  })

  it('is left as it is where records are wanted as exported', () => {
    assert.deepEqual(told(9, 0xe803_0000, { exportedTimes: true }), [0xe803_0000, ['byteOrder']])
  })

  it('is no longer when another was told', () => {
    const flow = recordOf(templateOf(256))
    const [wrong, right] = [0xe803_0000, 1_000].map((rate) => message([optionsOf(300, 10, [34, 4, rate]), flow]))
    assert.deepEqual(decodeAll([wrong, right]).decoder.streams.list[0]?.sampling.doubts, [])
  })
})
