import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword, passwordFault } from './password.ts'

test('a hash is Argon2id at the recommended cost, salted, and of this password alone', async () => {
  const [first, second] = [hashPassword('correct horse'), hashPassword('correct horse')]
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
  assert.equal(isPassword('correct horse', first), true)
  assert.equal(isPassword('correct horsf', first), false)
  assert.equal(isPassword('', first), false)
})

test('a hash of another cost is good, what is no hash is of no password', async () => {
  const [salt, word] = ['c29tZXNhbHRzb21lc2FsdA', 'password']
  const cheaper = `$argon2id$v=19$m=8192,t=3,p=1$${salt}$ApULVYDZxJCfeJZ/s6a/6fCDntZLkysRiroh7IlwWyk`
  assert.equal(isPassword(word, cheaper), true)
  assert.equal(isPassword('Password', cheaper), false)
  for (const wrong of [null, '', 'x', `$argon2id$v=19$m=999999,t=2,p=1$${salt}$${'A'.repeat(43)}`])
    assert.equal(isPassword(word, wrong), false)
})

test('the same letters are the same password, however they are coded', async () => {
  const hash = hashPassword('na\u00efve caf\u00e9')
  assert.equal(isPassword('nai\u0308ve cafe\u0301', hash), true)
})

test('a password is neither short, long nor plain', () => {
  const email = 'ann@example.net'
  for (const wrong of ['', 'nine char', 'x'.repeat(201), 'aaaaaaaaaaaaaaa', 'abcabcabcabc', 'ANN@example.net'])
    assert.notEqual(passwordFault(wrong, email), null, wrong)
  for (const good of ['ten chars!', 'abcd'.repeat(50), '密码密码很长很长的密码吧'])
    assert.equal(passwordFault(good, email), null, good)
})
