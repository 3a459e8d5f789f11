// Zone transfers from real name servers, NSD and BIND: with the right key the names of the zone are known, with another, or none, they are not;
// a zone of thousands of names comes in many messages, of which NSD does not sign each.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { transferZone } from '../../src/names/zones/transfer.ts'
import type { TsigKey as SettingsKey } from '../../src/names/zones/tsig.ts'
import { clientOf, makeFirstUser } from '../helpers/first-user.ts'
import { metricSum, metricsOf } from '../helpers/metrics.ts'
import { startService } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { freePort } from './free-port.ts'
import { skip } from './requirements.ts'
import { NameServer, Nsd, type TransferKey } from './servers/name-servers.ts'

const keyOf = (algorithm: string): TransferKey => ({
  ...{
    name: 'transfer.key',
    algorithm,
    secret: Buffer.from(`a secret for ${algorithm}, long enough`).toString('base64'),
  },
})
const namesCount = 20_000
const records = [
  'www 300 A 198.51.100.1',
  'shop 300 CNAME edge.cdn.example.',
  'old 300 CNAME www',
  '* 300 A 198.51.100.9',
  'text 300 TXT "a;b"',
  'service 300 TYPE65534 \\# 3 010203',
  ...Array.from({ length: namesCount }, (_, i) => `h${i} 300 A 198.51.${100 + (i % 4)}.${i % 250}`),
].join('\n')

class BindPrimary extends NameServer {
  constructor() {
    super('named')
  }

  async start(zone: string, key: TransferKey): Promise<this> {
    this.port = await freePort()
    const soa = `$ORIGIN ${zone}.\n@ 60 SOA ns.${zone}. hostmaster.${zone}. 7 3600 600 86400 1\n@ 60 NS ns.${zone}.\nns 60 A 127.0.0.1\n`
    this.writeFile('zone', `${soa}${records}\n`)
    await this.run(
      `key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };
options {
  directory "${this.folder}";
  pid-file none;
  session-keyfile none;
  lock-file none;
  listen-on port ${this.port} { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion no;
  allow-transfer { key "${key.name}"; };
};
controls { };
zone "${zone}" { type primary; file "${this.folder}/zone"; };
`,
      zone,
      ['-g', '-c'],
    )
    return this
  }
}

describe('zone transfers from real servers', { skip, timeout: 480_000 }, () => {
  const key = keyOf('hmac-sha256')
  const bindKey = keyOf('hmac-sha512')
  let nsd: Nsd
  let bind: BindPrimary
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'floodgauge-zones-'))
    nsd = await new Nsd(['zone.example'], key).start({ 'zone.example': records })
    bind = await new BindPrimary().start('bind.example', bindKey)
  })
  after(async () => {
    for (const server of [nsd, bind]) await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const settingsKey = ({ name, algorithm, secret }: TransferKey, change: Partial<SettingsKey> = {}): SettingsKey => {
    if (algorithm !== 'hmac-sha256' && algorithm !== 'hmac-sha512') throw new Error(algorithm)
    return { name, algorithm, secret: Buffer.from(secret, 'base64'), ...change }
  }
  const transfer = (server: NameServer, zone: string, by: SettingsKey | null) =>
    transferZone({
      ...{ server: server.server, zone, key: by, knownSerial: null, signal: new AbortController().signal },
      now: () => Math.floor(Date.now() / 1_000),
    })

  it('with the right key are whole, with another or none are refused', async () => {
    for (const [server, zone, given] of [
      [nsd, 'zone.example', key],
      [bind, 'bind.example', bindKey],
    ] as const) {
      // BIND answers before it has loaded its zones (SERVFAIL).
      const whole = await until(`the zone ${zone}`, async () => {
        const outcome = await transfer(server, zone, settingsKey(given))
        return outcome.kind === 'zone' && outcome
      })
      assert.equal(whole.leading.length, namesCount + 5)
      assert.deepEqual(whole.leading.find(({ name }) => name === `shop.${zone}`)?.value, 'edge.cdn.example')
      assert.ok(whole.leading.some(({ name }) => name === `*.${zone}`))
      const reasonWith = async (by: SettingsKey | null) => {
        const outcome = await transfer(server, zone, by)
        return outcome.kind === 'failed' ? outcome.reason : outcome.kind
      }
      assert.equal(await reasonWith(settingsKey(given, { secret: Buffer.from('another secret') })), 'signature')
      assert.equal(await reasonWith(settingsKey(given, { name: 'another.key' })), 'signature')
      assert.equal(await reasonWith(null), 'refused')
    }
  })

  it('tell the service the names of its sites', async () => {
    const secretFile = join(folder, 'secret')
    writeFileSync(secretFile, `${key.secret}\n`)
    const zones = [
      {
        zone: 'zone.example',
        server: `127.0.0.1:${nsd.port}`,
        tsig: { name: key.name, algorithm: key.algorithm, secretFile },
      },
      { zone: 'bind.example', server: `127.0.0.1:${bind.port}` },
    ]
    const env = { FLOODGAUGE_NAMES_ZONES: JSON.stringify(zones), FLOODGAUGE_NAMES_RESOLVERS: '127.0.0.1:1' }
    const dataFolder = join(folder, 'data')
    const service = await startService(undefined, { env, dataFolder })
    const user = await makeFirstUser(service)
    try {
      await until(
        'the transfers',
        async () => metricSum(await metricsOf(service.url), 'floodgauge_zone_checks_total') >= 2,
      )
      const metrics = await metricsOf(service.url)
      assert.equal(metricSum(metrics, 'floodgauge_zone_checks_total', 'zone="zone.example",result="transferred"'), 1)
      assert.equal(metricSum(metrics, 'floodgauge_zone_checks_total', 'zone="bind.example",result="refused"'), 1)
      assert.equal(metricSum(metrics, 'floodgauge_zone_bindings', 'zone.example'), namesCount + 4)
      // A wildcard has room for some of these names: those that are asked for are known, and always one that is a site by itself.
      await user.client.addSites(['*.zone.example', 'old.zone.example'])
    } finally {
      await service.stop()
    }
    // A service that starts has its zones at once.
    const again = await startService(undefined, { env, dataFolder })
    try {
      const client = clientOf(again.url, user)
      const known = await until('the names of the zone', async () => {
        const found = await client.queryPassiveDns('old.zone.example')
        return found.length > 0 && found
      })
      assert.deepEqual(
        known.map(({ rrname, rrtype, rdata, sensor_id: sensor }) => [rrname, rrtype, rdata, sensor]),
        [
          ['old.zone.example', 'CNAME', 'www.zone.example', 'zone zone.example'],
          ['www.zone.example', 'A', '198.51.100.1', 'zone zone.example'],
        ],
      )
      const { addresses } = (await client.getSite('*.zone.example')) ?? { addresses: [] }
      assert.ok(addresses.length > 0)
    } finally {
      await again.stop()
    }
  })
})
