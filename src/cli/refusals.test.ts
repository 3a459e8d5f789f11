// What the command refuses before it does anything: words that are no command, configurations that the service could not start with.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Commands } from '../../test/helpers/commands/commands.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-refusals-'))

const commands = new Commands(folder)
const run = commands.run.bind(commands)
after(async () => {
  await commands.close()
  rmSync(folder, { recursive: true })
})

test('a command that there is not is status 2 with the nearest one, also before --help', async () => {
  for (const args of [['evnt', '--help'], ['evnt'], ['evnt', 'list']]) {
    const { status, out, err } = await run(args)
    assert.deepEqual([status, out], [2, ''], args.join(' '))
    assert.equal(err, 'floodgauge: there is no command `evnt`: did you mean `event`?\n')
  }
  const far = await run(['nosuchcommand', '--help'])
  assert.deepEqual([far.status, far.out], [2, ''])
  assert.match(far.err, /no command `nosuchcommand`: `floodgauge --help` lists them/)
  const below = await run(['event', 'lst', '--help'])
  assert.deepEqual([below.status, below.out], [2, ''])
  assert.equal(below.err, 'floodgauge: there is no command `lst`: did you mean `list`?\n')
  assert.equal((await run(['help'])).status, 0)
  assert.equal((await run(['help', 'event'])).status, 0)
})

test('check-config refuses the files that serve refuses, and warns of what serve would do without', async () => {
  const file = join(folder, 'files.yaml')
  const garbage = join(folder, 'garbage')
  writeFileSync(garbage, 'no certificate\n')
  const tsig = (secretFile: string) =>
    `{ zone: example.net, server: 192.0.2.1, tsig: { name: k, algorithm: hmac-sha256, secretFile: ${secretFile} } }`
  const cases: [string, RegExp][] = [
    ['names: { authoritiesFile: /nowhere/ca.pem }', /names\.authoritiesFile: \/nowhere\/ca\.pem cannot be read/],
    [`names: { authoritiesFile: ${garbage} }`, /names\.authoritiesFile: .*garbage does not begin with a certificate/],
    ['names: { resolvers: [nonsense] }', /names\.resolvers: nonsense is not ADDRESS/],
    [`names: { zones: [${tsig('/nowhere/key')}] }`, /tsig\.secretFile: \/nowhere\/key cannot be read/],
    [`store: { dir: ${garbage} }`, /store\.dir: .*garbage is no directory/],
    [`names: { dnstap: { listen: [${garbage}/x.sock] } }`, /names\.dnstap\.listen: .*garbage is no directory/],
  ]
  for (const [yaml, reason] of cases) {
    writeFileSync(file, `${yaml}\n`)
    const checked = await run(['check-config', file])
    const served = await run(['serve', '--config', file])
    assert.deepEqual([checked.status, checked.out, served.status], [1, '', 1], yaml)
    assert.match(checked.err, reason)
    assert.match(served.err, reason)
  }
  writeFileSync(file, `geo: { databases: [${garbage}] }\n`)
  const warned = await run(['check-config', file])
  assert.equal(warned.status, 0)
  assert.match(warned.err, /^geo\.databases: .*garbage cannot be read: /)
})
