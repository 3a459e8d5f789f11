// `floodgauge explain` about the past: what it asks the service, and how it prints the answer.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Commands } from '../../test/helpers/commands/commands.ts'
import { endpoints } from '../contract/endpoints.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-cli-explain-'))
const commands = new Commands(folder)
const asked: string[] = []
let remote: Record<string, string> = {}

const service = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://x')
  asked.push(decodeURIComponent(url.pathname + url.search))
  const { getExplanation, getWhatIf } = endpoints
  const known: Record<string, unknown> = {
    '/api/v1/targets/192.0.2.10/explanation': getExplanation.example.response,
    '/api/v1/targets/192.0.2.10/what-if': getWhatIf.example.response,
  }
  const body = known[url.pathname]
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? { title: 'Not found', status: 404, detail: 'The address belongs to no site' }))
})

before(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening')
  const address = service.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  remote = { FLOODGAUGE_URL: url, FLOODGAUGE_EMAIL: 'ann@example.net', FLOODGAUGE_TOKEN: 'secret' }
})

after(async () => {
  await commands.close()
  service.close()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => commands.run(['explain', ...args], { env: remote })

test('a moment is explained: the sentence first, then each class with its line, and what was not seen', async () => {
  const { status, out, err } = await run('192.0.2.10', '--at', '2017-03-08 10:09:30')
  assert.equal(status, 0, err)
  assert.equal(asked.at(-1), '/api/v1/targets/192.0.2.10/explanation?at=2017-03-08+10:09:30')
  const [sentence] = out.split('\n')
  assert.equal(sentence, endpoints.getExplanation.example.response.answer)
  assert.match(out, /^2017-03-08 10:09:30 to 2017-03-08 10:10:00 UTC, known in steps of 10 s, compared with normal$/m)
  assert.match(
    out,
    /^ +132 +63\.4 kbps +132 +- +0 +132 +150 +88 % +packets, 30 s, floor +tcp@attack@syn_flood_target$/m,
  )
  assert.match(out, /^not seen whole:\n {2}of what an exporter sent, 12 datagrams or records were lost$/m)
  const json = await run('192.0.2.10', '--at', '2017-03-08', '--json')
  assert.deepEqual(JSON.parse(json.out), endpoints.getExplanation.example.response)
})

test('settings are tried: each that is given is asked about, and what they win and lose is listed', async () => {
  const span = ['--from', '2017-03-08', '--to', '2017-03-09']
  const { status, out, err } = await run('192.0.2.10', ...span, '--set', 'sensitivity=2', '--set', 'enabled=true')
  assert.equal(status, 0, err)
  assert.equal(
    asked.at(-1),
    '/api/v1/targets/192.0.2.10/what-if?start=2017-03-08&end=2017-03-09&sensitivity=2&enabled=true',
  )
  assert.match(out, /^With the changed settings there would have been 1 attack more/)
  assert.match(out, /^judged: 240 s in steps of 10 s, 0 s by the minute$/m)
  assert.match(
    out,
    /^\+ +2017-03-08 10:08:12 +2017-03-08 10:11:40 +139 +132 +75 +packets +tcp@attack@syn_flood_target$/m,
  )
  assert.doesNotMatch(out, /^-/m)
})

test('what does not go together is refused, and an address of others is not there', async () => {
  const refused = [
    ['--at', '2017-03-08', '--set', 'sensitivity=2'],
    ['--set', 'sensitivity=2'],
    ['--from', '2017-03-08'],
    ['--from', '2017-03-08', '--set', 'excludePorts=udp/53'],
    ['--from', '2017-03-08', '--set', 'sensitivity'],
    ['--at', '2017-03-08', '--config', 'x.yaml'],
  ]
  for (const args of refused) assert.equal((await run('192.0.2.10', ...args)).status, 2, args.join(' '))
  const { status, out, err } = await run('192.0.2.11', '--at', '2017-03-08')
  assert.deepEqual([status, out], [1, ''])
  assert.match(err, /belongs to no site/)
})
