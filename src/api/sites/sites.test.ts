import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'

let api: TestApi
let caller: TestCaller
let users = 0

before(async () => {
  api = await createTestApi({ settings: { ratePerMinute: 0 } })
})
after(() => api.close())
beforeEach(async () => {
  caller = await api.addCaller(`user${users++}@Example.net`, { siteQuota: 1_000 })
})

async function post(path: string, hosts: unknown, as = caller) {
  const answer = await api.server.inject({ method: 'POST', url: path, headers: as.headers, payload: { hosts } })
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  return answer.json()
}

async function list(as = caller) {
  const answer = await api.server.inject({ url: '/open/site', headers: as.headers })
  assert.equal(answer.statusCode, 200)
  return answer.json()
}

const hostsOf = ({ data }: { data: { host: string }[] }) => data.map(({ host }) => host)
const shortPrefix = 'The CIDR prefix must be >=24'

describe('adding', () => {
  it('answers each form of host, and lists it in canonical form', async () => {
    const hosts = ['WWW.Example.COM.', '*.example.org', '192.0.2.7', '192.0.2.77/24', '192.0.2.8/32', 'bücher.example']
    assert.deepEqual(await post('/open/site/add', hosts), { status: 1, success: hosts, error: [] })
    const listed = await list()
    assert.deepEqual(
      hostsOf(listed).sort(),
      ['*.example.org', '192.0.2.0/24', '192.0.2.7', '192.0.2.8', 'www.example.com', 'xn--bcher-kva.example'].sort(),
    )
    assert.deepEqual(
      listed.data.find(({ host }: { host: string }) => host === '192.0.2.7'),
      {
        create_time: '2026-01-15T12:00:00+00:00',
        group_id: null,
        group_name: '',
        host: '192.0.2.7',
        is_enable: true,
        user_email: caller.user.email,
      },
    )
  })

  it('gives a verdict over all, and a reason a host', async () => {
    assert.deepEqual(await post('/open/site/add', ['192.0.2.1', '192.0.2.0/23']), {
      status: 0,
      success: ['192.0.2.1'],
      error: [{ '192.0.2.0/23': shortPrefix }],
    })
    assert.deepEqual(await post('/open/site/add', ['1.1.1.1/8']), {
      status: -1,
      success: [],
      error: [{ '1.1.1.1/8': shortPrefix }],
    })
  })

  it('answers rejected hosts whatever they are called', async () => {
    const hosts = ['__proto__', 'constructor', 'a\nb', '', '"', '\ud800', '1']
    const { status, error } = await post('/open/site/add', hosts)
    assert.equal(status, -1)
    assert.deepEqual(
      error.map((each: object) => Object.keys(each)),
      hosts.map((host) => [host]),
    )
    assert.ok(
      error.every((each: object) => Object.values(each).every((reason) => typeof reason === 'string' && reason !== '')),
    )
  })

  it('of what is there succeeds and changes nothing', async () => {
    await post('/open/site/add', ['192.0.2.1'])
    await post('/open/site/disable', ['192.0.2.1'])
    api.clock.advance(5_000)
    assert.deepEqual(await post('/open/site/add', ['192.0.2.1/32']), {
      status: 1,
      success: ['192.0.2.1/32'],
      error: [],
    })
    const { data } = await list()
    assert.deepEqual([data.length, data[0].is_enable], [1, false])
  })

  it('answers a duplicate once, as first spelt', async () => {
    const hosts = ['B.example.com', 'b.example.com.', 'b.example.com', '10.0.0.0/8', '10.0.0.0/8']
    assert.deepEqual(await post('/open/site/add', hosts), {
      status: 0,
      success: ['B.example.com'],
      error: [{ '10.0.0.0/8': shortPrefix }],
    })
  })

  it('stops at the quota, host by host', async () => {
    const small = await api.addCaller('small@example.net', { siteQuota: 2 })
    const outcome = await post('/open/site/add', ['192.0.2.1', '192.0.2.2', '192.0.2.3'], small)
    assert.deepEqual(outcome, {
      status: 0,
      success: ['192.0.2.1', '192.0.2.2'],
      error: [{ '192.0.2.3': 'The quota of 2 sites is used up' }],
    })
    assert.equal((await post('/open/site/add', ['192.0.2.1'], small)).status, 1)
  })

  it('refuses what lies outside the allow-list of the user', async () => {
    const allowed = { networks: ['192.0.2.0/25'], domains: ['example.com'] }
    const tenant = await api.addCaller('tenant@example.net', { allowed })
    const reason = 'The host is outside the networks and domains that this account may monitor'
    const outcome = await post('/open/site/add', ['192.0.2.5', '192.0.2.0/24', '*.example.com', 'example.org'], tenant)
    assert.deepEqual(outcome, {
      status: 0,
      success: ['192.0.2.5', '*.example.com'],
      error: [{ '192.0.2.0/24': reason }, { 'example.org': reason }],
    })
  })
})

describe('adding under a policy that asks for a say', () => {
  const reason = 'The host is outside the networks and domains that this account may monitor'
  const allowed = { networks: ['198.51.100.0/24'], domains: ['example.net'] }

  it('refuses what is another’s as it refuses what is nobody’s', async () => {
    await api.addCaller('holder@example.net', { policy: 'assigned', allowed })
    const caller = await api.addCaller('assigned@example.net', {
      policy: 'assigned',
      allowed: { networks: ['192.0.2.0/25'], domains: [] },
    })
    const hosts = ['192.0.2.5', '198.51.100.5', '203.0.113.5', 'www.example.net', 'www.example.org']
    assert.deepEqual(await post('/open/site/add', hosts, caller), {
      status: 0,
      success: ['192.0.2.5'],
      error: hosts.slice(1).map((host) => ({ [host]: reason })),
    })
    const empty = await api.addCaller('empty@example.net', { policy: 'assigned' })
    assert.equal((await post('/open/site/add', hosts, empty)).status, -1)
  })

  it('takes what can be proved, whosever it is', async () => {
    const caller = await api.addCaller('verified@example.net', { policy: 'verified' })
    assert.deepEqual(await post('/open/site/add', ['198.51.100.5', 'www.example.net', 'co.uk'], caller), {
      status: 0,
      success: ['198.51.100.5', 'www.example.net'],
      error: [{ 'co.uk': reason }],
    })
  })
})

describe('changing', () => {
  const verbs = ['delete', 'enable', 'disable']

  for (const verb of verbs) {
    it(`${verb} answers as the caller spelt, and what is no site of theirs as plain text`, async () => {
      await post('/open/site/add', ['www.example.com', '192.0.2.0/24'])
      const other = await api.addCaller('other@example.net')
      await post('/open/site/add', ['other.example.com'], other)
      const hosts = [
        'WWW.example.com.',
        '192.0.2.9/24',
        'other.example.com',
        'none.example.com',
        'nonsense',
        '10.0.0.0/8',
      ]
      assert.deepEqual(await post(`/open/site/${verb}`, [...hosts, 'www.example.com']), {
        status: 0,
        success: hosts.slice(0, 2),
        error: hosts.slice(2),
      })
      assert.deepEqual(await post(`/open/site/${verb}`, ['none.example.com']), {
        status: -1,
        success: [],
        error: ['none.example.com'],
      })
      assert.deepEqual(hostsOf(await list(other)), ['other.example.com'])
    })
  }

  it('disables, enables and deletes', async () => {
    await post('/open/site/add', ['192.0.2.1', '192.0.2.2'])
    const enabled = async () => (await list()).data.map((site: { is_enable: boolean }) => site.is_enable)
    assert.deepEqual(await enabled(), [true, true])
    assert.equal((await post('/open/site/disable', ['192.0.2.1', '192.0.2.2'])).status, 1)
    assert.deepEqual(await enabled(), [false, false])
    assert.equal((await post('/open/site/enable', ['192.0.2.2'])).status, 1)
    assert.deepEqual(await enabled(), [false, true])
    assert.equal((await post('/open/site/delete', ['192.0.2.1'])).status, 1)
    assert.deepEqual(await list(), { data: (await list()).data, status: 1 })
    assert.deepEqual(hostsOf(await list()), ['192.0.2.2'])
  })

  it('is announced when something changed, and only then', async () => {
    const steps: [path: string, hosts: string[], announced: boolean][] = [
      ['add', ['192.0.2.1'], true],
      ['add', ['192.0.2.1'], false],
      ['add', ['10.0.0.0/8'], false],
      ['disable', ['192.0.2.1'], true],
      ['disable', ['192.0.2.2'], false],
      ['enable', ['192.0.2.1', 'x'], true],
      ['delete', ['nonsense'], false],
      ['delete', ['192.0.2.1'], true],
    ]
    for (const [verb, hosts, announced] of steps) {
      const before = api.changes()
      await post(`/open/site/${verb}`, hosts)
      assert.equal(api.changes() - before, announced ? 1 : 0, `${verb} ${hosts}`)
    }
  })

  it('by another process is seen at once', async () => {
    await list()
    await api.store.addSites(caller.user.id, ['192.0.2.77'], api.clock.now())
    assert.deepEqual(hostsOf(await list()), ['192.0.2.77'])
  })
})
