// Users who help themselves: what one proves in the DNS is watched, with all of its attacks, and what only a name leads to is told in totals
// or not at all; also after a restart.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { EventReport } from '../../../client/index.ts'
import { clientOf, type FirstUser, makeFirstUser } from '../../helpers/first-user.ts'
import { type FlowSender, flowSender, synFlood } from '../../helpers/flows.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { a, DnsServer, type Reply, response, txt } from '../../helpers/servers/dns-server.ts'
import { MailReceiver } from '../../helpers/servers/mail-receiver.ts'
import { floodgauge, type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const www = 'www.example.com'
const evil = 'evil.example.net'
const victim = '198.51.100.7'
const nobodys = '203.0.113.7'

const texts = new Map<string, string>()
const addresses = new Map([
  [www, victim],
  [evil, victim],
  ['plain.example.net', nobodys],
])
let dns: DnsServer
let reply: Reply
let folder: string
let service: RunningService
let ann: FirstUser
let eve: FirstUser
let sender: FlowSender
let stopAttack = () => {}
/** What users are told. */
let receiver: MailReceiver

async function start(): Promise<void> {
  const env = { FLOODGAUGE_NAMES_RESOLVERS: dns.address, FLOODGAUGE_ACCESS_POLICY: 'verified' }
  const { host, port, from } = receiver.settings()
  const smtp = Object.entries({ HOST: host, PORT: String(port), TLS: 'none', FROM: from })
  const mail = Object.fromEntries(smtp.map(([name, value]) => [`FLOODGAUGE_ALERTS_SMTP_${name}`, value]))
  service = await startService(undefined, { dataFolder: folder, env: { ...env, ...mail } })
  sender = await flowSender(service.flowAddresses[0])
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-proofs-'))
  reply = (asked) => {
    const text = texts.get(asked.name)
    const address = addresses.get(asked.name)
    if (asked.type === 'TXT') return [response(asked, text === undefined ? [] : [txt(asked.name, text)])]
    return [response(asked, address === undefined ? [] : [a(asked.name, address)])]
  }
  dns = await new DnsServer(reply).start()
  receiver = await new MailReceiver().start()
  await start()
  ann = await makeFirstUser(service)
  await floodgauge('user', 'add', 'eve@example.net', '--data', folder)
  const token = (await floodgauge('token', 'create', 'eve@example.net', '--data', folder)).trim()
  eve = { email: 'eve@example.net', token, client: clientOf(service.url, { email: 'eve@example.net', token }) }
})
after(async () => {
  stopAttack()
  await sender?.close()
  await service?.stop()
  dns?.stop()
  await receiver?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true })
})

/** Puts the record that the site asks for into the DNS. */
async function prove({ client }: FirstUser, host: string): Promise<void> {
  const { proof } = (await client.getSite(host)) ?? {}
  assert.ok(proof, host)
  texts.set(proof.record.name, proof.record.text)
  assert.equal((await client.verifySite(host))?.proof?.state, 'verified')
}

async function isWatched({ client }: FirstUser, host: string): Promise<boolean> {
  return (await client.getSite(host))?.isWatched === true
}

it('a site is watched when it has been proved, by whoever asked for it', async () => {
  const { client } = ann
  assert.equal((await client.addSites([www, victim, 'co.uk'])).status, 0)
  assert.deepEqual((await client.listSites()).map(({ host }) => host).toSorted(), [victim, www])
  assert.equal((await client.verifySite(www))?.proof?.state, 'pending')
  assert.equal(await isWatched(ann, www), false)
  await prove(ann, www)
  await until('the name is watched', () => isWatched(ann, www))
  const site = await until('where it leads', async () => {
    const report = await client.getSite(www)
    return report?.addresses.length === 1 && report
  })
  assert.deepEqual(
    [site.addresses[0].address, site.addresses[0].isOwn, site.addresses[0].traffic],
    [victim, false, 'unknown'],
  )
  await prove(ann, victim)
  await until('the address is watched', () => isWatched(ann, victim))
  assert.equal((await client.getSite(www))?.addresses[0].isOwn, true)

  await eve.client.addSites([evil, 'plain.example.net', www, victim])
  for (const host of [evil, 'plain.example.net']) await prove(eve, host)
  // The other's record is not hers.
  for (const host of [www, victim]) assert.equal((await eve.client.verifySite(host))?.proof?.state, 'pending')
  await until(
    'the names are watched',
    async () => (await isWatched(eve, evil)) && (await isWatched(eve, 'plain.example.net')),
  )
})

it('after a restart it is watched at once, though no resolver answers', async () => {
  await sender.close()
  await service.stop()
  dns.reply = () => []
  await start()
  const { url } = service
  ann = { ...ann, client: clientOf(url, ann) }
  eve = { ...eve, client: clientOf(url, eve) }
  assert.deepEqual(
    [await isWatched(ann, www), await isWatched(ann, victim), await isWatched(eve, evil)],
    [true, true, true],
  )
  assert.equal(metricSum(await metricsOf(url), 'floodgauge_proofs', 'state="verified"'), 4)
})

it('an attack is told in full to who proved the address, in totals to who did not, and not to strangers', async () => {
  const pulse = setInterval(() => {
    void sender.send([...synFlood(victim, 600), ...synFlood(nobodys, 600)]).catch(() => {})
  }, 250)
  stopAttack = () => clearInterval(pulse)
  const reportOf = async ({ client }: FirstUser, wanted: (report: EventReport) => boolean): Promise<EventReport> =>
    until(
      'the event',
      async () => {
        for (const { id } of await client.findEvents()) {
          const report = await client.getEventReport(id)
          if (report !== null && wanted(report)) return report
        }
        return false
      },
      60_000,
    )
  const hers = await reportOf(ann, ({ statistics }) => statistics.sources.entries.length > 0)
  assert.deepEqual([hers.address, hers.site, hers.domain, hers.view], [victim, victim, www, 'all'])
  const totals = await reportOf(eve, () => true)
  assert.deepEqual([totals.address, totals.domain, totals.view], [nobodys, 'plain.example.net', 'totals'])
  stopAttack()
  assert.deepEqual(
    (await eve.client.findEvents()).map(({ address }) => address),
    [nobodys],
  )
  assert.deepEqual(totals.statistics.sources.entries, [])
})

it('the operator sees who proves what, without the tokens', async () => {
  const out = await floodgauge(
    'proof',
    'list',
    '--url',
    service.url,
    '--email',
    ann.email,
    '--token',
    ann.token,
    '--json',
  )
  const proofs = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    proofs.map(({ userEmail, subject, state }) => `${userEmail} ${subject} ${state}`),
    [
      `ann@example.net ${www} verified`,
      `ann@example.net ${victim}/32 verified`,
      `eve@example.net ${evil} verified`,
      'eve@example.net plain.example.net verified',
      `eve@example.net ${www} pending`,
      `eve@example.net ${victim}/32 pending`,
    ],
  )
  for (const text of texts.values()) assert.ok(!out.includes(/token=(\S+)/.exec(text)?.[1] ?? '?'))
  await assert.rejects(eve.client.listProofs(), { status: 403 })
})

it('whose record is gone is told once, also over a restart, and when it is there again; admins are not', async () => {
  const told = () => receiver.received.map(({ to, headers }) => `${to} ${headers.get('subject')}`)
  const addChannel = async ({ email, token }: FirstUser) => {
    const headers = { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Me', kind: 'mail', settings: { to: [email] } })
    const answer = await fetch(`${service.url}/api/v1/alerts/channels`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, await answer.text())
  }
  dns.reply = reply
  await addChannel(ann)
  await addChannel(eve)
  const { proof } = (await eve.client.getSite(evil)) ?? {}
  const { name = '', text = '' } = proof?.record ?? {}
  texts.delete(name)
  assert.equal((await eve.client.verifySite(evil))?.proof?.state, 'missed')
  await until('she is told', async () => told().length > 0)
  assert.ok(receiver.received[0].raw.replaceAll('=\r\n', '').includes(`there is no valid TXT record ${name}`))
  await sender.close()
  await service.stop()
  await start()
  eve = { ...eve, client: clientOf(service.url, eve) }
  const looks = async () => metricSum(await metricsOf(service.url), 'floodgauge_task_runs_total', 'task="own-health"')
  await until('it has looked again', async () => (await looks()) >= 2)
  texts.set(name, text)
  assert.equal((await eve.client.verifySite(evil))?.proof?.state, 'verified')
  await until('she is told', async () => told().length > 1)
  assert.deepEqual(told(), [
    `${eve.email} [HIGH] The proof of ${evil} is missing: without it the site is soon not watched`,
    `${eve.email} [OVER] The proof of ${evil} is missing no more`,
  ])
})
