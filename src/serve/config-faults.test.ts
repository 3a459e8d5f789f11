import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { Value } from 'typebox/value'
import { certificates } from '../../test/helpers/servers/dns-server.ts'
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

it('hooks and a mail server that would lead nowhere are refused', (test) => {
  const dir = mkdtempSync(join(tmpdir(), 'faults-'))
  test.after(() => rmSync(dir, { recursive: true }))
  const config = Value.Create(configSchema)
  const faultsWith = (alerts: Partial<typeof config.alerts>) =>
    configFaults({ ...config, store: { ...config.store, dir }, alerts: { ...config.alerts, ...alerts } })
  const smtp = { ...config.alerts.smtp, host: 'mail.example.net', from: 'a@example.net' }
  const hook = { name: 'a', command: ['/bin/true'] }
  assert.deepEqual([faultsWith({}), faultsWith({ smtp, hooks: [hook, { ...hook, name: 'b' }] })], [[], []])
  const { authority, key } = certificates
  assert.deepEqual(faultsWith({ smtp: { ...smtp, caFile: authority } }), [])
  const wrong: [given: Partial<typeof config.alerts>, text: RegExp][] = [
    [{ hooks: [hook, hook] }, /two called a$/],
    [{ heartbeat: { url: 'ftp://hc.example.net/1', everySeconds: 60 } }, /heartbeat\.url is no address/],
    [{ hooks: [{ ...hook, command: ['true'] }] }, /not an absolute path$/],
    [{ smtp: { ...smtp, from: '' } }, /alerts\.smtp\.from is not$/],
    [{ smtp: { ...smtp, user: 'a', tls: 'none' } }, /in the clear$/],
    [{ smtp: { ...smtp, caFile: key } }, /cannot be read$/],
    [{ smtp: { ...smtp, caFile: join(dir, 'none') } }, /cannot be read$/],
  ]
  for (const [given, text] of wrong) assert.match(faultsWith(given)[0] ?? '', text)
})
