import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashTokenSecret, newTokenSecret } from './token-secret.ts'

test('secrets have the shape of a UUID, and differ', () => {
  const secrets = Array.from({ length: 1_000 }, newTokenSecret)
  for (const secret of secrets)
    assert.match(secret, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(new Set(secrets).size, secrets.length)
})

test('the hash is SHA-256 of the secret, without regard to case and surrounding space', () => {
  const given = '0b3e7f2a-9f0c-4a55-8f6e-0d5a3b1c2d4e'
  // By sha256sum.
  const hash = '0c191d608c2a6f253edb59e7656e6b17895dd56f6d35dc54b5ae3f316ad9643a'
  assert.equal(Buffer.from(hashTokenSecret(given)).toString('hex'), hash)
  for (const same of [given.toUpperCase(), ` ${given}\n`])
    assert.deepEqual(hashTokenSecret(same), hashTokenSecret(given))
  assert.notDeepEqual(hashTokenSecret(`${given}0`), hashTokenSecret(given))
})
