import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProblemError } from '../../../client/problem.ts'
import { reasonOf } from './api.ts'

test('what is wrong is said without the status and without the place in the request', () => {
  const detail = 'The body is not valid'
  const errors = [{ pointer: '/password', detail: 'A password is not the e-mail' }]
  const refused = (problem: ProblemError['problem']) =>
    new ProblemError('400 Bad request: The body is not valid; /password', { status: 400, problem })
  assert.equal(reasonOf(refused({ detail, errors }), 'away'), 'A password is not the e-mail')
  assert.equal(reasonOf(refused({ detail }), 'away'), detail)
  assert.match(reasonOf(refused(null), 'away'), /^400/)
  assert.equal(reasonOf(new TypeError('Failed to fetch'), 'away'), 'away')
  assert.equal(reasonOf(new ProblemError('the answer is no JSON', { status: 200 }), 'away'), 'away')
})
