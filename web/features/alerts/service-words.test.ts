import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { describe, test } from 'node:test'
import { compileTemplate } from '../../../src/alert/messages/template/template.ts'
import { outcomeOf, outcomeOfError } from '../../../src/alert/outgoing/outcome.ts'
import { whyUnreachable } from '../../../src/alert/outgoing/request.ts'
import english from '../../messages/en.json' with { type: 'json' }
import { createTranslator } from '../../shared/i18n/messages.ts'
import { saidBy } from './service-words.ts'

const translator = createTranslator('en', english, english)
const said = (text: string) => saidBy(text, translator)
const failed = (code: string) => outcomeOfError(Object.assign(new Error('x'), { code })).text

describe('what the service says of attempts', () => {
  test('has words for every answer, with its status', () => {
    for (const status of [200, 204, 301, 307, 400, 401, 403, 404, 410, 413, 422, 429, 500, 503]) {
      const { text, isForeign } = said(outcomeOf({ status, headers: {} }, 0).text)
      assert.equal(isForeign, false, String(status))
      assert.match(text, new RegExp(`HTTP ${status}`))
    }
  })

  test('has words for what the system says', () => {
    const codes = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']
    const certificate = ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']
    const names = ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID']
    for (const code of [...codes, ...certificate, ...names]) assert.equal(said(failed(code)).isForeign, false, code)
    assert.equal(said('no answer within 15 seconds').text, 'No answer within 15 seconds')
  })

  test('has words for places that may not be reached', async () => {
    const urls = [
      'ftp://192.0.2.1',
      'http://a:b@192.0.2.1/',
      'http://192.0.2.1:22/',
      'http://169.254.169.254/',
      'http://10.0.0.1/',
    ]
    const resolve = () => assert.fail('no name is looked up')
    const reaching = { reach: 'public', allowed: new BlockList(), resolve } as const
    for (const url of urls) {
      const reason = await whyUnreachable(url, { ...reaching, ownAddresses: () => [] })
      assert.equal(said(reason ?? '').isForeign, false, `${url}: ${reason}`)
    }
    const own = { ...reaching, ownAddresses: () => ['192.0.2.1'] }
    assert.match(
      said((await whyUnreachable('http://192.0.2.1/', own)) ?? '').text,
      /^192\.0\.2\.1 leads to this machine/,
    )
  })

  test('has words for what was given up without an attempt', () => {
    for (const text of [
      'given up: it waited for more than 28 hours',
      'given up: more than 10000 messages wait for the channel',
    ])
      assert.equal(said(text).isForeign, false, text)
  })

  test('has words for what is wrong with a template', () => {
    for (const template of ['{{event.sight}}', '{{event.site|bits}}', '{{facts|upper}}', 'a {{event.site'])
      for (const fault of [compileTemplate(template)].flat())
        assert.ok(typeof fault === 'string' && !said(fault).isForeign, `${template}: ${fault}`)
    assert.match(said(String(compileTemplate('{{event.sight}}'))).text, /no placeholder \{\{event\.sight\}\}/)
  })

  test('stays as it is where there are no words for it', () => {
    assert.deepEqual(said('exit 3'), { text: 'exit 3', isForeign: true })
    assert.deepEqual(said('HTTP 200 {status}'), { text: 'HTTP 200 {status}', isForeign: true })
  })
})
