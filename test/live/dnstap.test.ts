// Names that nobody registered: unbound, BIND and dnsdist are asked for names below wildcards and tell of it over dnstap; what the names lead
// to is attacked, and each event has the name as its domain.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { encode } from 'dns-packet'
import { type FirstUser, makeFirstUser } from '../helpers/first-user.ts'
import { attackUntil, type FlowSender, flowSender } from '../helpers/flows.ts'
import { metricSum, metricsOf } from '../helpers/metrics.ts'
import { type RunningService, startService } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { freePort } from './free-port.ts'
import { skip } from './requirements.ts'
import { Bind, Dnsdist } from './servers/dnstap-servers.ts'
import { type NameServer, Nsd, resolverAt, Unbound } from './servers/name-servers.ts'

interface Case {
  what: string
  name: string
  address: string
  server: () => NameServer
  /** The chain of aliases in the DNS evidence. */
  cname: string[]
  /** Asked as resolvers ask. */
  isIterative?: true
}

/** A question without the wish for recursion, as a resolver has it for a server of the zone; resolves with the answer. */
async function askIteratively(port: number, name: string): Promise<void> {
  const socket = createSocket('udp4')
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const answered = once(socket, 'message')
  socket.send(encode({ type: 'query', id: 1, questions: [{ type: 'A', name }] }))
  await answered
  socket.close()
}

describe('dnstap of real servers', { skip, timeout: 480_000 }, () => {
  let folder: string
  let nsd: Nsd
  let unbound: Unbound
  let bind: Bind
  let dnsdist: Dnsdist
  let service: RunningService
  let user: FirstUser
  let sender: FlowSender
  const cases: Case[] = [
    {
      what: 'unbound, over TCP: what it was told, over two zones',
      name: 'shop.u.zone.example',
      address: '198.51.100.1',
      server: () => unbound,
      cname: ['edge.cdn.example'],
    },
    {
      what: 'BIND, over a unix socket: what it answered a resolver for its own zone',
      name: 'shop.b.example',
      address: '198.51.100.2',
      server: () => bind,
      cname: [],
      isIterative: true,
    },
    {
      what: 'BIND, over a unix socket: what it was told as a forwarder',
      name: 'shop.f.example',
      address: '198.51.100.3',
      server: () => bind,
      cname: [],
    },
    {
      what: 'dnsdist, over TCP: what it passed on',
      name: 'shop.d.example',
      address: '198.51.100.4',
      server: () => dnsdist,
      cname: ['edge.d.example'],
    },
  ]

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dnstap-live-'))
    const path = join(folder, 'dnstap.sock')
    const port = await freePort()
    nsd = await new Nsd(['u.zone.example', 'cdn.example', 'f.example', 'd.example']).start({
      'u.zone.example': 'shop 60 CNAME edge.cdn.example.',
      'cdn.example': 'edge 60 A 198.51.100.1',
      'f.example': 'shop 60 A 198.51.100.3',
      'd.example': 'shop 60 CNAME edge\nedge 60 A 198.51.100.4',
    })
    const config = join(folder, 'floodgauge.yaml')
    writeFileSync(
      config,
      `names:\n  resolvers: ['127.0.0.1:${nsd.port}']\n  dnstap:\n    listen: ['${path}', '127.0.0.1:${port}']\n`,
    )
    service = await startService(undefined, { args: ['--config', config] })
    user = await makeFirstUser(service)
    sender = await flowSender(service.flowAddresses[0])
    unbound = await new Unbound().start({
      stubs: { 'u.zone.example': nsd.port, 'cdn.example': nsd.port },
      lines: [
        `dnstap:
  dnstap-enable: yes
  dnstap-ip: "127.0.0.1@${port}"
  dnstap-tls: no
  dnstap-send-identity: yes
  dnstap-identity: "unbound"
  dnstap-log-resolver-response-messages: yes`,
      ],
    })
    bind = await new Bind().start({
      zone: 'b.example',
      records: 'shop 60 A 198.51.100.2',
      forwarded: { 'f.example': nsd.port },
      dnstap: path,
    })
    dnsdist = await new Dnsdist().start({ server: nsd.port, dnstap: `127.0.0.1:${port}` })
    await user.client.addSites(cases.map(({ name }) => name.replace('shop', '*')))
  })
  after(async () => {
    await sender?.close()
    await service?.stop()
    await Promise.all([dnsdist?.stop(), bind?.stop(), unbound?.stop(), nsd?.stop()])
    rmSync(folder, { recursive: true, force: true })
  })

  for (const { what, name, address, server, cname, isIterative } of cases) {
    it(what, async () => {
      const { client } = user
      if (isIterative) await askIteratively(server().port, name)
      else assert.equal((await resolverAt(server().server).resolve(name)).kind, 'addresses')
      const eventOf = async () => (await client.listEvents()).find((event) => event.ip === address)
      await attackUntil(sender, address, async () => (await eventOf()) !== undefined)
      const event = await eventOf()
      assert.deepEqual([event?.domain, event?.site], [name, name.replace('shop', '*')])
      const detail = await client.getEvent(event?._id ?? '')
      const own = detail?.dac.find(({ domain }) => domain === name)
      assert.deepEqual([Object.keys(own?.a ?? {}), Object.keys(own?.cname ?? {})], [[address], cname])
    })
  }

  it('each is known by its name, and nothing was turned away', async () => {
    const text = await metricsOf(service.url)
    for (const sensor of ['unbound', 'bind', 'dnsdist'])
      assert.match(text, new RegExp(`floodgauge_dnstap_last_answer_timestamp_seconds\\{sensor="${sensor}"\\} \\d+`))
    assert.equal(metricSum(text, 'floodgauge_dnstap_refused_total'), 0)
  })

  it('a server that ends is no hindrance', async () => {
    await bind.end()
    await until(
      'the connection is over',
      async () => metricSum(await metricsOf(service.url), 'floodgauge_dnstap_connections') === 2,
    )
  })
})
