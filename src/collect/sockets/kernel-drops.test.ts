import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropsIn } from './kernel-drops.ts'

const table = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
 1234: 00000000:0807 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 111 2 0000000000000000 17
 1235: 0100007F:0807 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 112 2 0000000000000000 3
 1236: 00000000:18C7 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 113 2 0000000000000000 99
`

test('drops are summed over the sockets of the ports', () => {
  assert.equal(dropsIn(table, [2055]), 20)
  assert.equal(dropsIn(table, [2055, 6343]), 119)
  assert.equal(dropsIn(table, [53]), 0)
  assert.equal(dropsIn('', [2055]), 0)
})
