import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { lostSecrets, SecretBox } from './secret-box.ts'

const secret = Buffer.from('a secret of twenty b')

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-key-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('what is sealed opens for its owner, with the key that was made for it, which nobody else may read', (t) => {
  const folder = join(newFolder(t), 'data')
  const box = new SecretBox(folder)
  const sealed = box.seal(secret, 'ann')
  assert.equal(Buffer.from(sealed).includes(secret), false)
  assert.notDeepEqual(box.seal(secret, 'ann'), sealed)
  assert.deepEqual(new SecretBox(folder).open(sealed, 'ann'), secret)
  assert.throws(() => box.open(sealed, 'bob'), { code: 'STORE_UNAVAILABLE' })
  assert.deepEqual(readdirSync(folder), ['secrets.key'])
  assert.equal(statSync(box.file).mode & 0o777, 0o600)
  assert.match(readFileSync(box.file, 'utf8'), /^[0-9a-f]{64}\n$/)
})

test('without the key nothing opens, nor with another one; put back, it does', (t) => {
  const [here, elsewhere] = [newFolder(t), newFolder(t)]
  const sealed = new SecretBox(here).seal(secret, 'ann')
  const other = new SecretBox(elsewhere)
  assert.equal(other.open(sealed, 'ann'), null)
  assert.equal(other.hasKeyOf(sealed), false)
  assert.deepEqual(readdirSync(elsewhere), [], 'looking makes no key')
  other.seal(secret, 'ann')
  assert.equal(other.open(sealed, 'ann'), null)
  assert.equal(other.hasKeyOf(sealed), false)
  writeFileSync(other.file, readFileSync(join(here, 'secrets.key')))
  assert.deepEqual(other.open(sealed, 'ann'), secret)
  assert.equal(other.hasKeyOf(sealed), true)
})

test('what was changed, and a file that holds no key, is said to be so', (t) => {
  const folder = newFolder(t)
  const box = new SecretBox(folder)
  const sealed = box.seal(secret, 'ann')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Uint8Array.from(sealed, (byte, i) => (i === at ? byte ^ 1 : byte))
    if (at < 8) assert.equal(box.open(changed, 'ann'), null)
    else assert.throws(() => box.open(changed, 'ann'), /damaged/)
  }
  for (let length = 8; length < sealed.length; length++)
    assert.throws(() => box.open(sealed.subarray(0, length), 'ann'), { code: 'STORE_UNAVAILABLE' })
  assert.equal(box.open(new Uint8Array(), 'ann'), null)
  for (const text of ['', 'x'.repeat(64), 'ab']) {
    writeFileSync(box.file, text)
    assert.throws(() => box.seal(secret, 'ann'), /holds no key/)
  }
})

test('a key that is damaged, empty or unreadable is one that is not here, and the operator is told why', async (t) => {
  const box = new SecretBox(newFolder(t))
  const sealed = box.seal(secret, 'ann')
  const store = { sealedSecrets: async () => [sealed], sealedChannels: async () => [sealed, sealed] }
  assert.equal(await lostSecrets(store, box), null)
  for (const text of ['', 'x'.repeat(64)]) {
    writeFileSync(box.file, text)
    assert.equal(box.hasKeyOf(sealed), false)
    assert.match(
      (await lostSecrets(store, box)) ?? '',
      /of one user cannot be checked: .*secrets\.key holds no key\. Put.* of 2 alert channels cannot be opened: .*holds no key/,
    )
  }
  rmSync(box.file)
  assert.match((await lostSecrets(store, box)) ?? '', /their key is not in/)
  mkdirSync(box.file)
  assert.match((await lostSecrets(store, box)) ?? '', /cannot read the key .*EISDIR/)
})

test('a key that cannot be made or read is an error of the store', (t) => {
  const file = join(newFolder(t), 'no-folder')
  writeFileSync(file, '')
  assert.throws(() => new SecretBox(file).seal(secret, 'ann'), { code: 'STORE_UNAVAILABLE' })
})
