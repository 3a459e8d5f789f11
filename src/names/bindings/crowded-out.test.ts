import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CrowdedOut } from './crowded-out.ts'

it('keeps names until they are whole again, and within its bound those of the user with most are forgotten', () => {
  const names = new CrowdedOut(8)
  names.add('www.example.com', 'ann')
  for (let i = 0; i < 20; i++) names.add(`${i}.evil.example`, 'evil')
  for (const name of ['www.example.com', '19.evil.example']) assert.equal(names.has(name), true, name)
  assert.deepEqual([names.has('0.evil.example'), names.forgotten], [false, 13])
  names.delete('www.example.com')
  names.delete('www.example.com')
  assert.equal(names.has('www.example.com'), false)
})
