import assert from 'node:assert/strict'
import { scrypt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type Asked, a, aaaa, DnsServer, response } from '../../../test/helpers/servers/dns-server.ts'
import { until } from '../../../test/helpers/until.ts'
import { HostNames, lookUpsAtOnce } from './host-names.ts'

const names: Readonly<Record<string, { A?: string[]; AAAA?: string[] }>> = {
  'both.example': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
  'old.example': { A: ['192.0.2.1'] },
  'new.example': { AAAA: ['2001:db8::1'] },
  relay: { A: ['192.0.2.9'] },
}
const servfail = 2
const nxdomain = 3

let folder: string
let server: DnsServer
let hostsFile: string
let hosts: HostNames
/** Questions that get no answer, or another one. */
let special: (asked: Asked) => 'silent' | 'broken' | null

const recordsFor = ({ name, spelled, type }: Asked) =>
  type === 'AAAA'
    ? (names[name]?.AAAA ?? []).map((address) => aaaa(spelled, address))
    : (names[name]?.A ?? []).map((address) => a(spelled, address))

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-hosts-'))
  hostsFile = join(folder, 'hosts')
  special = () => null
  server = await new DnsServer((asked) => {
    const how = special(asked)
    if (how === 'silent') return []
    if (how === 'broken') return [response(asked, [], { flags: servfail })]
    return [response(asked, recordsFor(asked), { flags: names[asked.name] === undefined ? nxdomain : 0 })]
  }).start()
  hosts = hostsWith()
})
afterEach(() => {
  hosts.stop()
  server.stop()
  rmSync(folder, { recursive: true })
})

const hostsWith = (given: { limitMs?: number } = {}) =>
  new HostNames({ servers: [server.address], hostsFile, ...given })
const addressesOf = async (name: string) => (await hosts.of('ann')(name)).map(({ address }) => address)
const silentNames = (count: number, prefix = 'silent') =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}.example`)
const isSilent = ({ name }: Asked) => name.startsWith('silent')

describe('a look-up of a host', () => {
  it('gives the addresses of both families, which are asked for side by side', async () => {
    special = () => 'silent'
    await assert.rejects(hostsWith({ limitMs: 500 }).of('ann')('both.example'))
    assert.deepEqual(new Set(server.asked.map(({ type }) => type)), new Set(['A', 'AAAA']))
    special = () => null
    const found = await hosts.of('ann')('Both.example.')
    assert.deepEqual(
      new Set(found.map(({ address, family }) => `${family} ${address}`)),
      new Set(['4 192.0.2.1', '4 192.0.2.2', '6 2001:db8::1']),
    )
    assert.deepEqual(
      [await addressesOf('old.example'), await addressesOf('new.example')],
      [['192.0.2.1'], ['2001:db8::1']],
    )
    assert.deepEqual(hosts.counts, { found: 3, missing: 0, failed: 0, refused: 0 })
  })

  it('is content with one family where the name server says nothing of the other', async () => {
    special = ({ type }) => (type === 'AAAA' ? 'silent' : null)
    assert.deepEqual(await addressesOf('old.example'), ['192.0.2.1'])
  })

  it('tells a name without addresses from one that nobody can tell of now', async () => {
    await assert.rejects(addressesOf('absent.example'), { code: 'ENOTFOUND' })
    await assert.rejects(addressesOf(`${'a'.repeat(64)}.example`), { code: 'ENOTFOUND' })
    special = () => 'broken'
    await assert.rejects(addressesOf('old.example'), { code: 'EAI_AGAIN' })
    special = ({ type }) => (type === 'A' ? 'broken' : null)
    await assert.rejects(addressesOf('absent.example'), { code: 'EAI_AGAIN' })
    assert.deepEqual(hosts.counts, { found: 0, missing: 2, failed: 2, refused: 0 })
  })

  it('ends in time where the name server says nothing', async () => {
    special = () => 'silent'
    hosts = hostsWith({ limitMs: 300 })
    await assert.rejects(addressesOf('old.example'), {
      code: 'EAI_AGAIN',
      message: 'no address of old.example within 0.3 seconds',
    })
    assert.equal(hosts.underWay, 0)
  })

  it('goes by the names of the machine first, as they are now', async () => {
    writeFileSync(
      hostsFile,
      '# relays\n192.0.2.7 relay.example Mail # a comment\n::1 mail\nfe80::1%eth0 mail\nnobody mail\n',
    )
    assert.deepEqual(
      [await addressesOf('MAIL'), await addressesOf('relay.example')],
      [['192.0.2.7', '::1'], ['192.0.2.7']],
    )
    writeFileSync(hostsFile, '192.0.2.70 old.example\n')
    assert.deepEqual(await addressesOf('old.example'), ['192.0.2.70'])
    assert.deepEqual(server.asked, [])
    rmSync(hostsFile)
    assert.deepEqual(await addressesOf('old.example'), ['192.0.2.1'])
  })

  it('finds this machine at localhost and below it, without asking anybody', async () => {
    for (const name of ['localhost', 'LOCALHOST.', 'hooks.localhost'])
      assert.deepEqual(new Set(await addressesOf(name)), new Set(['127.0.0.1', '::1']))
    writeFileSync(hostsFile, '127.0.0.1 localhost\n')
    assert.deepEqual(await addressesOf('localhost'), ['127.0.0.1'])
    assert.deepEqual(server.asked, [])
  })

  it('asks for a name of one label as it stands, and puts no domain behind any', async () => {
    assert.deepEqual(await addressesOf('relay'), ['192.0.2.9'])
    await assert.rejects(addressesOf('intranet'), { code: 'ENOTFOUND' })
    assert.deepEqual(new Set(server.asked.map(({ name }) => name)), new Set(['relay', 'intranet']))
  })
})

describe('look-ups of hosts', () => {
  const askedNames = () => new Set(server.asked.map(({ name }) => name))

  it('are a bounded number of each party at a time, and those of one do not delay another’s', async () => {
    let isOver = false
    special = (asked) => (isSilent(asked) && !isOver ? 'silent' : null)
    const waiting = silentNames(lookUpsAtOnce + 2)
    const all = Promise.allSettled(waiting.map((name) => hosts.of('ann')(name)))
    await until('as many as may are asked for', async () => askedNames().size === lookUpsAtOnce)
    assert.equal((await hosts.of('bob')('old.example')).length, 1)
    assert.deepEqual([hosts.underWay, askedNames().has(waiting[lookUpsAtOnce])], [waiting.length, false])
    // Tries again end them one after the other; the others follow.
    isOver = true
    await all
    assert.deepEqual([hosts.underWay, askedNames().size], [0, waiting.length + 1])
  })

  it('that are too many are refused at once', async () => {
    special = (asked) => (isSilent(asked) ? 'silent' : null)
    const all = Promise.allSettled(silentNames(lookUpsAtOnce + 64).map((name) => hosts.of('ann')(name)))
    await assert.rejects(addressesOf('old.example'), { code: 'EAI_AGAIN', message: /too many/ })
    assert.equal(hosts.counts.refused, 1)
    assert.equal((await hosts.of('bob')('old.example')).length, 1)
    hosts.stop()
    for (const { status } of await all) assert.equal(status, 'rejected')
    assert.equal(hosts.underWay, 0)
  })

  it('of one name at a time are one', async () => {
    const [first, second] = await Promise.all([addressesOf('old.example'), addressesOf('old.example')])
    assert.deepEqual([first, second, server.asked.length], [['192.0.2.1'], ['192.0.2.1'], 2])
    await addressesOf('old.example')
    assert.equal(server.asked.length, 4)
  })

  it('that nobody answers hold up no file and no hash', async () => {
    special = (asked) => (isSilent(asked) ? 'silent' : null)
    const parties = Array.from({ length: 8 }, (_, n) => `user${n}`)
    const all = parties.flatMap((party) => silentNames(8, `silent-${party}-`).map((name) => hosts.of(party)(name)))
    let ended = 0
    for (const each of all) each.then(undefined, () => ended++)
    await until('all are asked for', async () => askedNames().size === all.length)
    const content = await readFile(new URL(import.meta.url), 'utf8')
    const hash = await promisify(scrypt)('word', 'salt', 32)
    assert.deepEqual([content.includes('hold up no file'), Object(hash).length], [true, 32])
    assert.deepEqual([ended, hosts.underWay], [0, all.length])
    hosts.stop()
    await Promise.allSettled(all)
  })
})
