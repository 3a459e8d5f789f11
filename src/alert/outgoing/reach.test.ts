import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listOf, mayUsePort, whyNotReached } from './reach.ts'

const none = listOf([])
const reasonOf = (address: string, given: Partial<Parameters<typeof whyNotReached>[1]> = {}) =>
  whyNotReached(address, { reach: 'public', allowed: none, own: none, ...given })
const refused = (address: string) => reasonOf(address) !== null

describe('reach', () => {
  it('is the public Internet for users', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001:81c::200e'])
      assert.equal(refused(address), false, address)
  })

  it('is nothing of this machine, its networks, or what stands for them', () => {
    for (const address of [
      ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.255.255'],
      ...['192.168.1.1', '192.0.0.8', '192.0.2.1', '198.19.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
      ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '2001::1'],
      ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::127.0.0.1', '64:ff9b::127.0.0.1'],
      ...['64:ff9b::a00:1', '2002:7f00:1::', '100::1', '5f00::1', '3fff::1'],
    ])
      assert.equal(refused(address), true, address)
  })

  it('is a public address behind NAT64, too', () => {
    assert.equal(refused('64:ff9b::8.8.8.8'), false)
  })

  it('is all but what is of one link for those who look after the installation', () => {
    const reason = (address: string) => reasonOf(address, { reach: 'any' })
    for (const address of ['127.0.0.1', '10.1.2.3', 'fd12::1', '::1']) assert.equal(reason(address), null, address)
    for (const address of [
      '169.254.169.254',
      'fe80::1',
      'fd00:ec2::254',
      '::ffff:169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
    ])
      assert.notEqual(reason(address), null, address)
  })

  it('is no address of this machine for users, though it is public', () => {
    const own = listOf(['8.8.4.4', '2606:4700::1234'])
    for (const address of ['8.8.4.4', '::ffff:8.8.4.4', '2606:4700::1234'])
      assert.match(reasonOf(address, { own }) ?? '', /this machine/, address)
    assert.equal(reasonOf('8.8.8.8', { own }), null)
    assert.equal(reasonOf('8.8.4.4', { own, reach: 'any' }), null)
  })

  it('is what the operator allows', () => {
    const allowed = listOf(['10.1.0.0/16', '192.168.7.7', 'fd12::/16'])
    for (const address of ['10.1.2.3', '192.168.7.7', 'fd12::1', '::ffff:10.1.2.3'])
      assert.equal(reasonOf(address, { allowed }), null, address)
    assert.notEqual(reasonOf('10.2.0.1', { allowed }), null)
  })

  it('has the ports of the web for users', () => {
    assert.deepEqual(
      [25, 80, 443, 8080, 8443, 6379].map((port) => mayUsePort(port, 'public')),
      [false, true, true, true, true, false],
    )
    assert.equal(mayUsePort(25, 'any'), true)
  })
})
