import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Commands } from '../../test/helpers/commands/commands.ts'
import { bareEnvironment } from '../../test/helpers/commands/environment.ts'
import type { Ended } from '../../test/helpers/commands/host.ts'
import { eventAt } from '../../test/helpers/servers/fake-service.ts'
import { endpoints } from '../contract/endpoints.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const launcher = fileURLToPath(new URL('../../bin/floodgauge', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'floodgauge-cli-'))
const commands = new Commands(folder)
const run = commands.run.bind(commands)
after(async () => {
  await commands.close()
  rmSync(folder, { recursive: true })
})

async function runProcess(program: string, ...args: string[]): Promise<Ended> {
  const child = spawn(program, args, { env: bareEnvironment, cwd: folder })
  child.stdin.end()
  const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status, out, err }
}

// A service that plays the few answers that these tests need, and records what it was asked.
let service: Server
let remote: Record<string, string>
const asked: { url: string; body: string }[] = []

async function answer(request: IncomingMessage): Promise<{ status?: number; body: unknown; link?: string }> {
  const url = new URL(request.url ?? '', 'http://x')
  const body = await text(request)
  asked.push({ url: url.pathname + url.search, body })
  if (request.headers['x-svc-authtoken'] !== 'secret')
    return { status: 401, body: { title: 'Authentication required' } }
  if (url.pathname === '/open/site') {
    const site = {
      create_time: '2017-03-08T10:09:18+00:00',
      group_id: null,
      group_name: 'a\u001b[2Jb',
      is_enable: true,
      user_email: 'ann@example.org',
    }
    return { body: { data: [{ ...site, host: 'a.example' }], status: 1 } }
  }
  if (url.pathname.startsWith('/open/site/')) {
    const hosts: string[] = JSON.parse(body).hosts
    const error = hosts.filter((host) => host.startsWith('bad'))
    const success = hosts.filter((host) => !host.startsWith('bad'))
    const isAdd = url.pathname.endsWith('/add')
    return {
      body: { status: 0, success, error: isAdd ? error.map((host) => ({ [host]: 'It is no\u0007host' })) : error },
    }
  }
  if (url.pathname === '/api/v1/targets/192.0.2.1') return { body: endpoints.getTarget.example.response }
  if (url.pathname === '/api/v1/sites/www.example.com') return { body: endpoints.getSite.example.response }
  if (url.pathname === '/api/v1/sites/www.example.com/verify') return { body: endpoints.verifySite.example.response }
  if (url.pathname === '/api/v1/sites/192.0.2.0%2F24') {
    const suggestedNames = [
      { name: 'mail.example\u001b', address: '192.0.2.7', confirmedAt: '2017-03-08T10:09:18+00:00' },
    ]
    return { body: { ...endpoints.getSite.example.response, suggestedNames } }
  }
  if (url.pathname.startsWith('/api/v1/targets/')) return { status: 404, body: { title: 'Not found' } }
  if (url.pathname === '/api/v1/names/observations') {
    const broken = body.includes('broken') ? 1 : 0
    return {
      body: {
        ...endpoints.importNames.example.response,
        broken,
        errors: broken ? [{ line: 1, reason: 'It is\u0007bad' }] : [],
      },
    }
  }
  if (url.pathname === '/pdns/query/www.example.com') return { body: [endpoints.queryPassiveDns.example.response] }
  if (url.pathname === '/open/event/ddos') {
    if (url.searchParams.has('cursor')) return { body: { data: [eventAt(2000)] } }
    return {
      body: { data: [{ ...eventAt(1000), domain: 'a', attack_type: 'tcp@attack@syn_flood_target' }] },
      link: '</open/event/ddos?cursor=x>; rel="next"',
    }
  }
  if (url.pathname === '/api/v1/events') return { body: endpoints.findEvents.example.response }
  if (url.pathname === '/api/v1/events/x') return { body: endpoints.getEventReport.example.response }
  return { status: 404, body: { title: 'Not found' } }
}

before(async () => {
  service = createServer(async (request, response) => {
    const { status = 200, body, link } = await answer(request)
    response.writeHead(status, { 'content-type': 'application/json', ...(link === undefined ? {} : { link }) })
    response.end(JSON.stringify(body))
  })
  await once(service.listen(0, '127.0.0.1'), 'listening')
  const address = service.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  remote = {
    FLOODGAUGE_URL: `http://127.0.0.1:${port}`,
    FLOODGAUGE_EMAIL: 'ann@example.org',
    FLOODGAUGE_TOKEN: 'secret',
  }
})
after(() => service.close())

test('help and version are answers; a wrong usage is status 2 with a reason on standard error', async () => {
  const help = await run(['--help'])
  assert.equal(help.status, 0)
  for (const name of ['site', 'event', 'check-config']) assert.match(help.out, new RegExp(`^ {2}${name} `, 'm'))
  assert.match((await run(['--version'])).out, /^\d+\.\d+\.\d+\n$/)
  assert.equal((await run(['site', '--help'])).status, 0)
  for (const args of [
    [],
    ['nonsense'],
    ['site'],
    ['site', 'add'],
    ['site', 'list', '--nonsense'],
    ['event', 'show'],
    ['check-config', 'a', 'b'],
  ]) {
    const { status, out, err } = await run(args)
    assert.deepEqual([status, out, err !== ''], [2, '', true], args.join(' '))
  }
})

test('the launcher runs on any Node, by a link and from anywhere', async () => {
  const link = join(folder, 'floodgauge')
  symlinkSync(launcher, link)
  assert.match((await runProcess(link, '--version')).out, /^\d+\.\d+\.\d+\n$/)
})

test('check-config prints what is in force and where it comes from, or all that is wrong', async () => {
  const file = join(folder, 'c.yaml')
  writeFileSync(file, 'log: { level: warn }\n')
  const good = await run(['check-config', file])
  assert.equal(good.status, 0)
  assert.match(good.out, /level: warn {2}# .*c\.yaml:1/)
  const overridden = await run(['check-config'], { env: { FLOODGAUGE_CONFIG: file, FLOODGAUGE_LOG_LEVEL: 'debug' } })
  assert.match(overridden.out, /level: debug {2}# FLOODGAUGE_LOG_LEVEL/)
  writeFileSync(file, 'log: { level: loud, "x\\e[2J": 1 }\n')
  const bad = await run(['check-config', file])
  assert.deepEqual([bad.status, bad.out, bad.err.trim().split('\n').length], [1, '', 3])
  assert.ok(!bad.err.includes('\u001b'))
})

test('names import sends passive DNS as it is, and a zone file as passive DNS', async () => {
  const lines = '{"rrname":"a.example","rrtype":"A","rdata":"192.0.2.1","time_first":1,"time_last":2}\n'
  const sent = async (name: string, content: string | Buffer, ...options: string[]) => {
    const file = join(folder, name)
    writeFileSync(file, content)
    const given = name === '-' ? ['-'] : [file]
    const ended = await run(['names', 'import', ...given, ...options], { env: remote, input: String(content) })
    return { ...ended, body: asked.at(-1)?.body ?? '' }
  }
  const plain = await sent('a.json', lines)
  assert.deepEqual([plain.status, plain.err, plain.body], [0, '', lines])
  assert.equal(plain.out, '1 lines, 1 pairs of a name and an address taken\n')
  assert.equal((await sent('a.json.gz', gzipSync(lines))).body, lines)
  assert.equal((await sent('-', lines)).body, lines)
  const broken = await sent('b.json', '{"broken')
  assert.equal(broken.status, 1)
  assert.match(broken.err, /b\.json:1: It is\\x07bad\n.*1 lines could not be read/)

  const zone = 'www 300 A 192.0.2.1\n  TXT "x"\nold CNAME www\n$INCLUDE other\n'
  const imported = await sent('zone', zone, '--origin', 'example.com', '--json')
  const records = imported.body
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const common = { rrtype: 'A', rdata: '192.0.2.1', sensor_id: 'zone file' }
  const times = { zone_time_first: records[0].zone_time_first, zone_time_last: records[0].zone_time_last }
  assert.ok(times.zone_time_first <= times.zone_time_last && times.zone_time_last > 1_700_000_000)
  assert.deepEqual(records, [
    { rrname: 'www.example.com', ...common, ...times },
    { rrname: 'old.example.com', ...common, rrtype: 'CNAME', rdata: 'www.example.com', ...times },
  ])
  assert.equal(imported.status, 1)
  assert.match(imported.err, /zone:4: \$INCLUDE is not followed/)
  assert.equal(JSON.parse(imported.out).observations, 1)

  for (const wrong of [
    ['--origin', 'example.com', '--format', 'cof'],
    ['--origin', 'a b', '--format', 'zone'],
    ['--format', 'x'],
  ])
    assert.equal((await sent('a.json', lines, ...wrong)).status, 2, wrong.join(' '))
  assert.equal((await run(['names', 'import', join(folder, 'missing')], { env: remote })).status, 1)
})

test('names query prints where a name led', async () => {
  const { out } = await run(['names', 'query', 'www.example.com'], { env: remote })
  assert.match(
    out,
    /^NAME +TYPE +LEADS TO +FIRST \(UTC\) +LAST \(UTC\)\nshop\.example\.com +A +192\.0\.2\.10 +2017-02-13 15:33:20 +2017-03-08 10:09:18\n$/,
  )
  const json = await run(['names', 'query', 'www.example.com', '--json'], { env: remote })
  assert.deepEqual(JSON.parse(json.out), endpoints.queryPassiveDns.example.response)
})

test('a service that can not be reached, or refuses, is status 1 with one line and no stack', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ ...remote, FLOODGAUGE_URL: 'http://127.0.0.1:9' }, /^floodgauge: cannot reach http:\/\/127\.0\.0\.1:9: .+\n$/],
    [{ ...remote, FLOODGAUGE_TOKEN: 'wrong' }, /^floodgauge: 401 Authentication required\n$/],
  ]
  for (const [env, reason] of cases) {
    const { status, out, err } = await run(['event', 'list'], { env })
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, reason)
  }
  const traced = await run(['site', 'list'], { env: { ...cases[0][0], FLOODGAUGE_DEBUG: '1' } })
  assert.match(traced.err, /\n {4}at /)
})

test('who asks must be given, and right: status 2', async () => {
  const cases: Record<string, string>[] = [
    { FLOODGAUGE_EMAIL: '' },
    { FLOODGAUGE_TOKEN: '' },
    { FLOODGAUGE_URL: 'nonsense' },
    { FLOODGAUGE_URL: 'ftp://x' },
    { FLOODGAUGE_VENDOR: 'a b' },
    { FLOODGAUGE_TOKEN: 'a\nb' },
  ]
  for (const env of cases)
    assert.equal((await run(['site', 'list'], { env: { ...remote, ...env } })).status, 2, JSON.stringify(env))
})

test('site add and delete: outcomes by host, hosts from standard input, 1000 a request', async () => {
  const some = await run(['site', 'add', 'a.example', 'bad.example'], { env: remote })
  assert.equal(some.status, 1)
  assert.equal(some.out, 'added a.example\n')
  assert.equal(some.err, 'bad.example: It is no\\x07host\nfloodgauge: not added: 1 of 2\n')

  const input = `# hosts\n\n${Array.from({ length: 1500 }, (_, i) => `h${i}.example`).join('\r\n')}\n`
  asked.length = 0
  const many = await run(['site', 'delete', '--json', '-'], { env: remote, input })
  assert.equal(many.status, 0)
  assert.deepEqual(
    asked.map(({ url, body }) => [url, JSON.parse(body).hosts.length]),
    [
      ['/open/site/delete', 1000],
      ['/open/site/delete', 500],
    ],
  )
  const outcome = JSON.parse(many.out)
  assert.deepEqual([outcome.status, outcome.success.length, outcome.error], [1, 1500, []])

  const none = await run(['site', 'enable', '--json', 'bad'], { env: remote })
  assert.deepEqual([none.status, none.out], [1, '{"status":-1,"success":[],"error":["bad"]}\n'])
  assert.equal((await run(['site', 'disable', '-'], { env: remote, input: '\n' })).status, 2)
})

test('site list: a table without control characters, or JSON lines', async () => {
  const table = await run(['site', 'list'], { env: remote })
  assert.equal(table.status, 0)
  assert.match(
    table.out,
    /^HOST +STATE +ADDED \(UTC\) +GROUP\na\.example +enabled +2017-03-08 10:09:18 +a\\x1b\[2Jb\n$/,
  )
  const lines = await run(['site', 'list', '--json'], { env: remote })
  assert.equal(JSON.parse(lines.out).host, 'a.example')
})

test('event list follows the pages; show prints the statistics', async () => {
  asked.length = 0
  const table = await run(['event', 'list', '--last', '7'], { env: remote })
  assert.deepEqual(
    asked.map(({ url }) => url),
    ['/api/v1/events?test=true&last=7', '/open/event/ddos?last=7&limit=1000', '/open/event/ddos?cursor=x'],
  )
  assert.match(
    table.out,
    /^DETECTED.*\n1970-01-01 00:00:01 .*syn_flood.*8 bps.*\n1970-01-01 00:00:02 .* unknown.*\n2017-03-08 .* test: udp@attack@amp_flood_target-NTP .*\n$/,
  )
  const lines = await run(['event', 'list', '--json'], { env: remote })
  assert.equal(
    lines.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)).length,
    2,
  )

  const page = await run(['event', 'show', 'x', '--top', '1'], { env: remote })
  assert.match(
    page.out,
    /\nend +2017-03-08 10:10:14 UTC\nphase +closed\nactive +60 s\naverage +252 Mbps, 67\.6 kpps, 705 flows\/s\n/,
  )
  assert.match(page.out, /\nwhy +67\.6 kpps above 1\.77 kpps \(baseline\), normal 590 pps\n/)
  assert.match(page.out, /\nsources +about 71\.3 k, give or take 1\.16 k\n/)
  assert.match(page.out, /\ndns +www\.example\.com -> edge\.example\.net -> 192\.0\.2\.10\n/)
  assert.match(
    page.out,
    /SOURCE ADDRESS +FLOWS.*\n198\.51\.100\.1 +12 +1 k +468 k +UDP +NL +AS64496 Example Networks\n\(up to 3 flows.*\)\n\nOf the source addresses .*\nCOUNTRY .*\nNL +1 +12 .*\n\n +SOURCES .*NETWORK\n +1 +12 .*AS64496 Example Networks\n\nSOURCE PORT/,
  )
  assert.match(page.out, /\nEXPORTER .*\n192\.0\.2\.1 +42\.3 k /)
  assert.match(page.out, /\nCAME IN BY INTERFACE .*\n17 +42\.3 k .* 192\.0\.2\.1\n\nLEFT BY INTERFACE .*\n42 +42\.3 k /)
  assert.match(page.out, /SOURCE AS \(AS EXPORTED\)\n +42\.3 k .* AS64496 Example Networks\n/)
  assert.match(page.out, /198\.51\.100\.1:123 +192\.0\.2\.10:443 +UDP /)
  const none = await run(['event', 'show', 'none'], { env: remote })
  assert.deepEqual([none.status, none.out, none.err], [1, '', 'floodgauge: no event none\n'])
})

test('site show: where a site leads, and what of that is not seen', async () => {
  const shown = await run(['site', 'show', 'www.example.com'], { env: remote })
  assert.equal(shown.status, 0, shown.err)
  assert.match(shown.out, /^www\.example\.com: enabled, added 2017-02-01 08:00:00\n/)
  assert.match(
    shown.out,
    /192\.0\.2\.10 +seen +2017-03-08 10:09:00 +2017-03-08 10:09:18 +www\.example\.com \(shared with example\.org\)/,
  )
  assert.match(shown.out, /198\.51\.100\.10 +NOT SEEN +- /)
  assert.match(shown.out, /\n1 of 2 not seen in flows for a day/)
  const lines = await run(['site', 'show', 'www.example.com', '--json'], { env: remote })
  assert.deepEqual(JSON.parse(lines.out), endpoints.getSite.example.response)
  const verified = await run(['site', 'verify', 'www.example.com'], { env: remote })
  assert.deepEqual([verified.status, verified.out], [0, `${shown.out.split('\n').slice(0, 2).join('\n')}\n`])
  const network = await run(['site', 'show', '192.0.2.0/24'], { env: remote })
  assert.match(
    network.out,
    /\nNames that lead here, and are of no site of yours:\n {2}mail\.example\\x1b \(192\.0\.2\.7\)\n$/,
  )
  const unknown = await run(['site', 'show', 'other.example.com'], { env: remote })
  assert.deepEqual([unknown.status, unknown.err], [1, 'floodgauge: no site other.example.com of this user\n'])
})

test('explain says what holds by the configuration, and why', async () => {
  const file = join(folder, 'explain.yaml')
  const rows = 'prefixes: [{prefix: 192.0.2.0/24, packetsPerSecond: 7}], sites: [{site: a.example, enabled: false}]'
  writeFileSync(file, `detect: { sensitivity: high, ${rows} }\n`)
  const { status, out, err } = await run(['explain', '192.0.2.1', '--config', file])
  assert.equal(status, 0)
  assert.match(out, /^packetsPerSecond +7 +prefix 192\.0\.2\.0\/24$/m)
  assert.match(out, /^sensitivity +2 +all$/m)
  assert.match(out, /^ +75 +500 +75 +500 +3 +tcp@attack@syn_flood_target$/m)
  assert.match(err, /names are left out/)
  const lines = await run(['explain', '192.0.2.1', '--config', file, '--json'])
  const { settings, floors } = JSON.parse(lines.out)
  assert.deepEqual(settings.sensitivity, { value: 2, source: 'all' })
  const syn = floors.find(({ attackType }: { attackType: string }) => attackType === 'tcp@attack@syn_flood_target')
  assert.deepEqual(syn.learnt, { whole: 75, partial: 500 })
  assert.equal((await run(['explain', '192.0.2'])).status, 2)
})

test('explain says what a running service knows of the address', async () => {
  const known = await run(['explain', '192.0.2.1'], { env: remote })
  assert.equal(known.status, 0)
  assert.match(known.out, /^sensitivity +2 +site www\.example\.com$/m)
  assert.match(known.out, /^known since 2017-03-01 08:00:00 UTC, learnt, 168 of 168 hours of the week are known$/m)
  assert.match(known.out, /^ +65\.8 k +246 Mbps +688 +0 +0 +50 +500 +udp@attack@amp_flood_target-NTP$/m)
  assert.match(known.out, /^rates of the 10 s until 12 s ago: what came later, exporters hold back$/m)
  assert.match(known.out, /^attacked now: udp@attack@amp_flood_target-NTP 58bfd7ae/m)
  const unknown = await run(['explain', '192.0.2.2'], { env: remote })
  assert.deepEqual([unknown.status, unknown.out], [1, ''])
})

test('event follow prints each event once, and an interrupt ends it in peace', async () => {
  const child = spawn(process.execPath, [main, 'event', 'follow', '--json', '--every', '50ms', '--window', '1m'], {
    env: { ...bareEnvironment, ...remote },
  })
  asked.length = 0
  let out = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  while (asked.length < 8) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  const [status] = await once(child, 'close')
  assert.equal(status, 0)
  assert.equal(out.trim().split('\n').length, 2)
})

test('a reader that has seen enough is no failure', async () => {
  const { status, err } = await runProcess(
    'bash',
    '-c',
    `"${process.execPath}" "${main}" --help | true; exit \${PIPESTATUS[0]}`,
  )
  assert.deepEqual([status, err.includes('EPIPE')], [0, false])
})
