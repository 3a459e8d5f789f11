import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailKey, isEmail } from './email.ts'

test('e-mails are compared without case, however their letters are composed', () => {
  assert.equal(emailKey('Ann@Example.COM'), emailKey('ann@example.com'))
  assert.equal(emailKey('jose\u0301@example.com'), emailKey('JOS\u00c9@example.com'))
  assert.notEqual(emailKey('ann@example.com'), emailKey('anna@example.com'))
})

test('an account has an e-mail of one local part and one domain', () => {
  for (const good of ['a@b', 'ann+tag@example.com', "o'neil@example.co.uk", 'jos\u00e9@ex\u00e4mple.de', '1@192.0.2.1'])
    assert.ok(isEmail(good), good)
  const bad = [
    '',
    '@',
    'ann',
    'ann@',
    '@b',
    'a@b@c',
    'a b@c',
    'a@b\n',
    'a@b\u0000',
    '<a@b>',
    '"a"@b',
    'a,b@c',
    'a\u202e@b',
    `${'a'.repeat(254)}@b`,
  ]
  for (const text of bad) assert.ok(!isEmail(text), JSON.stringify(text))
})
