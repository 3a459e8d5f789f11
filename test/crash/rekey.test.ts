// Another key for the secrets at rest, by a command that is killed in the middle: every secret opens afterwards, with a key that is here.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/clock.ts'
import { storeFileOf } from '../../src/store/data-directory.ts'
import { SecretBox } from '../../src/store/secret-box.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { bareEnvironment } from '../helpers/commands/environment.ts'

/** `CRASH_ROUNDS=100` for a thorough run. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 4)
const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
/** As many take the command some tenths of a second. */
const channels = 3_000

it('a change of keys that is killed leaves every secret with a key that is here', {
  timeout: 60_000 + rounds * 60_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-rekey-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const ids = Array.from({ length: channels }, (_, n) => `c${n}`)
  const store = await openSqliteStore(storeFileOf(folder), { clock: systemClock })
  const { id: userId } = await store.addUser({ email: 'ann@example.net', siteQuota: 1, allowed: null })
  const box = new SecretBox(folder)
  for (const id of ids)
    await store.addChannel(
      userId,
      { id, kind: 'webhook', name: id, settings: {}, sealed: box.seal(Buffer.from(id), id) },
      channels,
    )
  const keys = () => readdirSync(folder).filter((name) => name.startsWith('secrets.key') && !name.endsWith('.part'))
  const rekeyed = (): ReturnType<typeof spawn> =>
    spawn(process.execPath, [main, 'alert', 'rekey', '--data', folder], { env: bareEnvironment, stdio: 'ignore' })
  const outcomes = { kept: 0, changed: 0, between: 0 }
  // More, until one was in the middle.
  for (let round = 0; round < rounds || (outcomes.between === 0 && round < 3 * rounds); round++) {
    const before = readFileSync(box.file, 'utf8')
    const child = rekeyed()
    const closed = once(child, 'close')
    while (keys().length < 2 && readFileSync(box.file, 'utf8') === before) await delay(1)
    await delay(Math.random() * 150)
    child.kill('SIGKILL')
    await closed
    const here = new SecretBox(folder)
    for (const { id, sealed } of await store.channelsOf(userId))
      assert.equal(String(Buffer.from(here.open(sealed, id) ?? [])), id, `round ${round}`)
    const isChanged = readFileSync(box.file, 'utf8') !== before
    outcomes[keys().length > 1 ? 'between' : isChanged ? 'changed' : 'kept']++
  }
  assert.equal((await once(rekeyed(), 'close'))[0], 0)
  assert.deepEqual(keys(), ['secrets.key'])
  const last = new SecretBox(folder)
  for (const { id, sealed } of await store.channelsOf(userId))
    assert.equal(String(Buffer.from(last.open(sealed, id) ?? [])), id)
  await store.close()
  t.diagnostic(JSON.stringify(outcomes))
  assert.ok(outcomes.between > 0, 'no kill was in the middle')
})
