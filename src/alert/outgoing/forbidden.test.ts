// Places that users may not have messages sent to, in every spelling that leads there: each is refused, and no connection is begun.
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { createServer, type Server } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { installationOf } from '../../../test/helpers/labs/alerts.ts'
import { a, aaaa, cname, DnsServer, response } from '../../../test/helpers/servers/dns-server.ts'
import { patienceMs } from '../../../test/helpers/until.ts'
import { reportExample } from '../../contract/events/examples.ts'
import { webhook } from '../channels/webhook.ts'
import { HostNames, type Resolve } from './host-names.ts'
import { listOf } from './reach.ts'
import { whyUnreachable } from './request.ts'

const machine = '8.8.4.4'

/** Hosts of URLs, by how they are written. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  'loopback, plain': ['127.0.0.1', '127.8.9.10', '127.0.0.1.', 'localhost', '[::1]', '[0:0:0:0:0:0:0:1]'],
  decimal: ['2130706433', '3232235521', '167772161', '2852039166', '0'],
  octal: ['0177.0.0.1', '017700000001', '0300.0250.0.1', '012.0.0.1', '0251.0376.0251.0376'],
  hexadecimal: ['0x7f000001', '0x7f.0.0.1', '0x7f.1', '0xa9fea9fe', '0xc0.0xa8.0.1'],
  'with fewer parts': ['127.1', '10.1', '192.168.257'],
  'in other digits': ['①②⑦.⓪.⓪.①', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '%6c%6fcalhost'],
  mapped: ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]', '[::127.0.0.1]'],
  translated: [
    '[64:ff9b::7f00:1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::a00:1]',
    '[::ffff:0:127.0.0.1]',
    '[2002:7f00:1::]',
  ],
  'other tunnels': ['[2001:0:7f00:1::]', '[fe80::5efe:127.0.0.1]'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '[fc00::1]', '[fd12:3456::1]'],
  'clouds and links': ['169.254.169.254', '[fd00:ec2::254]', '[fe80::1]', '[ff02::1]', '224.0.0.1', '255.255.255.255'],
  nobody: ['0.0.0.0', '[::]', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '240.0.0.1', '[2001:db8::1]'],
  'this machine': [machine, `[::ffff:${machine}]`],
}

/** What the name server answers, one after the other; the last stands for all that follow. */
const names: Readonly<Record<string, readonly string[][]>> = {
  'inside.example': [['127.0.0.1']],
  'private.example': [['10.0.0.1']],
  'cloud.example': [['169.254.169.254']],
  'one-of-two.example': [['8.8.8.8', '127.0.0.1']],
  'alias.example': [['127.0.0.1']],
  'inside-by-ipv6.example': [[]],
  'one-of-two-by-ipv6.example': [['8.8.8.8']],
}
const ipv6: Readonly<Record<string, readonly string[]>> = {
  'inside-by-ipv6.example': ['::1'],
  'one-of-two-by-ipv6.example': ['fd12:3456::1'],
}

const urls = [...Object.values(hosts).flat(), ...Object.keys(names)].map((host) => `http://${host}:8080/`)
/** Ports, schemes and users: of an address that may be reached. */
const others = [
  ...['http://8.8.8.8:22/', 'http://8.8.8.8:25/', 'https://8.8.8.8:6379/', 'http://8.8.8.8:0/'],
  ...['ftp://8.8.8.8/', 'file:///etc/passwd', 'gopher://8.8.8.8:80/', 'http://user:word@8.8.8.8/'],
]

let dns: DnsServer
let listener: Server
let connections = 0
let begun = 0
const count = () => begun++
/** Anything in this process that connects, but to the name server. */
const channel = 'net.client.socket'

before(async () => {
  const asked = new Map<string, number>()
  dns = await new DnsServer((question) => {
    if (question.type === 'AAAA')
      return [
        response(
          question,
          (ipv6[question.name] ?? []).map((data) => aaaa(question.spelled, data)),
        ),
      ]
    const times = asked.get(question.name) ?? 0
    asked.set(question.name, times + 1)
    const answers = names[question.name] ?? moving
    const found = answers[Math.min(times, answers.length - 1)]
    if (question.name !== 'alias.example')
      return [
        response(
          question,
          found.map((data) => a(question.spelled, data)),
        ),
      ]
    return [
      response(question, [
        cname(question.spelled, 'target.example'),
        ...found.map((data) => a('target.example', data)),
      ]),
    ]
  }).start()
  listener = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((done) => listener.listen(0, done))
  diagnostics.subscribe(channel, count)
})
after(() => {
  diagnostics.unsubscribe(channel, count)
  dns.stop()
  listener.close()
})
beforeEach(() => {
  begun = 0
})

/** What was public when the channel was made, and is not any more when a message is sent. */
const moving = [['8.8.8.8'], ['127.0.0.1']]

const resolve: Resolve = (name) => new HostNames({ servers: [dns.address] }).of('test')(name)
const reaching = { reach: 'public', allowed: listOf([]), resolve, ownAddresses: () => [machine] } as const
const options = { ...reaching, userId: 'u1', email: '', installation: installationOf(), channelId: '1' }

function sendTo(url: string) {
  const facts = { severity: 'high', label: null, before: null } as const
  const message = { type: 'event.started', id: 'msg_1_1', number: 1, atMs: 0, facts, event: {}, report: reportExample }
  const secrets = { secret: `whsec_${Buffer.alloc(24).toString('base64')}` }
  return webhook.send(message, {
    ...options,
    settings: { url },
    secrets,
    nowMs: 0,
    signal: AbortSignal.timeout(patienceMs),
  })
}

describe('what users may not reach', () => {
  it('is refused when a channel is made and when a message is sent, and nothing connects', async () => {
    const { port } = Object(listener.address())
    const own = ['127.0.0.1', '[::1]', '2130706433', 'inside.example'].map((host) => `http://${host}:${port}/`)
    const all = [...urls, ...others, ...own]
    assert.ok(all.length >= 60, String(all.length))
    for (const url of all) {
      assert.notEqual(await whyUnreachable(url, options), null, url)
      assert.equal((await sendTo(url)).outcome, 'refused', url)
    }
    assert.deepEqual([begun, connections], [0, 0])
  })

  it('is refused though its name led elsewhere when the channel was made', async () => {
    const url = 'http://moves.example:8080/'
    assert.equal(await whyUnreachable(url, options), null)
    const { outcome, text } = await sendTo(url)
    assert.deepEqual([outcome, text], ['refused', 'moves.example leads to an address that is not public'])
    assert.deepEqual([begun, connections], [0, 0])
  })

  it('would be seen if anything connected', async () => {
    const { port } = Object(listener.address())
    const { outcome } = await webhook.send(
      {
        type: 'x',
        id: 'x',
        number: 1,
        atMs: 0,
        facts: { severity: 'low', label: null, before: null },
        event: {},
        report: reportExample,
      },
      {
        ...{ ...options, reach: 'any', settings: { url: `http://127.0.0.1:${port}/` }, nowMs: 0 },
        ...{ secrets: {}, signal: AbortSignal.timeout(patienceMs) },
      },
    )
    assert.equal(outcome, 'failed')
    assert.deepEqual([begun > 0, connections], [true, 1])
  })
})
