import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { address } from '../../test/helpers/flow-rows.ts'
import { contains } from '../net/prefix.ts'
import { TCP, UDP } from '../net/protocols.ts'
import { compileExclusions, isExcluded, parsePort, parseSource } from './exclusions.ts'

describe('ports', () => {
  it('are destination ports, or source ports where that is said', () => {
    assert.deepEqual(parsePort('udp/53'), { protocol: UDP, isSource: false, port: 53 })
    assert.deepEqual(parsePort('tcp/src/65535'), { protocol: TCP, isSource: true, port: 65_535 })
  })

  it('have no other form', () => {
    for (const text of [
      '53',
      'udp',
      'udp/',
      'udp/65536',
      'udp/053',
      'udp/-1',
      'UDP/53',
      'icmp/8',
      'udp/dst/53',
      'udp/5 3',
    ])
      assert.equal(parsePort(text), null, text)
  })
})

describe('exclusions', () => {
  it('are none when no row leaves anything out', () => {
    assert.equal(compileExclusions([{ first: 0, ports: [], sources: [] }]), null)
  })

  it('agree with a plain reading of the rows, at and around every bound', () => {
    const low = fc.nat(40)
    const port = fc.tuple(
      fc.constantFrom('tcp', 'udp'),
      fc.constantFrom('', 'src/'),
      fc.constantFrom(0, 31, 32, 65_535),
    )
    const source = fc.tuple(fc.nat(31), fc.integer({ min: 26, max: 32 }))
    const row = fc.record({
      first: low,
      ports: fc.array(
        port.map((parts) => `${parts[0]}/${parts[1]}${parts[2]}`),
        { maxLength: 4 },
      ),
      sources: fc.array(
        source.map(([host, length]) => `0.0.0.${host}/${length}`),
        { maxLength: 3 },
      ),
    })
    const record = fc.record({
      address: fc.oneof(low, fc.constant(0xffff_ffff)),
      protocol: fc.constantFrom(1, TCP, UDP),
      srcPort: fc.constantFrom(0, 31, 32, 63, 65_535),
      dstPort: fc.constantFrom(0, 31, 32, 63, 65_535),
      source: low,
    })
    let excluded = 0
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: ({ first }) => first }), fc.array(record), (given, records) => {
        const rows = [{ first: 0, ports: [], sources: [] }, ...given.filter(({ first }) => first > 0)].sort(
          (a, b) => a.first - b.first,
        )
        const compiled = compileExclusions(rows)
        for (const each of records) {
          const { ports, sources } = rows.findLast(({ first }) => first <= each.address) ?? rows[0]
          const byPort = ports.map(parsePort).some((parsed) => {
            const end = parsed?.isSource ? each.srcPort : each.dstPort
            return parsed?.protocol === each.protocol && parsed.port === end
          })
          const bySource = sources.some((text) =>
            contains(parseSource(text) ?? { network: 0, length: 33 }, each.source),
          )
          const { protocol, srcPort, dstPort } = each
          const found = compiled !== null && isExcluded(compiled, each.address, protocol, srcPort, dstPort, each.source)
          assert.equal(found, byPort || bySource)
          if (found) excluded++
        }
      }),
      { numRuns: 500 },
    )
    assert.ok(excluded > 100, `${excluded} were excluded`)
  })

  it('take an address for the network of its own', () => {
    const compiled = compileExclusions([{ first: 0, ports: [], sources: ['192.0.2.7'] }])
    assert.ok(compiled !== null)
    const from = (text: string) => isExcluded(compiled, 0, UDP, 1, 2, address(text))
    assert.deepEqual(['192.0.2.6', '192.0.2.7', '192.0.2.8'].map(from), [false, true, false])
  })
})
