import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ACK, CWR, ECE, FIN, formatTcpFlags, PSH, RST, SYN, URG } from './tcp-flags.ts'

it('TCP flags have eight places, most significant first', () => {
  assert.equal(formatTcpFlags(27), '...AP.SF')
  assert.equal(formatTcpFlags(0), '........')
  assert.equal(formatTcpFlags(0xff), 'CEUAPRSF')
  assert.equal(formatTcpFlags(0x100 | SYN), '......S.')
})

it('each flag has its own letter and place', () => {
  const flags = { C: CWR, E: ECE, U: URG, A: ACK, P: PSH, R: RST, S: SYN, F: FIN }
  Object.entries(flags).forEach(([letter, flag], place) => {
    assert.equal(formatTcpFlags(flag), `${'.'.repeat(place)}${letter}${'.'.repeat(7 - place)}`)
  })
})
