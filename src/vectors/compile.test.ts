import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { classOf, compileVectors, flagsUnknown, portsUnknown } from './compile.ts'
import { amplificationServices } from './services.ts'
import { vectors } from './vectors.ts'

const classes = compileVectors(vectors)

interface Flow {
  protocol: number
  srcPort?: number
  dstPort?: number
  flags?: number
  fragment?: number
}

function labelOf({ protocol, srcPort = 40_000, dstPort = 80, flags = 0, fragment = 0 }: Flow) {
  return classes.vectors[classOf(classes, protocol, srcPort, dstPort, flags, fragment)]?.label
}

describe('classes', () => {
  it('every flow has one', () => {
    for (let protocol = 0; protocol < 256; protocol++) {
      for (const flags of [0, 2, 16, 255, flagsUnknown]) {
        for (const srcPort of [0, 53, 65_535, portsUnknown]) {
          for (const fragment of [0, 1]) assert.ok(labelOf({ protocol, srcPort, flags, fragment }))
        }
      }
    }
  })

  it('a row that no flow can have is an error of the table', () => {
    const reached = new Set(
      [classes.ofFragment, classes.ofSourcePort, classes.ofAnswers, classes.ofFlags, classes.ofProtocol].flatMap(
        (places) => [...places],
      ),
    )
    for (const [row, { label }] of vectors.entries()) assert.ok(reached.has(row + 1), label)
  })

  it('of two rows that match, the earlier has it', () => {
    const [first, second] = [vectors[0], { ...vectors[0], label: 'later' }]
    const both = compileVectors([first, second])
    assert.equal(both.vectors[both.ofFragment[first.match.protocol]], first)
  })

  it('ports that are 0 are those of fragments, but not where the exporter sends none', () => {
    const without = { srcPort: portsUnknown, dstPort: 0 }
    const fragments = { srcPort: 0, dstPort: 0 }
    for (const protocol of [6, 17]) assert.match(labelOf({ protocol, ...fragments }) ?? '', /frag_flood/)
    assert.equal(labelOf({ protocol: 6, flags: 2, ...without }), 'tcp@attack@syn_flood_target')
    assert.equal(labelOf({ protocol: 17, ...without }), labelOf({ protocol: 17 }))
    assert.match(labelOf({ protocol: 17, fragment: 1, ...without }) ?? '', /frag_flood/)
  })

  it('a table too large for the keys of the counters is refused', () => {
    assert.throws(() => compileVectors(Array.from({ length: 1_024 }, () => vectors[0])), RangeError)
  })

  it('TCP flags decide: none, one, all, unknown', () => {
    const tcp = (flags: number) => labelOf({ protocol: 6, flags })?.split('@')[2]
    assert.equal(tcp(0), 'null_flood_target')
    assert.equal(tcp(0x02), 'syn_flood_target')
    assert.equal(tcp(0xc2), 'syn_flood_target')
    assert.equal(tcp(0x12), 'synack_flood_target')
    assert.equal(tcp(0x10), 'ack_flood_target')
    assert.equal(tcp(0x1b), 'conn_flood_target')
    assert.equal(tcp(0x14), 'rst_flood_target')
    assert.equal(tcp(0x01), 'fin_flood_target')
    assert.equal(tcp(0x03), 'synfin_flood_target')
    assert.equal(tcp(0x29), 'xmas_flood_target')
    assert.equal(tcp(0x20), 'simple_flood_target')
    assert.equal(tcp(flagsUnknown), 'simple_flood_target')
  })

  it('what a web server sends is known by the source port and the flags', () => {
    const tcp = (flags: number) => labelOf({ protocol: 6, srcPort: 443, flags })?.split('@')[2]
    assert.equal(tcp(0x18), 'amp_flood_target-MIDDLEBOX')
    assert.equal(tcp(0x19), 'amp_flood_target-MIDDLEBOX')
    assert.equal(tcp(0x10), 'ack_flood_target')
    assert.equal(tcp(0x12), 'synack_flood_target')
    assert.equal(tcp(0x1a), 'conn_flood_target')
    assert.equal(tcp(0x1c), 'rst_flood_target')
    assert.equal(labelOf({ protocol: 6, srcPort: 8_443, flags: 0x18 }), 'tcp@attack@conn_flood_target')
  })

  it('an amplification service is known by the source port, but not between its peers', () => {
    for (const { port, name, peers } of amplificationServices) {
      const between = peers ? 'udp@attack@simple_flood_target' : `udp@attack@amp_flood_target-${name}`
      assert.equal(labelOf({ protocol: 17, srcPort: port }), `udp@attack@amp_flood_target-${name}`)
      assert.equal(labelOf({ protocol: 17, srcPort: port, dstPort: port }), between)
    }
  })

  it('fragments are known by their mark, or by having no ports', () => {
    assert.equal(labelOf({ protocol: 17, srcPort: 0, dstPort: 0 }), 'udp@attack@frag_flood_target')
    assert.equal(labelOf({ protocol: 17, srcPort: 53, fragment: 1 }), 'udp@attack@frag_flood_target')
    assert.equal(labelOf({ protocol: 6, srcPort: 0, dstPort: 0, flags: 2 }), 'tcp@attack@frag_flood_target')
    assert.equal(labelOf({ protocol: 1, srcPort: 0, dstPort: 0 }), 'icmp@attack@simple_flood_target')
    assert.equal(labelOf({ protocol: 1, fragment: 1 }), 'icmp@attack@frag_flood_target')
    assert.equal(labelOf({ protocol: 47, fragment: 1 }), 'ip@attack@proto_flood_target-GRE')
  })
})

describe('labels', () => {
  it('have the shape of the interface', () => {
    for (const { label } of vectors) assert.match(label, /^(tcp|udp|icmp|ip)@attack@[a-z]+_flood_target(-[A-Z0-9]+)?$/)
  })
})
