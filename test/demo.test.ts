// `npm run demo` from the outside: real process, real UDP, events on the screen, nothing left behind.
import assert from 'node:assert/strict'
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const script = fileURLToPath(new URL('../scripts/demo.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'floodgauge-test-'))
after(() => rmSync(folder, { recursive: true }))

function startDemo(...options: string[]): { child: ChildProcessByStdio<null, Readable, Readable>; said: () => string } {
  const child = spawn(process.execPath, [script, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  }
  return { child, said: () => text }
}

test('the demo shows an attack as an event with the line that fetches it, and Ctrl-C leaves nothing', async () => {
  const { child, said } = startDemo()
  const ended = once(child, 'close')
  const shows = /EVENT tcp@attack@syn_flood_target on 192\.0\.2\.10 .*\n\n +curl (.*)\n/
  setTimeout(() => child.kill('SIGTERM'), 40_000).unref()
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

  child.kill('SIGINT')
  const [status] = await ended
  assert.equal(status, 0, said())
  assert.deepEqual(readdirSync(folder), [])
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'])
  assert.ok(!stdout.includes(folder), 'a process of the demo is left')
})

test('--events ends the demo by itself; a wrong number is refused', async () => {
  const wrong = startDemo('--events', 'none')
  assert.deepEqual((await once(wrong.child, 'close'))[0], 1)
})
