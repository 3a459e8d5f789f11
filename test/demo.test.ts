// `npm run demo` from the outside: real process, real UDP, events on the screen, nothing left behind.
import assert from 'node:assert/strict'
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { floodgauge } from './helpers/service.ts'

const script = fileURLToPath(new URL('../scripts/demo.ts', import.meta.url))
/** Only a demo that does not do what is waited for is ended by this. */
const patienceMs = 240_000
const folders: string[] = []
after(() => folders.forEach((folder) => void rmSync(folder, { recursive: true })))

interface Demo {
  child: ChildProcessByStdio<null, Readable, Readable>
  said: () => string
  /** Where it makes its temporary files. */
  folder: string
}

function startDemo(...options: string[]): Demo {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-test-'))
  folders.push(folder)
  const child = spawn(process.execPath, [script, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  })
  setTimeout(() => child.kill('SIGTERM'), patienceMs).unref()
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  }
  return { child, said: () => text, folder }
}

async function assertNothingLeft(folder: string): Promise<void> {
  assert.deepEqual(readdirSync(folder), [])
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'])
  assert.ok(!stdout.includes(folder), 'a process of the demo is left')
}

describe('the demo', { concurrency: true }, () => {
  test('shows an attack as an event with the line that fetches it, and Ctrl-C leaves nothing', async () => {
    const { child, said, folder } = startDemo()
    const ended = once(child, 'close')
    const shows = /EVENT tcp@attack@syn_flood_target on 192\.0\.2\.10 .*\n\n +curl (.*)\n/
    while (!shows.test(said()) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 100))
    const curl = (shows.exec(said())?.[1] ?? '').replaceAll("'", '')
    assert.notEqual(curl, '', said())
    const [, email, token, url] = /X-SVC-AuthEmail: (\S+) -H X-SVC-AuthToken: (\S+) (\S+)$/.exec(curl) ?? []
    const answer = await fetch(url, { headers: { 'X-SVC-AuthEmail': email, 'X-SVC-AuthToken': token } })
    assert.equal(answer.status, 200)
    assert.equal(JSON.parse(await answer.text()).data.ip, '192.0.2.10')

    const link = new URL(/^ +(http:\S+\/link#\S+)$/m.exec(said())?.[1] ?? '')
    const { email: user, code } = Object.fromEntries(new URLSearchParams(link.hash.slice(1)))
    const signedIn = await fetch(`${link.origin}/api/v1/session/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: user, code }),
    })
    assert.equal(signedIn.status, 200)
    assert.match(signedIn.headers.get('set-cookie') ?? '', /^floodgauge=/)

    // A link is good once: the line for another one prints one that works.
    const again = /^ +npx floodgauge (user link .*)$/m.exec(said())?.[1] ?? ''
    const printed = await floodgauge(...again.split(' '))
    assert.ok(printed.trim().startsWith(`${link.origin}/link#`), printed)

    child.kill('SIGINT')
    const [status] = await ended
    assert.equal(status, 0, said())
    await assertNothingLeft(folder)
  })

  test('ends by itself after --events, and leaves nothing', async () => {
    const { child, said, folder } = startDemo('--events', '1')
    const [status] = await once(child, 'close')
    assert.equal(status, 0, said())
    assert.equal(said().match(/ EVENT /g)?.length, 1, said())
    assert.match(said(), /\nStopped; nothing is left behind\.\n$/)
    await assertNothingLeft(folder)
  })

  test('refuses a wrong number of events', async () => {
    const { child, said } = startDemo('--events', 'none')
    const [status] = await once(child, 'close')
    assert.equal(status, 2)
    assert.match(said(), /--events takes a number from 1 on/)
  })
})
