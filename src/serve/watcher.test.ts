import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { Value } from 'typebox/value'
import { openFreshStore } from '../../test/helpers/store.ts'
import { requireHostRecord } from '../access/host-record.ts'
import { ManualClock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { createLogger } from '../log.ts'
import { Names } from '../names/names.ts'
import { namesSettings } from '../names/settings.ts'

import { parseKey } from '../net/address.ts'
import { formatNetworkKey, type NetworkKey } from '../net/network.ts'

import type { Store } from '../store/store.ts'
import { Watcher } from './watcher.ts'

let folder: string
let store: Store
let userId: string
const clock = new ManualClock(1_800_000_000_000)
const log = createLogger('silent')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watcher-'))
  store = await openFreshStore(join(folder, 'test.db'), { clock })
  userId = (await store.addUser({ email: 'a@example.com', siteQuota: 10, allowed: null })).id
})

afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** A watcher that has been started, and what it last said is watched. */
async function start(over: Partial<Store> = {}) {
  const record = requireHostRecord('*.example.com')
  const names = new Names({ settings: Value.Create(namesSettings), configured: [record], clock, log })
  let watched: number[] = []
  let networks: NetworkKey[] = []
  let configured: number[][] = []
  const watcher = new Watcher({
    store: { ...store, ...over },
    names,
    clock,
    log,
    onWatched: (ranges) => {
      watched = [...ranges]
    },
    onNetworks: (prefixes) => {
      networks = prefixes
    },
    proofs: { claims: () => [], onChange: () => {} },
    onConfigured: (addresses) => {
      configured = addresses
    },
  })
  await watcher.start()
  return { watcher, names, watched: () => watched, networks: () => networks, configured: () => configured }
}

const rangeOf = (address: string) => [parseKey(address), parseKey(address)]

test('what is watched follows the sites: added, disabled, enabled, deleted', async () => {
  const { watcher, watched } = await start()
  assert.deepEqual(watched(), [])
  const steps: [change: () => Promise<unknown>, expected: (number | null)[]][] = [
    [() => store.addSites(userId, ['192.0.2.1'], 1), rangeOf('192.0.2.1')],
    [() => store.setEnabled(userId, ['192.0.2.1'], false), []],
    [() => store.setEnabled(userId, ['192.0.2.1'], true), rangeOf('192.0.2.1')],
    [() => store.deleteSites(userId, ['192.0.2.1']), []],
  ]
  for (const [change, expected] of steps) {
    await change()
    await watcher.refresh()
    assert.deepEqual(watched(), expected)
  }
  await watcher.stop()
})

test('the networks among the sites are told, also those in which nothing new is watched', async () => {
  const { watcher, networks } = await start()
  const hosts = ['192.0.2.0/24', '192.0.2.64/27', '192.0.2.7', 'www.example.com']
  await store.addSites(userId, hosts, 10)
  await watcher.refresh()
  assert.deepEqual(networks().map(formatNetworkKey).sort(), hosts.slice(0, 2))
  await store.setEnabled(userId, ['192.0.2.64/27'], false)
  await watcher.refresh()
  assert.deepEqual(networks().map(formatNetworkKey), ['192.0.2.0/24'])
  await watcher.stop()
})

test('a change that comes while the sites are read is seen too', async () => {
  const { watcher, watched } = await start()
  await store.addSites(userId, ['192.0.2.1'], 1)
  const first = watcher.refresh()
  await store.addSites(userId, ['192.0.2.9'], 1)
  await Promise.all([first, watcher.refresh(), watcher.refresh()])
  assert.deepEqual(watched(), [...rangeOf('192.0.2.1'), ...rangeOf('192.0.2.9')])
  await watcher.stop()
})

test('while the store is down the last known sites are watched', async () => {
  await store.addSites(userId, ['192.0.2.1'], 1)
  let down = false
  const { watcher, watched } = await start({
    sitesVersion: async () => {
      if (down) throw new AppError('STORE_UNAVAILABLE', 'disk full')
      return store.sitesVersion()
    },
  })
  down = true
  await watcher.refresh()
  assert.deepEqual(watched(), rangeOf('192.0.2.1'))
  assert.deepEqual(watcher.check(), { ok: true, detail: '1 addresses are watched' })
  clock.advance(11_000)
  assert.deepEqual(watcher.check(), { ok: false, detail: 'the sites could not be read for 11 s' })
  down = false
  await watcher.refresh()
  assert.equal(watcher.check().ok, true)
  await watcher.stop()
})

test('a watcher whose sites can not be read does not start: it would watch nothing', async () => {
  const enabledSites = async () => {
    throw new AppError('STORE_UNAVAILABLE', 'database disk image is malformed')
  }
  await assert.rejects(start({ enabledSites }), { code: 'STORE_UNAVAILABLE' })
})

test('bindings outlive the process', async () => {
  const binding = {
    name: 'www.example.com',
    address: 0xc6336401,
    chain: [],
    fromMs: clock.now(),
    confirmedMs: clock.now(),
    ttlSeconds: 60,
  }
  await store.saveBindings([binding])
  await store.addSites(userId, ['www.example.com'], 1)
  const { watcher, watched, configured } = await start()
  assert.deepEqual(watched(), [0xc6336401, 0xc6336401])
  assert.deepEqual(configured(), [[0xc6336401]])
  await watcher.stop()
  assert.deepEqual(await store.loadBindings(), [binding])
})
