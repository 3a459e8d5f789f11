// As many addresses are followed as `detect.targetsMax` says, and as many attacks as `detect.incidentsMax`: a tenant whose every address has traffic, or
// is attacked, costs no other a place.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SYN } from '../../src/net/tcp-flags.ts'
import { address as ip } from '../helpers/flow-rows.ts'
import { TenantLab } from '../helpers/labs/tenants.ts'

const ofBob = ['198.51.100.0/24', '192.0.0.0/24']
const quota = 2 * 256

it('follows the site of a tenant, and finds an attack on it, while another has traffic sent to all of a quota', async (test) => {
  const lab = await TenantLab.create(test, {
    access: { policy: 'assigned', sharedNetworks: [], sharedDomains: 3 },
    users: {
      ann: { allowed: { domains: [], networks: ['192.0.2.0/24'] }, siteQuota: 10 },
      bob: { allowed: { domains: [], networks: ofBob }, siteQuota: ofBob.length },
    },
    detect: { targetsMax: 100 },
  })
  test.after(() => lab.close())
  const add = (who: string, hosts: string[]) => lab.ask(who, '/open/site/add', { method: 'POST', payload: { hosts } })
  for (const { status } of [await add('ann', ['192.0.2.0/24']), await add('bob', ofBob)]) assert.equal(status, 200)

  const quiet = { dstAddr: ip('192.0.2.1'), packets: 2, bytes: 200 }
  for (let second = 0; second < 5; second++) await lab.second([{ ...quiet, ...at(lab) }])
  const crowd = () =>
    Array.from({ length: quota }, (_, i) => ({
      dstAddr: ip(ofBob[i >> 8].replace('/24', '')) + (i % 256),
      ...{ packets: 60, bytes: 6_000 },
      ...at(lab),
    }))
  for (let second = 0; second < 8; second++) await lab.second(crowd())
  const { targets } = lab.detector.crowding()
  assert.deepEqual([targets.size, targets.gaveWay], [100, 0])
  assert.equal(targets.holder, lab.caller('bob').user.id)
  assert.ok(lab.detector.counted.busyRefused > 0, 'it was more than there is room for')
  const [known] = lab.detector.ratesOf([{ address: quiet.dstAddr, knownFromMs: 0 }])
  assert.notEqual(known, null, 'a quiet address keeps its place')

  // One that has a place, and one that had no traffic so far.
  const victims = ['192.0.2.1', '192.0.2.77']
  const flood = () =>
    victims.flatMap((victim) =>
      Array.from({ length: 200 }, (_, i) => ({
        ...{ dstAddr: ip(victim), srcAddr: ip('11.0.0.0') + i * 977, ipProto: 6, tcpFlags: SYN },
        ...{ packets: 50, bytes: 3_000 },
        ...at(lab),
      })),
    )
  for (let second = 0; second < 10; second++) await lab.second([...crowd(), ...flood()])
  const { body } = await lab.ask('ann', '/api/v1/events?last=1')
  const found: unknown[] = JSON.parse(body).events
  for (const victim of victims) assert.ok(JSON.stringify(found).includes(`"${victim}"`), `an attack on ${victim}`)
})

it('has the event of a tenant while as many attacks as there may be go on at the addresses of another', async (test) => {
  // Far from each other: each attack is one by itself.
  const networks = Array.from({ length: 12 }, (_, i) => `20.${i}.7.0/24`)
  const lab = await TenantLab.create(test, {
    access: { policy: 'assigned', sharedNetworks: [], sharedDomains: 3 },
    users: {
      ann: { allowed: { domains: [], networks: ['192.0.2.0/24'] }, siteQuota: 10 },
      bob: { allowed: { domains: [], networks }, siteQuota: networks.length },
    },
    detect: { incidentsMax: 6 },
  })
  test.after(() => lab.close())
  const add = (who: string, hosts: string[]) => lab.ask(who, '/open/site/add', { method: 'POST', payload: { hosts } })
  for (const { status } of [await add('ann', ['192.0.2.0/24']), await add('bob', networks)]) assert.equal(status, 200)
  const floodTo = (victim: string) =>
    Array.from({ length: 100 }, (_, i) => ({
      ...{ dstAddr: ip(victim), srcAddr: ip('11.0.0.0') + i * 977, ipProto: 6, tcpFlags: SYN },
      ...{ packets: 50, bytes: 3_000 },
      ...at(lab),
    }))
  const crowd = () => networks.flatMap((network) => floodTo(network.replace('0/24', '9')))
  for (let second = 0; second < 8; second++) await lab.second(crowd())
  const { incidents } = lab.detector.crowding()
  assert.deepEqual([incidents.size, incidents.max, incidents.holder], [6, 6, lab.caller('bob').user.id])
  for (let second = 0; second < 8; second++) await lab.second([...crowd(), ...floodTo('192.0.2.1')])
  const { body } = await lab.ask('ann', '/api/v1/events?last=1')
  const found: unknown[] = JSON.parse(body).events
  assert.equal(found.length, 1)
  assert.ok(JSON.stringify(found).includes('"192.0.2.1"'))
})

const at = (lab: TenantLab) => ({ startMs: lab.nowMs, endMs: lab.nowMs })
