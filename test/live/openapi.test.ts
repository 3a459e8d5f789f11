// The description of the interface, checked by others' tools: Redocly lints it, Schemathesis holds the running service against it.
// EXAMPLES (default 15): cases that Schemathesis makes of each operation. SEED (default 1): what they are drawn from, so that a failure can be had again.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ManualClock } from '../../src/clock.ts'
import { exportersOf } from '../../src/collect/health/exporter.ts'
import { noReception } from '../../src/collect/health/reception.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { headerNames, vendorDefault } from '../../src/contract/header-names.ts'
import { Detector } from '../../src/detect/detector.ts'
import { hashPassword } from '../../src/store/password.ts'
import { createTestApi, eventOf, noNames, noTargets, startMs } from '../helpers/api.ts'
import { defaultSettings } from '../helpers/detection.ts'
import { addEvents } from '../helpers/events.ts'
import { streamReport } from '../helpers/exporters.ts'
import { findProgram, skip } from './requirements.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const names = headerNames(vendorDefault)
const linter = '@redocly/cli@2.77.0'

async function run(
  program: string,
  args: string[],
  { cwd = root, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await exit
  return { status, output: output + errors }
}

/** What Schemathesis has found, without its list of what went well: the report of a failed test shows the last lines only. */
const failuresIn = (output: string) =>
  /^=+ (?:ERRORS|FAILURES) =+$[\s\S]*?(?=^=+ (?:WARNINGS|SUMMARY) =+$)/m.exec(output)?.[0].slice(0, 4_000) ?? output

test('openapi.json is lint-free', { skip, timeout: 480_000 }, async () => {
  const { status, output } = await run('npx', ['--yes', linter, 'lint', 'openapi.json'], {
    env: { REDOCLY_TELEMETRY: 'off' },
  })
  assert.equal(status, 0, output)
  assert.doesNotMatch(output, /\d+ warning/)
})

test('the running service is as described, by every check of Schemathesis', { skip, timeout: 1_500_000 }, async () => {
  const schemathesis = findProgram('schemathesis')
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-schemathesis-'))
  const clock = new ManualClock(startMs)
  const exporters = exportersOf([streamReport(), streamReport({ address: '2001:db8::7', protocol: 'sflow5' })], startMs)
  const detector = new Detector({ settings: defaultSettings() })
  const api = await createTestApi({
    clock,
    settings: { ratePerMinute: 0, failuresPerMinute: 0 },
    exporters: {
      list: () => exporters,
      each: () => exporters,
      find: (address) => exporters.find((each) => each.address === address) ?? null,
      reception: () => noReception,
    },
    targets: {
      ...noTargets,
      latestTraces: async (address) => detector.latestTraces(address),
      stateOf: async (address, knownFromMs) => detector.stateOf(address, knownFromMs),
      ratesOf: async (asked) => detector.ratesOf(asked),
      waysTo: () => [],
    },
    names: {
      ...noNames,
      importNames: async (chunks) => {
        for await (const _ of chunks);
        return endpoints.importNames.example.response
      },
    },
  })
  try {
    const { user, secret } = await api.addCaller(String(endpoints.signIn.example.body?.email), {
      scopes: ['read', 'write', 'admin'],
    })
    await api.store.setPassword(user.id, hashPassword(String(endpoints.signIn.example.body?.password)))
    await api.store.addSites(user.id, ['www.example.com', '192.0.2.0/24'], startMs)
    await addEvents(
      api.store,
      Array.from({ length: 5 }, (_, n) => eventOf(user.id, n, n === 0 ? {} : { label: null })),
    )
    clock.advance(60_000)
    const url = await api.server.listen({ host: '127.0.0.1', port: 0 })
    const { status, output } = await run(
      schemathesis,
      [
        ...['run', `${url}/openapi.json`, '--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful'],
        ...[
          '--exclude-path',
          '/api/v1/stream',
          '--max-examples',
          process.env.EXAMPLES ?? '15',
          '--seed',
          process.env.SEED ?? '1',
          // Others' tests beside this one make both slow.
          ...['--suppress-health-check', 'too_slow', '--request-timeout', '60'],
          '--continue-on-failure',
          '--no-color',
        ],
        ...['--header', `${names.token}: ${secret}`, '--header', `${names.email}: ${user.email}`],
      ],
      { cwd: folder, env: { HOME: folder, SCHEMATHESIS_HOOKS: join(root, 'test/live/schemathesis_hooks.py') } },
    )
    if (status !== 0) assert.fail(failuresIn(output))
    // All but the stream, which does not end.
    const { length } = Object.keys(endpoints)
    assert.match(output, new RegExp(`Selected: ${length - 1}/${length}`))
    // That something was only ever refused is a warning, and right for passwords and for ids of sessions.
    assert.match(output, /\d+ generated, \d+ passed/)
  } finally {
    await api.close()
    rmSync(folder, { recursive: true })
  }
})
