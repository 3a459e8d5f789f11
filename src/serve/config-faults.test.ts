import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { Value } from 'typebox/value'
import { configSchema } from '../config.ts'
import { configFaults } from './config-faults.ts'

it('an address that would not be watched between two questions for its name is refused', (test) => {
  const dir = mkdtempSync(join(tmpdir(), 'faults-'))
  test.after(() => rmSync(dir, { recursive: true }))
  const config = Value.Create(configSchema)
  const faultsWith = (graceSeconds: number, intervalMaxSeconds = 300) =>
    configFaults({
      ...config,
      store: { ...config.store, dir },
      names: { ...config.names, resolvers: ['192.0.2.1'], graceSeconds, intervalMaxSeconds },
    })
  // A tenth later than the longest interval, and three questions of a second each.
  assert.deepEqual([faultsWith(333), faultsWith(1_800), faultsWith(5, 1).length], [[], [], 1])
  assert.match(faultsWith(332)[0], /names.graceSeconds is 332, .* may be 333 seconds/)
  assert.equal(faultsWith(0).length, 1)
})
