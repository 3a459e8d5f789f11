import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, type TestContext, test } from 'node:test'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'
import { pointsOf } from '../../../test/helpers/store.ts'
import { mail } from '../../alert/channels/mail.ts'
import { ownerFrom } from '../../alert/mail/confirmations.ts'
import { ManualClock } from '../../clock.ts'
import { noStatistics } from '../../detect/incidents/incident-report.ts'
import { AppError } from '../../errors.ts'
import { Database } from './database.ts'
import { openSqliteStore } from './index.ts'
import { migrate, readMigrations, schemaVersion } from './migrate.ts'

const clock = new ManualClock()
const migrations = readMigrations()

function newFile(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'floodgauge-migrate-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return join(directory, 'floodgauge.db')
}

/** Every table and index as SQLite knows it. */
function schemaOf(path: string): unknown[] {
  const database = new DatabaseSync(path)
  const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  database.close()
  return rows
}

/** Rows that a database of that schema could have. */
const rowsOf: Readonly<Record<number, string>> = {
  1: `INSERT INTO users VALUES ('u1', 'Ann@Example.com', 'ann@example.com', 5, 10, NULL)`,
  2: `INSERT INTO sites VALUES ('u1', '192.0.2.1', 0, 6, NULL, '')`,
  3: `INSERT INTO events VALUES ('u1', 1000, '0123456789abcdef01234567', 'i1', 3221225985, '192.0.2.1', '', NULL, 1, 2, 3, 4.5, 900, NULL);
      INSERT INTO event_details VALUES ('0123456789abcdef01234567',
        '{"bytesPerSecond":1,"packetsPerSecond":2,"flowsPerSecond":3,"atMs":4}', '[]',
        '{"dstport":[],"srcport":[],"srcip":[],"proto":[],"flags":[]}', '[]')`,
  4: 'INSERT INTO traffic VALUES (3221225985, 60, 1, 2, 3)',
  5: `INSERT INTO bindings VALUES ('a.example', 3221225985, '[]', 1, 2, 60)`,
  6: `INSERT INTO exporter_streams VALUES ('192.0.2.7', 'ipfix', 4739, 1, 0, '{}')`,
  7: `INSERT INTO stream_states VALUES ('192.0.2.7', 'ipfix', 4739, 1, 2, 0, 0, 0, '[]', 3);
      INSERT INTO stream_templates VALUES ('192.0.2.7', 'ipfix', 4739, 1, 256, 0, x'0100', 3)`,
  8: `UPDATE event_evidence SET course = '{"fromMs":900,"stepSeconds":1}'`,
  9: `UPDATE event_details SET vectors = '[{"label":"x","share":1,"packetsPerSecond":2}]'`,
  10: `INSERT INTO baselines VALUES (3221225984, 1, 2, x'01', 3)`,
  11: `UPDATE event_details SET followed = '{"waitedSeconds":1,"isProvisional":false,"parts":[]}'`,
  12: `INSERT INTO observations VALUES ('b.example', 3221225985, '[]', 1, 2, 3, 60, 4, 'ns1')`,
  13: `UPDATE users SET policy = 'assigned'; UPDATE events SET view = 'totals'`,
  14: `UPDATE observations SET count = 5`,
  15: `INSERT INTO sessions VALUES ('s1', 'u1', x'01', 5, 6, 7, '192.0.2.9', 'browser')`,
  16: `INSERT INTO proofs VALUES ('u1', 'host', 'a.example', 'abc', 1, 2, 3, 1, 4, NULL)`,
  17: `INSERT INTO site_groups VALUES ('g1', 'u1', 'Shops', 'shops', 5)`,
  18: `INSERT INTO event_notes VALUES ('0123456789abcdef01234567', 'ann@example.com', 5, 'test', 'x', NULL, NULL)`,
  19: `UPDATE proofs SET missing_since_ms = 4`,
  20: `UPDATE events SET is_test = 1`,
  21: `UPDATE events SET normal_packets_per_second = 100`,
  22: `UPDATE events SET network = '{"prefix":"192.0.2.0/24","addresses":25}'`,
  23: `INSERT INTO sign_in_links VALUES ('u1', x'02', 7)`,
  24: `INSERT INTO event_sites SELECT user_id, created_ms, id, '192.0.2.0/24' FROM events`,
  25: `UPDATE event_evidence SET statistics = statistics`,
  26: `UPDATE event_notes SET classified_ms = 6`,
  27: `UPDATE traffic SET max_bytes = 1, max_packets = 2, max_flows = 3`,
  28: `UPDATE event_details SET networks = '[]'`,
  29: `UPDATE events SET phase = 'closed', episode = 1, returns = 1, sequence = 7;
    INSERT INTO event_episodes
    SELECT id, 0, id, user_id, created_ms, label, 1, 1, 1, 1, 1, start_ms, start_ms, start_ms, '{}', '{}' FROM events`,
  30: `INSERT INTO idempotency_keys VALUES ('u1', 'addGroup', x'01', x'02', 5, '{}')`,
  31: `INSERT INTO event_changes VALUES (7, 'u1', '0123456789abcdef01234567', 'closed', 5); UPDATE event_change_marks SET last = 7`,
  33: `UPDATE observations SET count = 6`,
  34: `UPDATE stream_states SET seen_ms = 7`,
  35: `UPDATE retention_clock SET followed_ms = 8`,
  36: `UPDATE users SET role = 'viewer'`,
  37: `INSERT INTO second_factors VALUES ('u1', x'03', 9, 10); INSERT INTO recovery_codes VALUES ('u1', x'04')`,
  39: `UPDATE sites SET watched_ms = 9`,
  40: `UPDATE events SET is_test = 0`,
  41: `INSERT INTO audit VALUES (1, 5, 'addUser', 'session', 'u1', 'a', 's1', '192.0.2.9', 'x', 'done', 1, '{}', zeroblob(32), x'01')`,
  42: `INSERT INTO provider_identities VALUES ('https://login.example.net', 's1', 'u1', 5)`,
  43: `INSERT INTO exporter_admission VALUES (1, '[]', NULL, 5, NULL);
    INSERT INTO exporter_notices VALUES ('restart', '192.0.2.7', 1, 2, 3, 'x')`,
  44: `UPDATE provider_identities SET refused_ms = 6`,
  45: `INSERT INTO alert_channels (id, user_id, kind, name, name_key, settings, sealed, created_ms)
      VALUES ('c1', 'u1', 'webhook', 'Pager', 'pager', '{}', x'01', 5);
    INSERT INTO notices VALUES (1, 'u1', 'e1', 'started', 1, 5, '{}');
    INSERT INTO deliveries VALUES (1, 'c1', 1, 'u1', 'e1', 1, 'due', 0, 5, 5);
    INSERT INTO delivery_attempts VALUES (1, '{}');
    INSERT INTO alert_cursor VALUES (1, 7)`,
  46: `INSERT INTO alert_rules VALUES ('r1', 'u1', 2, 'Night', 0, '{}')`,
  47: `INSERT INTO alert_silences VALUES ('s1', 'u1', 'a move', '{}', 1, 2, 1)`,
  48: 'UPDATE alert_channels SET old_secret_until_ms = 9',
  49: `INSERT INTO own_conditions VALUES ('a', '{}'); INSERT INTO sign_of_life VALUES (1, 5)`,
  50: `INSERT INTO alert_threads VALUES ('c1', 'r1', 'e1', 5, 'high')`,
  51: 'UPDATE deliveries SET carrier = id',
  52: `INSERT INTO alert_escalations SELECT id, 'r1', 0, 5, 'waiting' FROM events LIMIT 1`,
  53: `INSERT INTO alert_reports VALUES ('r1', '{}')`,
  54: 'UPDATE alert_channels SET version = 1',
  55: `INSERT INTO mail_addresses VALUES ('m1', 'u1', 'a@b', 'A@b', 5, '', 6); INSERT INTO mail_askings VALUES (1, 'u1', 'a@b', 5, 1)`,
  56: `INSERT INTO deleted_events VALUES ('e9', '{}')`,
  57: `INSERT INTO mails_sent VALUES (1, 'u1', 5)`,
  58: `INSERT INTO alert_closings VALUES (1, 'c1', 'pagerduty', '{}', x'01', 0, 'e9', 5, 6)`,
  59: `UPDATE deliveries SET number = 7`,
  60: 'UPDATE alert_escalations SET after_minutes = 10',
  61: `UPDATE alert_closings SET awaits = 'event'`,
  62: 'INSERT INTO alert_told_with SELECT id FROM events',
  63: `INSERT INTO mail_deferrals SELECT 'm1', id, '["boss@example.org"]', 1, 1, 1000 FROM alert_channels`,
  64: `UPDATE alert_closings SET user_id = 'u1'`,
  65: `UPDATE deliveries SET state = 'dead'`,
  66: `INSERT INTO traces VALUES (3221225985, 32, 60, x'01', 3);
      INSERT INTO sights VALUES (60, 'watched', '', 1)`,
}

/** Rows of a migration that has none in the list, because all that it does is to add a number to events: see contract/events/numbers.ts. */
function rowsOfNumber(sql: string): string | undefined {
  const column = /^ALTER TABLE events ADD COLUMN (\w+) REAL;?\s*$/m.exec(sql)?.[1]
  return column === undefined ? undefined : `UPDATE events SET ${column} = 5`
}

const rowsFor = (version: number) => rowsOf[version] ?? rowsOfNumber(migrations[version - 1].sql) ?? ''

test('migrations are numbered 1, 2, 3, ... without a gap, and each has rows in this test', () => {
  for (const [index, { version, name }] of migrations.entries()) {
    assert.equal(version, index + 1)
    assert.match(name, /^\d{3}-[a-z-]+\.sql$/)
    assert.notEqual(rowsFor(version), '', `rows for ${name}`)
  }
})

/** A database that the tests below take from schema to schema, each with the rows that it could have. */
const growing = mkdtempSync(join(tmpdir(), 'floodgauge-migrate-'))
after(() => rmSync(growing, { recursive: true }))

/** Takes it to the schema, which is the next one. */
function grow(version: number): string {
  const path = join(growing, 'floodgauge.db')
  const database = new Database(path)
  if (version > 0) {
    migrate(database, { migrations: migrations.slice(0, version) })
    database.exec(rowsFor(version))
  }
  database.close()
  return path
}

for (let version = 0; version < migrations.length; version++) {
  test(`a database of schema ${version} becomes one of today, with all of its rows`, async (t) => {
    const [old, fresh] = [newFile(t), newFile(t)]
    copyFileSync(grow(version), old)

    const store = await openSqliteStore(old, { clock })
    const user = await store.userByEmail('ann@example.com')
    assert.equal(user?.id, version >= 1 ? 'u1' : undefined)
    assert.equal((await store.listSites('u1')).length, version >= 2 ? 1 : 0)
    const event = await store.eventById('u1', '0123456789abcdef01234567')
    assert.equal(event?.deviation, version >= 3 ? 4.5 : undefined)
    assert.deepEqual(event?.statistics, version >= 3 ? noStatistics : undefined)
    assert.equal(event?.lastMs, version >= 3 ? 900 : undefined)
    assert.deepEqual(event?.victims, version >= 3 ? [] : undefined)
    const sites = version >= 24 ? ['192.0.2.1', '192.0.2.0/24'] : ['192.0.2.1']
    assert.deepEqual(event?.sites, version >= 3 ? sites : undefined)
    assert.equal((await pointsOf(store, 3221225985, 0, 100)).length, version >= 4 ? 1 : 0)
    assert.equal(await store.firstSight('u1'), version >= 66 ? 60 : null)
    assert.equal((await store.loadBindings()).length, version >= 5 ? 1 : 0)
    const observations = await store.loadObservations({ confirmedSinceMs: 0, max: 9 })
    assert.equal(observations.length, version >= 12 ? 1 : 0)
    assert.equal((await store.listSessions('u1')).length, version >= 15 ? 1 : 0)
    assert.deepEqual(
      (await store.loadProofs()).map(({ missingSinceMs }) => missingSinceMs),
      version >= 16 ? [4] : [],
    )
    assert.equal((await store.listGroups('u1')).length, version >= 17 ? 1 : 0)
    assert.equal((await store.changesAfter(0, 9)).changes.length, version >= 31 ? 1 : 0)
    assert.equal((await store.notesOf('u1', ['0123456789abcdef01234567'])).size, version >= 18 ? 1 : 0)
    await store.close()

    await (await openSqliteStore(fresh, { clock })).close()
    assert.deepEqual(schemaOf(old), schemaOf(fresh))
  })
}

test('admins stay admins, and everybody else becomes a member', async (t) => {
  const file = newFile(t)
  const database = new Database(file)
  migrate(database, {
    migrations: migrations.slice(
      0,
      migrations.findIndex(({ name }) => name.includes('roles')),
    ),
  })
  database.exec(`INSERT INTO users (id, email, email_key, site_quota, created_ms, is_admin)
    VALUES ('u1', 'a@b.c', 'a@b.c', 1, 1, 1), ('u2', 'd@e.f', 'd@e.f', 1, 2, 0)`)
  database.close()
  const store = await openSqliteStore(file, { clock })
  t.after(() => store.close())
  assert.deepEqual(
    (await store.listUsers()).map(({ role }) => role),
    ['admin', 'member'],
  )
})

test('addresses that users sent to before they could be confirmed wait, but for that of the account', async (t) => {
  const file = newFile(t)
  const database = new Database(file)
  const before = migrations.findIndex(({ name }) => name.includes('mail-addresses'))
  migrate(database, { migrations: migrations.slice(0, before) })
  database.exec(`INSERT INTO users (id, email, email_key, site_quota, created_ms, role)
      VALUES ('u1', 'Ann@b.example', 'ann@b.example', 1, 1, 'member'), ('u2', 'root@b.example', 'root@b.example', 1, 2, 'admin');
    INSERT INTO alert_channels (id, user_id, kind, name, name_key, settings, sealed, created_ms)
      VALUES ('c1', 'u1', 'mail', 'a', 'a', '{"to":["ann@b.example"]}', x'', 5),
        ('c2', 'u1', 'mail', 'b', 'b', '{"to":["noc@b.example","ann@b.example"]}', x'', 5),
        ('c3', 'u2', 'mail', 'c', 'c', '{"to":["noc@b.example"]}', x'', 5)`)
  database.close()
  const store = await openSqliteStore(file, { clock })
  t.after(() => store.close())
  const waiting = async (userId: string) => {
    const user = await store.userById(userId)
    const owner = ownerFrom({ role: '', email: '', ...user }, await store.addressesOf(userId))
    return (await store.channelsOf(userId)).map(({ settings }) => mail.unconfirmed?.(settings, owner))
  }
  assert.deepEqual([await waiting('u1'), await waiting('u2')], [[[], ['noc@b.example']], [[]]])
})

test('events from before it was noted which sites they touch have those that can be told: by address, by network, by name and wildcard', async (t) => {
  const file = newFile(t)
  const database = new Database(file)
  migrate(database, { migrations: migrations.slice(0, 23) })
  const hosts = ['192.0.2.22', '192.0.2.0/24', '192.0.2.16/28', '192.0.2.32/28', '198.51.100.0/24']
  const names = ['shop.example.net', '*.example.net', '*.shop.example.net', 'www.example.net', '*.net.example']
  database.exec(
    `INSERT INTO users (id, email, email_key, site_quota, created_ms) VALUES ('u1', 'a@b.c', 'a@b.c', 99, 1), ('u2', 'd@e.f', 'd@e.f', 99, 1)`,
  )
  for (const host of [...hosts, ...names])
    database.exec(
      `INSERT INTO sites (user_id, host, created_ms, enabled) VALUES ('u1', '${host}', 0, 1), ('u2', '${host}', 0, 1)`,
    )
  const insert = (user: string, id: string, address: number, site: string, dns: object[]) => {
    database.exec(`INSERT INTO events (user_id, created_ms, id, incident, address, site, domain, bytes_per_second, packets_per_second,
        flows_per_second, deviation, start_ms) VALUES ('${user}', 1000, '${id}', '${id}', ${address}, '${site}', '', 1, 1, 1, 1, 900);
      INSERT INTO event_details (event_id, peak, why, dns) VALUES ('${id}', '{}', '[]', '${JSON.stringify(dns)}');
      INSERT INTO event_evidence (event_id, statistics, course) VALUES ('${id}', '{}', 'null')`)
  }
  insert('u1', 'a', 0xc0000216, '192.0.2.22', [{ domain: 'shop.example.net', a: {}, cname: {} }])
  insert('u1', 'b', 0xffffff01, 'gone.example', [])
  insert('u2', 'c', 0xcb007101, '*.example.net', [{ domain: 'play.example.net', a: {}, cname: {} }])
  database.close()
  const store = await openSqliteStore(file, { clock })
  t.after(() => store.close())
  assert.deepEqual((await store.eventById('u1', 'a'))?.sites, [
    ...['192.0.2.22', '*.example.net', '*.shop.example.net', '192.0.2.0/24', '192.0.2.16/28', 'shop.example.net'],
  ])
  assert.deepEqual((await store.eventById('u1', 'b'))?.sites, ['gone.example'])
  assert.deepEqual((await store.eventById('u2', 'c'))?.sites, ['*.example.net'])
})

test('events of before are found by their sources', async (t) => {
  const path = newFile(t)
  const database = new Database(path)
  for (let each = 1; each <= 24; each++) {
    migrate(database, { migrations: migrations.slice(0, each) })
    database.exec(rowsFor(each))
  }
  database.exec(`UPDATE event_evidence SET statistics = '{"srcip":[{"item":16843009},{"item":16843010}]}'`)
  database.close()
  const store = await openSqliteStore(path, { clock })
  t.after(() => store.close())
  const count = (victimOrSource: number) =>
    store.countEvents('u1', { fromMs: null, toMs: null, filter: { victimOrSource } })
  assert.deepEqual([await count(16_843_010), await count(16_843_011)], [1, 0])
})

test('observations of before have the source that their sender shows, or say that it is not known', async (t) => {
  const file = newFile(t)
  const database = new Database(file)
  migrate(database, { migrations: migrations.slice(0, 32) })
  const senders = ['resolver', 'zone example.com', 'zone file', 'import', 'ns1']
  senders.forEach((sender, n) => {
    database.exec(`INSERT INTO observations VALUES ('n${n}.example', 1, '[]', 1, 2, 3, 60, 4, '${sender}')`)
  })
  database.close()
  const store = await openSqliteStore(file, { clock })
  t.after(() => store.close())
  const found = await store.loadObservations({ confirmedSinceMs: 0, max: 9 })
  assert.deepEqual(
    found.map(({ source }) => source),
    ['found', 'zone', 'import', 'told', 'told'],
  )
})

test('statistics from before there were lists of interfaces and systems have empty ones', async (t) => {
  const file = newFile(t)
  const store = await openSqliteStore(file, { clock })
  t.after(() => store.close())
  const user = await store.addUser({ email: 'ann@example.com', siteQuota: 9, allowed: { domains: [], networks: [] } })
  const [event] = await addEvents(store, [eventOf(user.id, 1)])
  const old = new Database(file)
  old.exec(`UPDATE event_evidence SET statistics = json_remove(statistics, '$.ingress', '$.egress', '$.sourceAs',
    '$.flowsMissedMax.ingress', '$.flowsMissedMax.egress', '$.flowsMissedMax.sourceAs')`)
  old.close()
  const { statistics } = (await store.eventById(user.id, event.id)) ?? {}
  assert.deepEqual([statistics?.ingress, statistics?.egress, statistics?.sourceAs], [[], [], []])
  assert.deepEqual(statistics?.flowsMissedMax, noStatistics.flowsMissedMax)
  assert.deepEqual(statistics?.destinationPort, event.statistics.destinationPort)
})

test('a failing migration changes nothing', (t) => {
  const database = new Database(newFile(t))
  t.after(() => database.close())
  migrate(database, { migrations: migrations.slice(0, 1) })
  const broken = {
    version: 3,
    name: '003-broken.sql',
    sql: 'CREATE TABLE extra (id TEXT) STRICT; INSERT INTO nowhere VALUES (1)',
  }
  assert.throws(() => migrate(database, { migrations: [...migrations.slice(0, 2), broken] }), /nowhere/)
  assert.equal(schemaVersion(database), 1)
  const names = schemaOf(database.path).map((row) => JSON.stringify(row))
  assert.equal(names.filter((row) => /"(sites|extra)"/.test(row)).length, 0)
})

test('a copy of the old schema is put beside, for its owner alone; without leave to upgrade nothing happens', async (t) => {
  const file = newFile(t)
  const database = new Database(file)
  migrate(database, { migrations: migrations.slice(0, 2) })
  database.exec(rowsOf[1])
  database.close()
  const before = schemaOf(file)
  await assert.rejects(openSqliteStore(file, { clock, upgrade: false }), /older/)
  assert.deepEqual(schemaOf(file), before)
  assert.equal(existsSync(`${file}.schema-2`), false)

  await (await openSqliteStore(file, { clock })).close()
  assert.deepEqual(schemaOf(`${file}.schema-2`), before)
  assert.equal(statSync(`${file}.schema-2`).mode & 0o777, 0o600)
  const copy = new Database(`${file}.schema-2`)
  t.after(() => copy.close())
  assert.equal(schemaVersion(copy), 2)
  assert.equal(copy.prepare('SELECT email FROM users').get()?.email, 'Ann@Example.com')
  await (await openSqliteStore(file, { clock, upgrade: false })).close()
  await (await openSqliteStore(newFile(t), { clock, upgrade: false })).close()
})

test('a newer schema is refused, and left alone', async (t) => {
  const file = newFile(t)
  const database = new Database(file)
  migrate(database)
  database.exec(`PRAGMA user_version = ${migrations.length + 1}`)
  database.close()
  await assert.rejects(openSqliteStore(file, { clock }), (error) => {
    assert.ok(error instanceof AppError && error.code === 'STORE_UNAVAILABLE')
    assert.match(error.message, /newer/)
    assert.ok(error.message.includes(file))
    return true
  })
  const after = new Database(file)
  t.after(() => after.close())
  assert.equal(schemaVersion(after), migrations.length + 1)
})

test("another program's database is refused, and left alone", async (t) => {
  const file = newFile(t)
  const foreign = new DatabaseSync(file)
  foreign.exec('CREATE TABLE theirs (id TEXT)')
  foreign.close()
  const before = schemaOf(file)
  await assert.rejects(openSqliteStore(file, { clock }), /another program/)
  assert.deepEqual(schemaOf(file), before)
})
