import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { ProblemError } from '../../../client/problem.ts'
import en from '../../messages/en.json' with { type: 'json' }
import zh from '../../messages/zh.json' with { type: 'json' }
import { createTranslator } from '../i18n/messages.ts'
import { createApi, reasonOf } from './api.ts'

const english = createTranslator('en', en, en)
const chinese = createTranslator('zh', zh, en)
const refused = (problem: ProblemError['problem'], status = 400, retryAfterMs: number | null = null) =>
  new ProblemError('400 Bad request: The body is not valid; /password', { status, problem, retryAfterMs })

test('what is wrong is said without the status and without the place in the request', () => {
  const detail = 'The body is not valid'
  const errors = [{ pointer: '/password', detail: 'A password is not the e-mail' }]
  assert.equal(reasonOf(refused({ detail, errors }), english), 'A password is not the e-mail')
  assert.equal(reasonOf(refused({ detail }), english), detail)
  assert.match(reasonOf(refused(null), english), /^400/)
  const away = english.t('state.unreachableText')
  assert.equal(reasonOf(new TypeError('Failed to fetch'), english), away)
  assert.equal(reasonOf(new ProblemError('the answer is no JSON', { status: 200 }), english), away)
})

test('a reason that has a word, and a wait, are said in the language of the reader', () => {
  const detail = 'Nobody else is an admin'
  assert.equal(reasonOf(refused({ detail, reason: 'last-admin' }, 409), chinese), zh['refusal.last-admin'])
  assert.equal(reasonOf(refused({ detail, reason: 'a-newer-one' }, 409), chinese), detail)
  assert.equal(reasonOf(refused({ detail }, 429, 2_500), chinese), '请求过多：请在 3 秒后重试。')
  assert.equal(reasonOf(refused({ detail }, 503), chinese), zh['refusal.unavailable'])
})

test('only who was known can be signed out: what is asked for before that and refused says nothing new', async (t) => {
  t.mock.method(globalThis, 'fetch', async () => new Response('{}', { status: 401 }))
  const api = createApi('http://127.0.0.1/')
  const onSignedOut = mock.fn()
  api.onSignedOut = onSignedOut
  const ask = (name: 'getSession' | 'getOverview') => assert.rejects(api.call(name, {}), ProblemError)
  await ask('getOverview')
  assert.equal(onSignedOut.mock.callCount(), 0)
  api.csrfToken = 'of a session'
  await ask('getSession')
  assert.equal(onSignedOut.mock.callCount(), 0)
  await ask('getOverview')
  assert.equal(onSignedOut.mock.callCount(), 1)
})
