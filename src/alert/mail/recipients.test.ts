import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAddress, sameAddress } from './recipients.ts'

describe('addresses of recipients', () => {
  it('are plain ones', () => {
    for (const address of [
      'a@b',
      'ann.b+c@example.com',
      "o'neil_-x@xn--bcher-kva.example",
      `${'a'.repeat(64)}@b.example`,
    ])
      assert.equal(isAddress(address), true, address)
  })

  it('are nothing that a mail program could read more into', () => {
    for (const text of [
      ...['', '@', 'a', 'a@', '@b', 'a@b@c', 'a b@c', ' a@b', 'a@b ', 'a@b,c@d', 'a@b;c@d', 'a@b\n', 'a@b\r\nBcc: c@d'],
      ...[
        'a@x\r\nRCPT TO:<evil@y>',
        'evil@y>\r\n<a@x',
        '<a@b>',
        'Ann <a@b>',
        '"a"@b',
        '"a b"@c',
        'a(comment)@b',
        'a@[127.0.0.1]',
      ],
      ...[
        '.a@b',
        'a.@b',
        'a..b@c',
        'a@b..c',
        'a@.b',
        'a@b.',
        'a@-b',
        'a@b-',
        'ä@b',
        'a@ä.example',
        'a\u0000@b',
        'a@b\u202e',
      ],
      ...[`${'a'.repeat(65)}@b`, `a@${'b'.repeat(64)}`, `a@${'b.'.repeat(130)}c`, 'group:a@b;', '@c:a@b', 'a%b\\@c@d'],
    ])
      assert.equal(isAddress(text), false, JSON.stringify(text))
  })

  it('are the same in either case', () => {
    assert.deepEqual([sameAddress('Ann@Example.com', 'ann@example.COM'), sameAddress('a@b', 'c@b')], [true, false])
  })
})
