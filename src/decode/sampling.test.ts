import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeAll, exportedMs } from '../../test/helpers/decoded.ts'
import { encodeMessage, type Record, type Value } from '../../test/helpers/encode/messages.ts'
import { optionsOf, recordOf, templateOf } from '../../test/helpers/encode/records.ts'

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

  it('that makes no sense is none', () => {
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
