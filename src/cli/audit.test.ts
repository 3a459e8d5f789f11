// What the command line leaves in the audit log, and how it reads and checks it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { Commands } from '../../test/helpers/commands/commands.ts'
import { storeFileOf } from '../store/data-directory.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-cli-audit-'))
const data = join(folder, 'data')
const commands = new Commands(folder)
after(async () => {
  await commands.close()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => commands.run([...args, '--data', data])
const done = async (...args: string[]) => {
  const { status, out, err } = await run(...args)
  assert.equal(status, 0, err)
  return out.trim()
}

test('each command that changes the store has an entry, in the name of the account; those that fail have none', async () => {
  await done('user', 'add', 'ann@example.net')
  const secret = await done('token', 'create', 'ann@example.net', '--scope', 'read')
  const [{ id }] = JSON.parse(`[${await done('token', 'list', 'ann@example.net', '--json')}]`)
  await done('user', 'set', 'ann@example.net', '--quota', '7')
  await done('user', 'link', 'ann@example.net')
  await done('user', 'password', 'ann@example.net', '--none')
  await done('user', 'reset-second-factor', 'ann@example.net')
  await done('token', 'revoke', id)
  assert.equal((await run('token', 'revoke', id)).status, 1)
  await done('user', 'list')
  const backup = join(folder, 'backup.db')
  await done('backup', backup)
  await done('user', 'delete', 'ann@example.net', '--yes')
  const text = await done('audit', 'list', '--json')
  const entries = text
    .split('\n')
    .map((line) => JSON.parse(line))
    .toReversed()
  assert.deepEqual(
    entries.map(({ kind, object, outcome }) => [kind, object, outcome]),
    [
      ['user add', 'ann@example.net', 'done'],
      ['token create', 'ann@example.net', 'done'],
      ['user set', 'ann@example.net', 'done'],
      ['user link', 'ann@example.net', 'done'],
      ['user password', 'ann@example.net', 'done'],
      ['user reset-second-factor', 'ann@example.net', 'done'],
      ['token revoke', id, 'done'],
      ['user delete', 'ann@example.net', 'done'],
    ],
  )
  assert.ok(entries.every(({ actor }) => actor.kind === 'command' && actor.name !== ''))
  assert.deepEqual([entries[2].detail.siteQuota, entries[2].detail.before.siteQuota], [7, 1_000])
  assert.ok(!text.includes(secret))

  assert.match(await done('audit', 'list', '--kind', 'user set'), /^SEQUENCE .*\n +3 |\n3 +/)
  assert.equal((await run('audit', 'list', '--limit', '0')).status, 2)
  const head = entries[7].hash
  assert.match(
    await done('audit', 'verify', '--head', head),
    /^the audit log is whole: 8 entries, the last is 8 [0-9a-f]{64}$/,
  )

  await done('restore', backup)
  const [restored] = (await done('audit', 'list', '--json', '--limit', '1')).split('\n').map((line) => JSON.parse(line))
  assert.deepEqual([restored.kind, restored.detail.oldHead], ['restore', { sequence: 8, hash: head }])
  const { status, err } = await run('audit', 'verify', '--head', head)
  assert.equal(status, 1)
  assert.match(err, /the audit log is not whole: no row has the hash/)
  await done('audit', 'verify')

  const database = new DatabaseSync(storeFileOf(data))
  database.exec(`DROP TRIGGER audit_stays; UPDATE audit SET name = 'somebody' WHERE sequence = 2`)
  database.close()
  assert.match((await run('audit', 'verify')).err, /row 2 is not as it was written/)
})
