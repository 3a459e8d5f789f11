import assert from 'node:assert/strict'
import { it } from 'node:test'
import { requireHostRecord } from '../../access/host-record.ts'
import { rootsOf } from './site-index.ts'

const roots = (host: string) => {
  const record = requireHostRecord(host)
  return rootsOf(record)
}

it('the names that are resolved for a site are its own, as long as names may be', () => {
  assert.deepEqual(roots('www.example.com'), ['www.example.com'])
  assert.deepEqual(roots('*.example.com'), ['example.com', 'www.example.com'])
  assert.deepEqual(roots('192.0.2.0/24'), [])
  const long = `${'a.'.repeat(119)}example.com`
  assert.deepEqual(roots(`*.${long}`), [long, `www.${long}`])
  assert.deepEqual(roots(`*.x${long}`), [`x${long}`])
})
