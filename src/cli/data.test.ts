import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Command } from 'commander'
import { Commands } from '../../test/helpers/commands/commands.ts'
import { systemClock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { noteServiceUrl, storeFileOf } from '../store/data-directory.ts'
import { isPassword } from '../store/password.ts'
import { lockDirectory } from '../store/sqlite/directory-lock.ts'
import { openSqliteStore } from '../store/sqlite/index.ts'
import { hashTokenSecret } from '../store/token-secret.ts'
import { parseExpiry, registerToken } from './commands/token.ts'
import { registerUser } from './commands/user.ts'
import { UsageError } from './usage.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-data-'))
const commands = new Commands(folder)
after(async () => {
  await commands.close()
  rmSync(folder, { recursive: true })
})

function run(...args: string[]) {
  return runWith('', ...args)
}

/** In another process, so that its locks and stores are not those of the test. */
function runWith(input: string, ...args: string[]) {
  return commands.run(args, { env: { FLOODGAUGE_STORE_DIR: join(folder, 'data') }, input })
}

/** What the command printed; it must have done its work. */
async function done(...args: string[]): Promise<string> {
  const { status, out, err } = await run(...args)
  assert.equal(status, 0, err)
  return out.trimEnd()
}

test('users and tokens are made, listed, changed and revoked beside a service that has the store open', async (t) => {
  const missing = await run('user', 'list')
  assert.equal(missing.status, 1)
  assert.match(missing.err, /no store/)
  assert.deepEqual(readdirSync(folder), [])

  assert.equal(
    await done('user', 'add', 'Ann@Example.com', '--quota', '5', '--allow', '192.0.2.0/24,*.Example.com', '--no-link'),
    'added Ann@Example.com, who looks after the installation',
  )
  const service = await openSqliteStore(storeFileOf(join(folder, 'data')), { clock: systemClock })
  t.after(() => service.close())
  const user = await service.userByEmail('ann@example.com')
  assert.ok(user !== null)
  assert.deepEqual(user.allowed, { networks: ['192.0.2.0/24'], domains: ['example.com'] })

  const secret = await done(
    'token',
    'create',
    'ANN@example.com',
    '--name',
    'poller',
    '--scope',
    'write,read',
    '--expires',
    '30d',
  )
  assert.match(secret, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  const credential = await service.credentialByHash(hashTokenSecret(secret))
  assert.equal(credential?.user.id, user.id)
  assert.deepEqual(credential.token.scopes, ['read', 'write'])
  assert.ok(Math.abs((credential.token.expiresMs ?? 0) - Date.now() - 30 * 86_400_000) < 60_000)

  const [line] = (await done('token', 'list', 'ann@example.com', '--json')).split('\n').map((each) => JSON.parse(each))
  assert.deepEqual(
    [line.id, line.name, line.scopes, line.lastUsed],
    [credential.token.id, 'poller', ['read', 'write'], null],
  )
  assert.equal(JSON.stringify(line).includes(secret), false)
  await done('token', 'revoke', line.id)
  assert.equal(await service.credentialByHash(hashTokenSecret(secret)), null)

  await done('user', 'set', 'ann@example.com', '--policy', 'assigned')
  assert.equal((await service.userByEmail('ann@example.com'))?.policy, 'assigned')
  assert.match(await done('user', 'list'), / assigned {2}192\.0\.2\.0\/24,example\.com$/)

  await done('user', 'set', 'ann@example.com', '--allow', 'any', '--quota', '7', '--policy', 'default')
  assert.match(await done('user', 'list'), /^EMAIL .*\nAnn@Example\.com +0 of 7 .* any$/)

  const password = await runWith('correct horse battery\n', 'user', 'password', 'ann@example.com')
  assert.equal(password.status, 0, password.err)
  assert.equal((password.out + password.err).includes('correct'), false)
  const known = await service.passwordOf('ann@example.com')
  assert.equal(isPassword('correct horse battery', known?.passwordHash ?? null), true)
  assert.equal((await runWith('short', 'user', 'password', 'ann@example.com')).status, 2)
  await done('user', 'password', 'ann@example.com', '--none')
  assert.equal((await service.passwordOf('ann@example.com'))?.passwordHash, null)
  await done('user', 'set', 'ann@example.com', '--admin', 'yes')
  assert.equal((await service.userById(user.id))?.role, 'admin')
  assert.equal((await run('user', 'delete', 'ann@example.com')).status, 2)
  assert.notEqual(await service.userById(user.id), null)
  await done('user', 'delete', 'ann@example.com', '--yes')
  assert.equal(await service.userById(user.id), null)

  const { id } = await service.addUser({ email: 'bob@example.com', siteQuota: 1, allowed: null })
  await service.bindIdentity(id, { issuer: 'https://sso.example.net', subject: '1' })
  await service.addToken({ userId: id, name: 'old', scopes: ['read'], expiresMs: 1 }, hashTokenSecret('old'))
  const made = await run('token', 'create', 'bob@example.com', '--scope', 'read')
  assert.deepEqual([made.status, /does not work/.test(made.err)], [0, false])
  assert.match(await done('token', 'list', 'bob@example.com'), / expired\n.* active$/)
  await service.refuseIdentities(id)
  const refused = await run('token', 'create', 'bob@example.com', '--scope', 'read')
  assert.match(refused.err, /does not work now: single sign-on refuses its user/)
  const since = '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}'
  const why = `suspended: single sign-on refuses its user since ${since}`
  assert.match(await done('token', 'list', 'bob@example.com'), new RegExp(` expired\n.* ${why}\n.* ${why}$`))
  const states = (await done('token', 'list', 'bob@example.com', '--json')).split('\n').map((each) => JSON.parse(each))
  assert.deepEqual(
    states.map(({ state, suspended }) => [state, suspended?.reason]),
    ['expired', 'suspended', 'suspended'].map((state) => [state, 'sign-on-refused']),
  )
})

test('the first user looks after the installation and gets a link to sign in with, later ones a link', async () => {
  const data = ['--data', join(folder, 'links')]
  const linkOf = (out: string) => new URL(/^ {2}(http\S+)$/m.exec(out)?.[1] ?? '')
  const codeOf = (link: URL) => new URLSearchParams(link.hash.slice(1)).get('code') ?? ''
  const first = await done('user', 'add', 'ann@example.com', ...data)
  assert.match(first, /^added ann@example\.com, who looks after the installation\n/)
  assert.equal(linkOf(first).origin, 'http://127.0.0.1:8080')

  const note = noteServiceUrl(join(folder, 'links'), 'http://127.0.0.1:18080/')
  const second = JSON.parse(await done('user', 'add', 'bob@example.com', '--json', ...data))
  assert.deepEqual([second.role, second.hasPassword], ['member', false])
  assert.equal(new URL(second.link).origin, 'http://127.0.0.1:18080')
  note.close()
  const given = ['user', 'add', 'eve@example.com', '--password', '--admin', 'yes', ...data]
  const third = await runWith('correct horse battery\n', ...given)
  assert.deepEqual([third.status, third.out], [0, 'added eve@example.com, who looks after the installation\n'])
  const list = await done('user', 'list', ...data)
  assert.match(
    list,
    /ann@example\.com .* admin +no password .*\n.*bob@example\.com .* member +no password .*\n.* admin +yes /,
  )

  const store = await openSqliteStore(storeFileOf(join(folder, 'links')), { clock: systemClock })
  const userOf = async (link: URL) => (await store.userOfSignInLink(hashTokenSecret(codeOf(link))))?.email
  assert.equal(await userOf(linkOf(first)), 'ann@example.com')
  const link = linkOf(await done('user', 'link', 'ANN@example.com', '--hours', '1', '--direct', ...data))
  assert.deepEqual([await userOf(linkOf(first)), await userOf(link)], [undefined, 'ann@example.com'])
  assert.ok(new URLSearchParams(link.hash.slice(1)).has('direct'))
  await store.close()
  const refused = await Promise.all([
    run('user', 'link', 'ann@example.com', '--hours', '0', ...data),
    run('user', 'link', 'nobody@example.com', ...data),
  ])
  assert.deepEqual(
    refused.map(({ status }) => status),
    [2, 1],
  )
  assert.match(refused[1].err, /`user add` makes one/)
  assert.match((await run('user', 'add', 'ann@example.com', ...data)).err, /already: `user link` prints a link/)
  const warned = await run('user', 'password', 'eve@example.com', '--none', ...data)
  assert.match(warned.err, /nobody who looks after the installation can sign in/)
  // It was so before.
  const again = await run('user', 'set', 'eve@example.com', '--quota', '3', ...data)
  assert.deepEqual([again.status, again.err], [0, ''])
})

test('a data directory that may not be looked into is not said to be empty', async () => {
  const denied = join(folder, 'denied')
  symlinkSync(denied, denied)
  const { status, err } = await run('user', 'list', '--data', denied)
  assert.equal(status, 1)
  assert.match(err, /cannot look into the data directory .* the user that owns it/)
  assert.doesNotMatch(err, /no store/)
})

/** The command run within this process; it must fail before it prints anything. */
async function failure(...args: string[]): Promise<unknown> {
  const program = new Command().exitOverride()
  registerUser(program)
  registerToken(program)
  return program.parseAsync([...args, '--data', join(folder, 'failing')], { from: 'user' }).then(
    () => assert.fail(`${args.join(' ')} did not fail`),
    (error: unknown) => error,
  )
}

test('work that fails is told apart from wrong usage; both say why', async () => {
  const store = await openSqliteStore(storeFileOf(join(folder, 'failing')), { clock: systemClock })
  await store.addUser({ email: 'taken@example.com', siteQuota: 1, allowed: null })
  const cases: [typeof AppError | typeof UsageError, RegExp, string[]][] = [
    [AppError, /already/, ['user', 'add', 'TAKEN@example.com']],
    [AppError, /no user/, ['user', 'set', 'nobody@example.com', '--quota', '1']],
    [AppError, /no user/, ['token', 'create', 'nobody@example.com']],
    [AppError, /no token/, ['token', 'revoke', '0123456789abcdef']],
    [UsageError, /e-mail/, ['user', 'add', 'no address']],
    [UsageError, /quota/, ['user', 'add', 'bob@example.com', '--quota=-1']],
    [UsageError, /quota/, ['user', 'add', 'bob@example.com', '--quota', '1e3']],
    [UsageError, /network/, ['user', 'add', 'bob@example.com', '--allow', '192.0.2.0/33']],
    [UsageError, /allow/, ['user', 'set', 'taken@example.com', '--allow', 'not a domain']],
    [UsageError, /allow/, ['user', 'set', 'taken@example.com', '--allow', '']],
    [UsageError, /policy/, ['user', 'set', 'taken@example.com', '--policy', 'some']],
    [UsageError, /nothing to change/, ['user', 'set', 'taken@example.com']],
    [UsageError, /root/, ['token', 'create', 'taken@example.com', '--scope', 'read,root']],
    [UsageError, /name/, ['token', 'create', 'taken@example.com', '--name', ' ']],
    [UsageError, /expires/, ['token', 'create', 'taken@example.com', '--expires', 'soon']],
  ]
  for (const [kind, reason, args] of cases) {
    const error = await failure(...args)
    assert.ok(error instanceof kind, `${args.join(' ')}: ${error}`)
    assert.match(error.message, reason)
  }
  assert.equal((await store.listUsers()).length, 1)
  await store.close()
})

test('a backup is made beside a service, and put back only when the service is stopped', async () => {
  const data = join(folder, 'data')
  const file = join(folder, 'backup.db')
  await done('user', 'add', 'before@example.com')
  const lock = lockDirectory(data)
  const service = await openSqliteStore(storeFileOf(data), { clock: systemClock })
  await done('backup', file)
  assert.match((await run('backup', file)).err, /exists/)
  await done('user', 'add', 'after@example.com')
  const refused = await run('restore', file)
  assert.equal(refused.status, 1)
  assert.match(refused.err, /running/)
  await service.close()
  lock.close()

  const { oldFile } = JSON.parse(await done('restore', file, '--json'))
  const emails = await done('user', 'list')
  assert.match(emails, /before@example\.com/)
  assert.doesNotMatch(emails, /after@example\.com/)
  const old = await openSqliteStore(oldFile, { clock: systemClock })
  assert.notEqual(await old.userByEmail('after@example.com'), null)
  await old.close()
})

test('an expiry is a time span or a date that exists, in the future', () => {
  const nowMs = Date.UTC(2017, 2, 8)
  const cases: [string, number][] = [
    ['45m', nowMs + 45 * 60_000],
    ['12h', nowMs + 12 * 3_600_000],
    ['30d', nowMs + 30 * 86_400_000],
    ['2w', nowMs + 14 * 86_400_000],
    ['2020-02-29', Date.UTC(2020, 1, 29)],
    ['2020-02-29T12:00+02:00', Date.UTC(2020, 1, 29, 10)],
    ['2020-02-29T12:00:30Z', Date.UTC(2020, 1, 29, 12, 0, 30)],
  ]
  for (const [given, atMs] of cases) assert.equal(parseExpiry(given, nowMs), atMs, given)
  const wrong = [
    '',
    '30',
    'd',
    '0d',
    '-1d',
    '30y',
    '2019-02-29',
    '2020-13-01',
    '2017-03-07',
    '2017-03-08',
    '2020-02-29T25:00Z',
    '99999999d',
  ]
  for (const given of wrong) assert.throws(() => parseExpiry(given, nowMs), UsageError, given)
})
