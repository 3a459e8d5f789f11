import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'yaml'
import { createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import { Commands } from '../../../test/helpers/commands/commands.ts'
import { QuickMailer } from '../../../test/helpers/labs/quick-mailer.ts'
import { ManualClock, systemClock } from '../../clock.ts'
import { formatTime as isoTime } from '../../contract/time.ts'
import type { Scope } from '../../store/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-cli-alerts-'))
const commands = new Commands(folder)
let api: TestApi
let url: string

before(async () => {
  // The commands have the machine's clock.
  const settings = { publicUrl: 'https://ddos.example.net' }
  const mailer = new QuickMailer()
  api = await createTestApi({ clock: new ManualClock(systemClock.now()), settings, mailer })
  url = await api.server.listen({ host: '127.0.0.1', port: 0 })
})
after(async () => {
  await commands.close()
  await api.close()
  rmSync(folder, { recursive: true })
})

/** The commands of a user who has nothing yet. */
async function commandsOf(email: string, scopes: Scope[] = ['read', 'write']) {
  const { secret } = await api.addCaller(email, { scopes })
  const env = { FLOODGAUGE_URL: url, FLOODGAUGE_EMAIL: email, FLOODGAUGE_TOKEN: secret }
  const run = (args: string[], given: { input?: string; env?: Record<string, string> } = {}) =>
    commands.run(['alert', ...args], { ...given, env: { ...env, ...given.env } })
  const lines = async (...args: string[]) =>
    (await run([...args, '--json'])).out
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  const addChannel = (name: string) =>
    run(['channel', 'add', 'webhook', '--name', name, '--set', 'url=https://hooks.example.com/a'])
  return { run, lines, addChannel }
}

const night = `
name: Pager at night
when: { severities: [high, critical], sites: ["*.example.net"] }
at: { timeZone: Europe/Berlin, days: [], hours: "18:00-08:00" }
send: [Night shift]
group: { by: [vector], waitSeconds: 30 }
escalate: [{ afterMinutes: 10, send: [Night shift] }]
`

test('rules are made from a file with names, listed in their order, and deleted', async () => {
  const { run, lines, addChannel } = await commandsOf('rules@example.com')
  await addChannel('Night shift')
  const made = await run(['rule', 'add', '-f', '-'], { input: night })
  assert.match(made.out, /^made rule [0-9a-f]{16}: Pager at night\n$/)
  const listed = await run(['rule', 'list'])
  assert.match(listed.out, /\n[0-9a-f]{16} {2}own +any +any +all channels +Everything\n/)
  assert.match(listed.out, /\n[0-9a-f]{16} {2}own +high,critical +\*\.example\.net +Night shift +Pager at night\n$/)
  const [first, second] = await lines('rule', 'list')
  assert.deepEqual([first.send, second.send.length], [null, 1])
  assert.deepEqual(second.escalate, [{ afterMinutes: 10, unless: 'acknowledged', send: second.send }])
  assert.deepEqual(second.group, { by: ['vector'], waitSeconds: 30, everyMinutes: first.group.everyMinutes })
  assert.equal((await run(['rule', 'delete', first.id])).out, `deleted ${first.id}\n`)
  assert.equal((await run(['rule', 'delete', first.id])).status, 1)
})

test('a rule that is misspelt, or refers to what is not there, is refused with its name before anything is made', async () => {
  const { run, lines } = await commandsOf('misspelt@example.com')
  for (const [input, said] of [
    ['name: a\nwen: {}', /the rule a has no wen/],
    ['name: a\nwhen: { severity: [high] }', /the rule a has no when\.severity/],
    ['name: a\nat: { timeZone: UTC, days: [], hours: null, until: 3 }', /the rule a has no at\.until/],
    ['- name: a\n- stop: true', /rule 2: it must have required properties name/],
    ['name: a\ngroup: { by: [colour] }', /the rule a: group\.by\.0 must be equal/],
    ['name: a\ngroup: { with: [site] }', /the rule a has no group\.with/],
    ['name: a\nwhen: { severities: [grave] }', /the rule a: when\.severities\.0 must be equal/],
    ['name: a\nsend: [Nobody]', /no channel Nobody; there are: none/],
    ['name: a\nwhen: { groups: [Shops] }', /no group Shops; there are: none/],
    ['name: [a', /-: /],
  ] as const) {
    const { status, err } = await run(['rule', 'add', '-f', '-'], { input })
    assert.deepEqual([status, said.test(err)], [2, true], err)
  }
  assert.equal((await run(['rule', 'add', '-f', 'nowhere.yaml'])).status, 2)
  assert.deepEqual(await lines('rule', 'list'), [])
})

test('a preview says who would be told, and which condition of a rule is not met', async () => {
  const { run, lines, addChannel } = await commandsOf('preview@example.com')
  await addChannel('Night shift')
  await run(['rule', 'add', '-f', '-'], { input: night })
  const { out } = await run(['preview', 'shop.example.net', '--severity', 'low', '--at', '2026-03-02T20:00:00+01:00'])
  assert.match(out, /\n2026-03-02 19:00:00 {2}- +Night shift +Everything\n/)
  assert.match(out, /\nyes +- +Everything\nno +severity +Pager at night\n$/)
  const fits = await run(['preview', 'shop.example.net', '--severity', 'high', '--at', '2026-03-02T20:00:00+01:00'])
  assert.match(fits.out, /\n2026-03-02 19:10:00 +Night shift +Pager at night\n/)
  const [said] = await lines('preview', '--notice', 'vector')
  assert.deepEqual(said.told, [])
  assert.match((await run(['preview', '--notice', 'vector'])).out, /^nobody would be told\n/)
})

test('addresses of mail are asked, and confirmed by an admin', async () => {
  const ann = await commandsOf('addresses@example.com')
  const add = ['channel', 'add', 'mail', '--name', 'Duty', '--set', 'to=["noc@example.org"]']
  const made = await ann.run(add)
  assert.match(made.out, /\nnoc@example\.org has to be confirmed by the link that was sent there\n$/)
  assert.match((await ann.run(['channel', 'list'])).out, /\n[0-9a-f]{16} {2}mail +unconfirmed {2}/)
  const [{ id }] = await ann.lines('channel', 'list')
  assert.equal((await ann.run(['address', 'ask', id])).out, 'asked noc@example.org\n')
  const confirm = ['address', 'confirm', 'noc@example.org', '--user', 'addresses@example.com']
  assert.equal((await ann.run(confirm)).status, 1)
  const root = await commandsOf('root@example.com', ['read', 'write', 'admin'])
  assert.equal((await root.run(confirm)).out, 'channels of addresses@example.com may send to noc@example.org\n')
  assert.match((await ann.run(['channel', 'list'])).out, /\n[0-9a-f]{16} {2}mail +ok {2}/)
  assert.equal((await ann.run(['address', 'ask', id])).out, 'no address of it waits\n')
})

test('silences are made for hosts or for everything, listed and ended', async () => {
  const { run, lines } = await commandsOf('silence@example.com')
  const made = await run(['silence', 'shop.example.net', '--for', '2h', '--reason', 'The shop moves'])
  assert.match(made.out, /^made silence [0-9a-f]{16}, until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n$/)
  const [silence] = await lines('silence', 'list')
  const { reason, sites, from, until } = silence
  assert.deepEqual([reason, sites], ['The shop moves', ['shop.example.net']])
  // The clock of the interface stands still.
  assert.ok(Math.abs(Date.parse(until) - Date.parse(from) - 7_200_000) < 600_000)
  assert.match((await run(['silence', 'list'])).out, / 0 +0 {2}shop\.example\.net +The shop moves\n$/)
  assert.equal((await run(['silence', 'delete', silence.id])).out, `ended ${silence.id}\n`)
  const later = new Date(systemClock.now() + 3_600_000).toISOString()
  const planned = ['silence', 'a.example', '--for', '30m', '--reason', 'x', '--from', later, '--json']
  const { from: begins, until: ends } = JSON.parse((await run(planned)).out)
  assert.deepEqual([begins, Date.parse(ends) - Date.parse(begins)], [isoTime(Date.parse(later)), 1_800_000])
  assert.equal((await run(['silence', '--all', '--for', '1d', '--reason', 'x'])).status, 0)
  for (const [args, said] of [
    [['--for', '2h', '--reason', 'x'], /name hosts, groups or vectors, or give --all/],
    [['a.example', '--all', '--for', '2h', '--reason', 'x'], /or give --all/],
    [['a.example', '--reason', 'x'], /no time: give --for/],
    [['a.example', '--for', '2h'], /no reason/],
    [['a.example', '--for', '2h', '--reason', 'x', '--from', 'soon'], /not a time: soon/],
    [['--group', 'Shops', '--for', '2h', '--reason', 'x'], /no group Shops/],
  ] as const) {
    const { status, err } = await run(['silence', ...args])
    assert.deepEqual([status, said.test(err)], [2, true], err)
  }
  assert.equal((await run(['silence', 'a.example', '--for', '31d', '--reason', 'x'])).status, 1)
})

test('channels and rules go from one user to another by a file that has no secrets', async () => {
  const ann = await commandsOf('ann@example.com')
  await ann.addChannel('Night shift')
  await ann.run(['channel', 'add', 'slack', '--name', 'Everybody', '--set', 'url=https://hooks.example.com/b'])
  await ann.run(['rule', 'add', '-f', '-'], { input: night })
  assert.equal((await ann.run(['export', 'alerts.yaml'])).out, '')
  const file = join(folder, 'alerts.yaml')
  const { channels, rules } = parse(readFileSync(file, 'utf8'))
  assert.deepEqual(channels, [
    { name: 'Everybody', kind: 'slack', settings: {}, secrets: { url: 'env:ALERT_EVERYBODY_URL' } },
    {
      ...{ name: 'Night shift', kind: 'webhook', settings: { url: 'https://hooks.example.com/a' } },
      secrets: { secret: 'env:ALERT_NIGHT_SHIFT_SECRET' },
    },
  ])
  assert.deepEqual([rules[1].name, rules[1].send, 'id' in rules[1]], ['Pager at night', ['Night shift'], false])
  writeFileSync(file, readFileSync(file, 'utf8').replace('name: Everything', 'name: All'))

  const bob = await commandsOf('bob@example.com')
  const refused = await bob.run(['import', 'alerts.yaml'])
  assert.equal(refused.status, 1)
  assert.match(refused.err, /ALERT_EVERYBODY_URL is not set: Everybody is made without url\n/)
  const env = { ALERT_EVERYBODY_URL: 'https://hooks.example.com/c' }
  const { out, err } = await bob.run(['import', 'alerts.yaml'], { env })
  assert.match(out, /^made channel Everybody\nmade channel Night shift\nits secret, .*\nmade rule All\nmade rule Pager/)
  assert.match(err, /^ALERT_NIGHT_SHIFT_SECRET is not set: Night shift is made without secret\n$/)
  const names = (await bob.lines('rule', 'list')).map(({ name }) => name)
  assert.deepEqual(names, ['All', 'Pager at night'])

  writeFileSync(file, `rules:\n  - name: Pager at night\n    stop: true\n  - name: Last\n`)
  assert.equal((await bob.run(['import', 'alerts.yaml'])).out, 'changed rule Pager at night\nmade rule Last\n')
  const ordered = (await bob.lines('rule', 'list')).map(({ name, stop }) => [name, stop])
  assert.deepEqual(ordered, [
    ['Pager at night', true],
    ['Last', false],
    ['All', false],
  ])
  assert.equal((await bob.lines('channel', 'list')).length, 2)
})

test('a file that is imported is looked at before anything is changed', async () => {
  const { run, lines } = await commandsOf('file@example.com')
  const channel = 'channels: [{ name: a, kind: webhook, settings: { url: "https://a.example/" } }]'
  for (const [input, said] of [
    [`${channel}\nrules: [{ name: b, wen: {} }]`, /the rule b has no wen/],
    [`${channel}\nrules: [{ name: b }, { name: b }]`, /two rules have one name: b/],
    ['channels: [{ name: a, kind: webhook, settings: {}, secret: x }]', /the file has no channels\[0\]\.secret/],
    ['chanels: []', /the file has no chanels/],
  ] as const) {
    const { status, err } = await run(['import', '-'], { input })
    assert.deepEqual([status, said.test(err)], [2, true], err)
  }
  assert.deepEqual(await lines('channel', 'list'), [])
  await run(['import', '-'], { input: channel })
  const other = await run(['import', '-'], { input: channel.replace('kind: webhook', 'kind: slack') })
  assert.match(other.err, /channel a is of kind webhook, not slack/)
})

test('a file whose last rule is refused by the service changes nothing', async () => {
  const { run, lines } = await commandsOf('broken@example.com')
  const channel = (name: string) => `{ name: ${name}, kind: webhook, settings: { url: "https://a.example/" } }`
  await run(['import', '-'], { input: `channels: [${channel('a')}]\nrules: [{ name: First }]` })
  const before = [await lines('channel', 'list'), await lines('rule', 'list')]
  for (const [last, said] of [
    ['send: [Nobody]', /The caller has no such channel/],
    ['when: { sites: ["no host"] }', /It is no host/],
    ['at: { timeZone: Mars/Olympus, days: [], hours: null }', /There is no such time zone/],
    ['reach: installation', /needs an admin/],
  ] as const) {
    const rules = `rules: [{ name: New, send: [b] }, { name: First, stop: true }, { name: Last, ${last} }]`
    const input = `channels: [${channel('b')}, ${channel('a').replace('a.example', 'c.example')}]\n${rules}`
    const { status, err } = await run(['import', '-'], { input })
    assert.deepEqual([status, said.test(err)], [1, true], err)
    assert.deepEqual([await lines('channel', 'list'), await lines('rule', 'list')], before)
  }
})
