import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Commands } from '../../test/helpers/commands/commands.ts'
import { systemClock } from '../clock.ts'
import { storeFileOf } from '../store/data-directory.ts'
import { SecretBox } from '../store/secret-box.ts'
import { lockDirectory } from '../store/sqlite/directory-lock.ts'
import { openSqliteStore } from '../store/sqlite/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-factors-'))
const commands = new Commands(folder)
after(async () => {
  await commands.close()
  rmSync(folder, { recursive: true })
})
const [data, elsewhere, backup] = ['data', 'elsewhere', 'backup.db'].map((name) => join(folder, name))

async function floodgauge(...args: string[]) {
  const { status, out: stdout, err: stderr } = await commands.run(args)
  if (status !== 0) throw new Error(stderr)
  return { stdout, stderr }
}

async function listed(): Promise<unknown[]> {
  const { stdout } = await floodgauge('user', 'list', '--json', '--data', data)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).hasSecondFactor)
}

test('a second factor is listed and reset, and a backup without its key is put back with a word about it', async () => {
  const store = await openSqliteStore(storeFileOf(data), { clock: systemClock })
  for (const email of ['ann@example.net', 'bob@example.net']) {
    const { id } = await store.addUser({ email, siteQuota: 1, allowed: null, passwordHash: 'hash' })
    if (email.startsWith('bob')) continue
    await store.setSecondFactor(id, new SecretBox(data).seal(Buffer.from('12345678901234567890'), id))
    await store.confirmSecondFactor(id, { step: 1, codeHashes: [] })
  }
  await store.close()
  assert.deepEqual(await listed(), [true, false])
  const table = (await floodgauge('user', 'list', '--data', data)).stdout
  assert.match(table, /ann@example\.net .* two factors .*\nbob@example\.net .* yes /)

  const changed = await floodgauge('alert', 'rekey', '--data', data)
  assert.match(changed.stdout, /^sealed 1 secrets with a new key, which is in .*data\/secrets\.key\n$/)
  await assert.rejects(floodgauge('alert', 'rekey', '--data', elsewhere), /there is no store in/)
  const lock = lockDirectory(data)
  await assert.rejects(floodgauge('alert', 'rekey', '--data', data), /service is running/)
  lock.close()
  const backed = await floodgauge('backup', backup, '--data', data)
  assert.match(backed.stderr, /^the key .*secrets\.key of secrets is not in it/)
  assert.equal((await floodgauge('restore', backup, '--data', data)).stderr, '')
  const { stderr } = await floodgauge('restore', backup, '--data', elsewhere)
  assert.match(stderr, /The second factor of one user cannot be checked.*elsewhere\/secrets\.key.*reset-second-factor/)

  const reset = async (email: string) =>
    (await floodgauge('user', 'reset-second-factor', email, '--data', data)).stdout.trim()
  assert.equal(await reset('ANN@example.net'), 'ANN@example.net has no second factor any more')
  assert.equal(await reset('bob@example.net'), 'bob@example.net had no second factor')
  assert.deepEqual(await listed(), [false, false])
  await assert.rejects(reset('nobody@example.net'), /there is no user/)
  const forget = await floodgauge('user', 'forget-sign-on', 'bob@example.net', '--data', data)
  assert.equal(forget.stdout, 'bob@example.net was bound to no provider\n')
})
