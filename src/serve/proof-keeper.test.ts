import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { cname, DnsServer, response, txt } from '../../test/helpers/servers/dns-server.ts'
import { openFreshStore } from '../../test/helpers/store.ts'
import { challengeName } from '../access/challenge.ts'
import { requireHostRecord } from '../access/host-record.ts'
import { stateOf } from '../access/proof.ts'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import { Names } from '../names/names.ts'
import { namesSettings } from '../names/settings.ts'
import type { Store, User } from '../store/store.ts'
import { ProofKeeper } from './proof-keeper.ts'

const day = 86_400_000
const host = 'www.example.com'
const log = createLogger('silent')

let folder: string
let store: Store
let clock: ManualClock
let servers: DnsServer[]
let ann: User
let changes: number
/** What each server has, by name; null: it does not answer. */
let zones: (Map<string, string> | null)[]
let opened: { names: Names; keeper: ProofKeeper }[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proofs-'))
  clock = new ManualClock(1_000 * day)
  store = await openFreshStore(join(folder, 'store.db'), { clock })
  zones = [new Map(), new Map()]
  servers = await Promise.all(
    zones.map((_zone, i) =>
      new DnsServer((asked) => {
        const zone = zones[i]
        if (zone === null) return []
        const text = zone.get(asked.name)
        // As two strings of one record, behind an alias.
        const records =
          text === undefined
            ? []
            : [cname(asked.name, 'txt.example.net'), txt('txt.example.net', [text.slice(0, 9), text.slice(9)])]
        return [response(asked, records)]
      }).start(),
    ),
  )
  changes = 0
  opened = []
  ann = await store.addUser({
    email: 'ann@example.com',
    siteQuota: 10,
    allowed: { networks: ['192.0.2.0/24'], domains: [] },
  })
  await store.addSites(ann.id, [host, '192.0.2.7'], clock.now())
})
afterEach(async () => {
  for (const { names, keeper } of opened) {
    await keeper.stop()
    names.stop()
  }
  for (const server of servers) server.stop()
  await store.close()
  await rm(folder, { recursive: true })
})

async function open(): Promise<ProofKeeper> {
  const settings = { ...Value.Create(namesSettings), resolvers: servers.map(({ address }) => address), attempts: 1 }
  const names = new Names({ settings, clock, log })
  const keeper = new ProofKeeper({ store, names, clock, log, policy: 'verified' })
  keeper.onChange(() => changes++)
  opened.push({ names, keeper })
  await keeper.start()
  return keeper
}

async function proofOf(keeper: ProofKeeper, site = host) {
  const record = requireHostRecord(site)
  const proof = await keeper.of(ann, record)
  assert.ok(proof !== null)
  return proof
}

async function put(keeper: ProofKeeper, ...which: number[]): Promise<void> {
  const { subject, token } = await proofOf(keeper)
  for (const each of which) zones[each]?.set(challengeName(subject), `token=${token} expiry=never`)
}

function remove(): void {
  for (const zone of zones) zone?.clear()
}

/** The state of the proof a number of days on. */
async function daysOn(keeper: ProofKeeper, days: number): Promise<string> {
  clock.advance(days * day)
  await keeper.tick()
  const proof = await proofOf(keeper)
  return `${stateOf(proof)} ${proof.misses}`
}

describe('what is to be proved', () => {
  it('has a token of its own from the beginning, unless the operator allowed it', async () => {
    const keeper = await open()
    const record = requireHostRecord('192.0.2.7')
    assert.equal(await keeper.of(ann, record), null)
    await keeper.tick()
    const [only, ...others] = keeper.all()
    assert.deepEqual([only.subject, others], [{ kind: 'host', text: host }, []])
    assert.match(only.token, /^[a-z2-7]{32}$/)
    assert.equal((await proofOf(keeper)).token, only.token)
    assert.deepEqual(await store.loadProofs(), [only])
  })

  it('is looked for at every resolver, and proved when all that answer have it', async () => {
    const keeper = await open()
    await put(keeper, 0)
    assert.equal(await daysOn(keeper, 0), 'pending 0')
    assert.deepEqual(keeper.claims(), [])
    await put(keeper, 1)
    assert.equal(await daysOn(keeper, 0.1), 'verified 0')
    assert.deepEqual(keeper.claims(), [{ userId: ann.id, scope: { kind: 'host', name: host }, missingSinceMs: null }])
    assert.equal(changes, 1)
    zones[0] = null
    assert.equal(await daysOn(keeper, 1), 'verified 0')
    zones[1] = null
    assert.equal(await daysOn(keeper, 1), 'verified 0')
    assert.deepEqual(keeper.counts, { found: 2, missing: 1, unanswered: 1, failures: 0 })
    assert.ok(servers.every(({ asked }) => asked.every(({ type }) => type === 'TXT')))
  })

  it('is lost day by day, watched for a week, and then proved again with another token only', async () => {
    const keeper = await open()
    await put(keeper, 0, 1)
    await daysOn(keeper, 0)
    const [old] = zones.map((zone) => new Map(zone))
    remove()
    assert.deepEqual([await daysOn(keeper, 1), await daysOn(keeper, 1)], ['missed 1', 'missed 2'])
    assert.equal(keeper.claims()[0].missingSinceMs, clock.now() - day)
    assert.equal(await daysOn(keeper, 1), 'unverified 3')
    assert.equal(keeper.claims().length, 1)
    assert.equal(await daysOn(keeper, 7), 'unverified 3')
    assert.deepEqual(keeper.claims(), [])
    zones = [old, old]
    assert.equal(await daysOn(keeper, 1), 'unverified 3')
    remove()
    await put(keeper, 0, 1)
    assert.equal(await daysOn(keeper, 1), 'verified 0')
  })

  it('is known after a restart, and its misses with it', async () => {
    const first = await open()
    await put(first, 0, 1)
    await daysOn(first, 0)
    remove()
    assert.equal(await daysOn(first, 1), 'missed 1')
    await first.stop()
    const second = await open()
    assert.deepEqual(second.claims(), first.claims())
    assert.equal(await daysOn(second, 0), 'missed 1')
    assert.equal(await daysOn(second, 1), 'missed 2')
  })

  it('survives a clock that is set', async () => {
    const keeper = await open()
    await put(keeper, 0, 1)
    await daysOn(keeper, 0)
    zones = [null, null]
    assert.equal(await daysOn(keeper, 20), 'verified 0')
    zones = [new Map(), new Map()]
    await put(keeper, 0, 1)
    assert.equal(await daysOn(keeper, -20), 'verified 0')
    assert.equal(await daysOn(keeper, -100), 'verified 0')
    assert.equal((await proofOf(keeper)).confirmedMs, clock.now())
  })

  it('is asked for no more when the site is gone, or the user is under another policy', async () => {
    const keeper = await open()
    await put(keeper, 0, 1)
    await daysOn(keeper, 0)
    await store.updateUser(ann.id, { policy: 'assigned' })
    await keeper.tick()
    assert.deepEqual([[...keeper.all()], keeper.claims(), await store.loadProofs()], [[], [], []])
    await store.updateUser(ann.id, { policy: null })
    await keeper.tick()
    assert.equal([...keeper.all()].length, 1)
    assert.deepEqual(keeper.claims(), [])
    await store.deleteSites(ann.id, [host])
    await keeper.tick()
    assert.deepEqual([...keeper.all()], [])
    assert.equal(changes, 2)
  })

  it('keeps the token that it was told with, though sites are read meanwhile', async () => {
    const keeper = await open()
    await keeper.tick()
    const { listSites } = store
    let told = ''
    store.listSites = async (userId) => {
      const before = await listSites(userId)
      store.listSites = listSites
      await store.addSites(ann.id, ['new.example.com'], clock.now())
      told = (await proofOf(keeper, 'new.example.com')).token
      return before
    }
    await store.addSites(ann.id, ['other.example.com'], clock.now())
    await keeper.tick()
    await keeper.tick()
    assert.equal((await proofOf(keeper, 'new.example.com')).token, told)
    assert.equal([...keeper.all()].length, 3)
  })

  it('is looked for at once when somebody asks, by several together once', async () => {
    const keeper = await open()
    await put(keeper, 0, 1)
    const record = requireHostRecord(host)
    const checked = await Promise.all([keeper.check(ann, record), keeper.check(ann, record)])
    assert.deepEqual(
      checked.map((proof) => proof !== null && stateOf(proof)),
      ['verified', 'verified'],
    )
    assert.deepEqual([servers[0].asked.length, changes], [1, 1])
  })

  it('is missing when it was there once, of sites that are turned on and that nothing else proves', async () => {
    const keeper = await open()
    await put(keeper, 0, 1)
    assert.deepEqual([await daysOn(keeper, 0), keeper.missing()], ['verified 0', []])
    assert.equal(keeper.isInOrder(ann.id, host), true)
    remove()
    await daysOn(keeper, 1)
    const sinceMs = clock.now()
    const missing = [{ userId: ann.id, host, recordName: `_floodgauge-host-challenge.${host}`, sinceMs }]
    assert.deepEqual([keeper.missing(), keeper.isInOrder(ann.id, host)], [missing, false])
    // A site that was never proved misses nothing; neither does one that is turned off, from the start on.
    await store.addSites(ann.id, ['*.example.com'], clock.now())
    assert.deepEqual([await daysOn(keeper, 1), keeper.missing()], ['missed 2', missing])
    await store.setEnabled(ann.id, [host], false)
    const second = await open()
    assert.deepEqual(second.missing(), [])
    await second.tick()
    assert.deepEqual(second.missing(), [])
    await store.setEnabled(ann.id, [host], true)
    await second.tick()
    assert.deepEqual([second.missing(), second.isInOrder(ann.id, host)], [missing, false])
    // The domain proves the name as well.
    const { subject, token } = await proofOf(second, '*.example.com')
    for (const zone of zones) zone?.set(challengeName(subject), `token=${token}`)
    await second.check(ann, requireHostRecord('*.example.com'))
    assert.deepEqual([second.missing(), second.isInOrder(ann.id, host)], [[], true])
    await store.deleteSites(ann.id, [host])
    await second.tick()
    assert.equal(second.isInOrder(ann.id, host), false)
  })
})
