// The resolver against a real recursive resolver, unbound, that serves its own zone: an alias chain that unbound gives one link at a time,
// round robin, an answer too large for UDP, and names that are not there.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Resolver } from '../../src/names/resolver.ts'
import { formatIpv4 } from '../../src/net/ipv4.ts'
import { findProgram, skip } from './requirements.ts'

const many = Array.from({ length: 120 }, (_, i) => `local-data: "many.zone.example. 60 A 192.0.2.${i}"`)

function config(port: number, folder: string): string {
  return `server:
  interface: 127.0.0.1
  port: ${port}
  do-daemonize: no
  chroot: ""
  username: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  module-config: "iterator"
  local-zone: "zone.example." static
  local-data: "www.zone.example. 300 CNAME a.zone.example."
  local-data: "a.zone.example. 20 CNAME b.zone.example."
  local-data: "b.zone.example. 300 A 192.0.2.1"
  local-data: "b.zone.example. 300 A 192.0.2.2"
  local-data: "text.zone.example. 300 TXT 'no address'"
  ${many.join('\n  ')}
remote-control:
  control-enable: no
`
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

describe('unbound', { skip }, () => {
  let folder: string
  let unbound: ChildProcess
  let resolver: Resolver
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'unbound-'))
    const port = await freePort()
    const file = join(folder, 'unbound.conf')
    writeFileSync(file, config(port, folder))
    unbound = spawn(findProgram('unbound'), ['-d', '-c', file], { stdio: 'ignore' })
    resolver = new Resolver({
      server: { address: '127.0.0.1', port, family: 4 },
      authorities: null,
      timeoutMs: 500,
      attempts: 20,
      signal: new AbortController().signal,
      onAsk: () => {},
      onDuration: () => {},
    })
    for (let i = 0; i < 100 && (await resolver.resolve('b.zone.example')).kind !== 'addresses'; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  after(() => {
    unbound.kill()
    rmSync(folder, { recursive: true })
  })

  it('follows aliases that come one at a time', async () => {
    const resolution = await resolver.resolve('www.zone.example')
    assert.ok(resolution.kind === 'addresses')
    assert.deepEqual(resolution.addresses.map(formatIpv4).toSorted(), ['192.0.2.1', '192.0.2.2'])
    assert.deepEqual([resolution.chain, resolution.ttlSeconds], [['a.zone.example', 'b.zone.example'], 20])
  })

  it('takes a large answer whole, over TCP', async () => {
    const resolution = await resolver.resolve('many.zone.example')
    assert.equal(resolution.kind === 'addresses' && resolution.addresses.length, 120)
  })

  it('tells what is not there', async () => {
    assert.deepEqual(await resolver.resolve('text.zone.example'), { kind: 'absent' })
    assert.deepEqual(await resolver.resolve('none.zone.example'), { kind: 'absent' })
  })
})
