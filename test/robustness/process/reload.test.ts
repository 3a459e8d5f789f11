// What SIGHUP does: a service without a terminal reads its configuration again and is ended by nothing in it; one whose terminal is closed stops
// in order.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { lockDirectory } from '../../../src/store/sqlite/directory-lock.ts'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { mainFile, type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

let folder: string

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-reload-'))
})
after(() => rmSync(folder, { recursive: true }))

describe('SIGHUP without a terminal', () => {
  let config: string
  let service: RunningService

  before(async () => {
    config = join(folder, 'floodgauge.yaml')
    writeFileSync(config, 'http: { ratePerMinute: 100 }\n')
    service = await startService(undefined, { args: ['--config', config] })
  })
  after(() => service.stop())

  const lines = (text: string) => service.said().split(text).length - 1
  /** The address may be another one after each start. */
  const url = () => [...service.said().matchAll(/"url":"(http:[^"]+)"/g)].at(-1)?.[1] ?? ''
  const reloaded = async (text: string) => {
    const before = lines(text)
    service.process.kill('SIGHUP')
    await until(text, async () => lines(text) > before)
  }

  it('leaves a service whose configuration is the same as it is', async () => {
    await reloaded('the configuration is the same')
    assert.equal(lines('"msg":"started"'), 1)
    assert.equal((await fetch(`${url()}/readyz`)).status, 200)
  })

  it('has it start again with another one, with all that it knows', async () => {
    const { headersOf, policy } = await user(service.url)
    assert.match((await policy(url())) ?? '', /q=100;/)
    writeFileSync(config, 'http: { ratePerMinute: 200 }\n')
    await reloaded('"msg":"started"')
    assert.equal(lines('It expects flows at'), 2)
    assert.match(service.said(), /"changed":\["http\.ratePerMinute"\]/)
    assert.match((await policy(url())) ?? '', /q=200;/)
    assert.equal((await fetch(`${url()}/open/site`, { headers: headersOf })).status, 200)
  })

  it('changes nothing where the configuration is wrong, or cannot be started with', async () => {
    const startedBefore = lines('"msg":"started"')
    writeFileSync(config, 'http: { ratePerMinute: many }\n')
    await reloaded('the configuration is wrong, and nothing is changed')
    writeFileSync(config, 'names: { authoritiesFile: /nowhere/ca.pem }\n')
    await reloaded('the configuration is wrong, and nothing is changed')
    assert.equal(lines('"msg":"started"'), startedBefore)

    const taken = createServer()
    await once(taken.listen(0, '127.0.0.1'), 'listening')
    const { port } = taken.address() as AddressInfo
    writeFileSync(config, `names: { dnstap: { listen: ['127.0.0.1:${port}'] } }\n`)
    await reloaded('back to the one before')
    await until('it is there again', async () => lines('"msg":"started"') > startedBefore)
    assert.equal((await fetch(`${url()}/healthz`)).status, 200)
    taken.close()
  })

  it('does not keep SIGTERM from ending it in order', async () => {
    const ended = once(service.process, 'exit')
    service.process.kill('SIGHUP')
    service.process.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    assert.match(service.said(), /"msg":"stopped"/)
  })

  async function user(at: string) {
    const { email, token } = await makeFirstUser({ url: at, setupUrl: service.setupUrl })
    const headersOf = { 'X-SVC-AuthEmail': email, 'X-SVC-AuthToken': token }
    const policy = async (where: string) =>
      (await fetch(`${where}/open/site`, { headers: headersOf })).headers.get('ratelimit-policy')
    return { headersOf, policy }
  }
})

const terminal = '/usr/bin/script'

it('a terminal that is closed stops the service in order', {
  skip: !existsSync(terminal) && `${terminal} is not there`,
}, async () => {
  const data = join(folder, 'terminal')
  const flows = ['netflow', 'ipfix', 'sflow'].map((name) => `--${name} 127.0.0.1:0`).join(' ')
  const command = `echo "process $$"; exec '${process.execPath}' '${mainFile}' serve --data '${data}' --http 127.0.0.1:0 ${flows}`
  const child = spawn(terminal, ['--quiet', '--flush', '--command', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const pid = await until(
    'it says which process it is',
    async () => Number(/process (\d+)/.exec(said)?.[1] ?? 0) || null,
  )
  try {
    await until('it has started', async () => /"msg":"started"/.test(said))
    assert.ok(isRunning(pid))
    const note = join(data, 'service.url')
    assert.ok(existsSync(note))
    // The terminal goes with the program that holds its other end.
    child.kill('SIGKILL')
    await until('it has stopped', async () => !existsSync(note) && isFree(data))
    await until('it has ended', async () => !isRunning(pid))
  } finally {
    child.kill('SIGKILL')
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  }
})

/** A process that has ended has no program any more, also where nobody has asked for its status yet. */
function isRunning(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== ''
  } catch {
    return false
  }
}

/** Whether no service holds the data directory any more. */
function isFree(data: string): boolean {
  try {
    lockDirectory(data).close()
    return true
  } catch {
    return false
  }
}
