// Programs are run as they are meant to be: with what they are given, in their time, each victim once, and what was begun is ended.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { messageOf } from '../../../test/helpers/labs/messages.ts'
import { nastyValues } from '../../../test/helpers/labs/nasty.ts'
import { until } from '../../../test/helpers/until.ts'
import type { EventReport } from '../../contract/events/event.ts'
import { reportExample } from '../../contract/events/examples.ts'
import { createLogger } from '../../log.ts'
import { exec } from '../channels/exec.ts'
import { attemptSignal } from '../channels/kind.ts'
import { webhook } from '../channels/webhook.ts'
import type { Hook } from '../settings.ts'
import { runProgram } from './run.ts'
import { HookRunner } from './runner.ts'

let folder: string
let end: AbortController
beforeEach((t) => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-hooks-'))
  end = new AbortController()
  ;(t as TestContext).after(() => rmSync(folder, { recursive: true, force: true }))
})

/** Its lines may use $OUT, a file for what it has to say. */
function script(name: string, ...lines: string[]): string {
  const path = join(folder, name)
  writeFileSync(path, ['#!/bin/sh', `OUT=${folder}/out`, ...lines, ''].join('\n'))
  chmodSync(path, 0o700)
  return path
}
const said = () => (existsSync(join(folder, 'out')) ? readFileSync(join(folder, 'out'), 'utf8') : '')
const runner = (...hooks: Hook[]) =>
  new HookRunner(hooks, { directory: join(folder, 'book'), log: createLogger('silent') })
const given = (json = '{}') => ({ publicUrl: '', channelId: 'c1', json, signal: end.signal })
const open = { state: 'open', end: null } as const

describe('a program', () => {
  const run = (command: string[], more: Partial<Parameters<typeof runProgram>[0]> = {}) =>
    runProgram({ command, input: '', directory: join(folder, 'inputs'), timeoutMs: 5_000, signal: end.signal, ...more })

  it('gets its input and a plain environment, and says what it says', async () => {
    const ran = await run(['/bin/sh', '-c', 'cat; env | sort; echo bad >&2; exit 3'], { input: 'in\n' })
    assert.deepEqual([ran.code, ran.fault], [3, null])
    const lines = ran.output.split('\n')
    assert.equal(lines[0], 'in')
    assert.ok(lines.includes('TZ=UTC') && lines.includes('bad'))
    const names = lines.filter((line) => line.includes('=')).map((line) => line.split('=')[0])
    assert.deepEqual(
      names.filter((name) => !['LANG', 'PATH', 'PWD', 'TZ', '_', 'SHLVL', 'OLDPWD'].includes(name)),
      [],
    )
  })

  it('may open its input by name, of which no file is left', async () => {
    assert.equal((await run(['/bin/sh', '-c', 'cat </dev/stdin'], { input: 'all of it\n' })).output, 'all of it\n')
    assert.deepEqual(readdirSync(join(folder, 'inputs')), [])
    writeFileSync(join(folder, 'taken'), '')
    const { code, fault } = await run(['/bin/true'], { directory: join(folder, 'taken') })
    assert.deepEqual([code, fault], [null, 'its input cannot be written (EEXIST)'])
  })

  it('need not read, and is heard for 4 KiB', async () => {
    const ran = await run(['/bin/sh', '-c', 'head -c 100000 /dev/zero | tr "\\0" x'], { input: 'x'.repeat(1_000_000) })
    assert.deepEqual([ran.code, ran.output], [0, 'x'.repeat(4_096)])
  })

  it('is killed with all that it has begun when its time is over', async () => {
    const ran = await run(['/bin/sh', '-c', `sleep 60 & echo $! > ${folder}/child; wait`], { timeoutMs: 200 })
    assert.deepEqual([ran.code, ran.fault], [null, 'it took more than 0.2 seconds and was killed'])
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'))
    await until('the child is gone', async () => !isAlive(child))
  })

  it('that minds no signal is killed all the same', async () => {
    const ran = await run(['/bin/sh', '-c', 'trap "" TERM; while :; do sleep 0.1; done'], { timeoutMs: 100 })
    assert.equal(ran.code, null)
  })

  it('ends when the service stops, and is not begun after that', async () => {
    setTimeout(() => end.abort(), 50)
    assert.equal((await run(['/bin/sleep', '60'])).fault, 'the service stops')
    assert.equal((await run(['/bin/sh', '-c', 'echo x'])).output, '')
  })

  it('is not begun when its time is over, which is no end of the service', async () => {
    const over = AbortSignal.abort(new DOMException('', 'TimeoutError'))
    assert.deepEqual(await run(['/bin/true'], { signal: over }), { code: null, fault: 'its time was over', output: '' })
  })

  it('is not begun where the service stops while its input is written', async () => {
    const ran = run(['/bin/sh', '-c', 'echo x; exec sleep 60'])
    end.abort()
    assert.deepEqual(await ran, { code: null, fault: 'the service stops', output: '' })
  })

  it('that is not there is a fault', async () => {
    assert.match((await run(['/nonexistent/program'])).fault ?? '', /cannot be started \(ENOENT\)/)
  })
})

describe('a hook', () => {
  it('gets the message as JSON, as text, and where its arguments ask for it', async () => {
    const json: Hook = { name: 'json', command: [script('json', 'cat >"$OUT"')] }
    assert.equal((await runner(json).run('json', messageOf('event.started', open), given('{"a":1}'))).outcome, 'done')
    assert.equal(said(), '{"a":1}')
    const text: Hook = {
      name: 'text',
      command: [
        script('text', 'printf "%s|" "$@" >"$OUT"; cat >>"$OUT"'),
        '-t',
        '{title}',
        '{severity} {type}',
        '{type}',
      ],
      format: 'text',
    }
    await runner(text).run('text', messageOf('event.started', open), given())
    const [, title, part, type, input] = said().split('|')
    assert.match(title, /^\[HIGH\] NTP amplification on /)
    assert.deepEqual([part, type], ['{severity} {type}', 'event.started'])
    assert.match(input, /^\[HIGH\] .*\nSeverity: High\n/)
  })

  it('takes names of strangers for what they are: one argument, of one line', async () => {
    const hook: Hook = {
      name: 'x',
      command: [
        script('x', 'echo $# >>"$OUT"; for each; do printf "%s" "$each" | wc -l >>"$OUT"; done'),
        '{title}',
        '{site}',
      ],
    }
    for (const value of nastyValues) {
      rmSync(join(folder, 'out'), { force: true })
      await runner(hook).run('x', messageOf('event.started', { site: value, domain: value }), given())
      assert.deepEqual(said().trim().split(/\s+/), ['2', '0', '0'], value.slice(0, 40))
    }
  })

  it('fails for now by 75, for good by others, and says why', async () => {
    const run = async (code: number) => {
      const hook: Hook = { name: 'x', command: [script('x', `echo "no ${code}"; exit ${code}`)] }
      const { outcome, text } = await runner(hook).run('x', messageOf('event.started'), given())
      return [outcome, text]
    }
    assert.deepEqual(await run(75), ['failed', 'exit 75: no 75'])
    assert.deepEqual(await run(1), ['refused', 'exit 1: no 1'])
    assert.equal((await runner().run('gone', messageOf('event.started'), given())).outcome, 'refused')
  })

  it('leaves its arguments, which may be secrets, out of the log', async () => {
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })
    const hook: Hook = { name: 'x', command: [script('x', 'exit "$2"'), 'token-1', '0'] }
    const hooks = new HookRunner([hook, { ...hook, name: 'y', command: [...hook.command.slice(0, 2), '1'] }], {
      ...{ directory: join(folder, 'book'), log },
    })
    for (const name of ['x', 'y']) await hooks.run(name, messageOf('event.started'), given())
    assert.equal(lines.length, 2)
    for (const line of lines) assert.equal(JSON.parse(line).program, hook.command[0])
    assert.doesNotMatch(lines.join(''), /token-1/)
  })

  it('is one of four of its hook at a time, whatever others do', async () => {
    const path = script('slow', `echo + >>"$OUT"; until [ -e ${folder}/go ]; do sleep 0.02; done; echo - >>"$OUT"`)
    const hooks = runner({ name: 'slow', command: [path] }, { name: 'quick', command: ['/bin/true'] })
    const all = Array.from({ length: 6 }, () => hooks.run('slow', messageOf('event.started'), given()))
    await until('four run', async () => said().split('+').length - 1 === 4)
    await delay(100)
    assert.equal(said(), '+\n'.repeat(4))
    assert.equal((await hooks.run('quick', messageOf('event.started'), given())).outcome, 'done')
    writeFileSync(join(folder, 'go'), '')
    assert.deepEqual(
      (await Promise.all(all)).map(({ outcome }) => outcome),
      Array(6).fill('done'),
    )
    assert.equal(said().split('-').length - 1, 6)
  })
})

describe('a script of FastNetMon', () => {
  const hook = (...lines: string[]): Hook => ({
    name: 'fnm',
    format: 'fastnetmon',
    command: [script('fnm', 'echo "$@" >>"$OUT"', ...lines)],
    victimsMax: 3,
  })
  const victims = [5, 4, 3, 2].map((n) => ({
    address: `198.51.100.${n}`,
    packetsPerSecond: n * 1_000.4,
    bytesPerSecond: n * 1e6,
  }))
  const onNetwork: Partial<EventReport> = { network: { prefix: '198.51.100.0/24', addresses: 4 }, victims }
  const calls = () =>
    said()
      .trim()
      .split('\n')
      .filter((line) => line !== '')

  it('is called as FastNetMon calls it, with its description', async () => {
    const runs = runner(hook(`cat >>${folder}/input`))
    assert.equal((await runs.run('fnm', messageOf('event.started', open), given())).outcome, 'done')
    assert.equal((await runs.run('fnm', messageOf('event.worsened', open), given())).outcome, 'done')
    const before = readFileSync(join(folder, 'input'), 'utf8')
    assert.equal((await runs.run('fnm', messageOf('event.ended'), given())).outcome, 'done')
    assert.deepEqual(calls(), [
      '192.0.2.10 incoming 67600 ban',
      '192.0.2.10 incoming 67600 attack_details',
      '192.0.2.10 incoming 67600 unban',
    ])
    const lines = before.split('\n')
    assert.deepEqual(lines.slice(0, 8), [
      'IP: 192.0.2.10',
      'Attack type: udp_flood',
      'Initial attack power: 67600 packets per second',
      'Peak attack power: 88000 packets per second',
      'Attack direction: incoming',
      'Attack protocol: udp',
      'Total incoming traffic: 240 mbps',
      'Total outgoing traffic: 0 mbps',
    ])
    for (const line of [
      'Average incoming flows: 705 flows per second',
      'Incoming udp pps: 67600 packets per second',
      'Incoming icmp traffic: 0 mbps',
      '2017-03-08 10:09:14 198.51.100.1:123 > 192.0.2.10:443 protocol: udp packets: 1000 size: 468000 bytes sample ratio: 1000',
    ])
      assert.ok(lines.includes(line), line)
    assert.equal(readFileSync(join(folder, 'input'), 'utf8'), before, 'an end has no input')
  })

  it('is called for each of the hardest hit, and ends for all that it was begun for', async () => {
    const runs = runner(hook('[ "$1" != 198.51.100.4 ] || [ -e "$0.go" ] || exit 75'))
    const first = await runs.run('fnm', messageOf('event.started', { ...open, ...onNetwork }), given())
    assert.deepEqual([first.outcome, first.text], ['failed', 'exit 75 (2 of 3 done)'])
    assert.deepEqual(
      calls().sort(),
      [3, 4, 5].map((n) => `198.51.100.${n} incoming ${Math.round(n * 1_000.4)} ban`),
    )
    rmSync(join(folder, 'out'))
    // Tried again by another process, it is called for the one alone that failed.
    const again = runner(hook('[ "$1" != 198.51.100.4 ] || [ -e "$0.go" ] || exit 75'))
    writeFileSync(join(folder, 'fnm.go'), '')
    assert.equal(
      (await again.run('fnm', messageOf('event.started', { ...open, ...onNetwork }), given())).outcome,
      'done',
    )
    assert.deepEqual(calls(), ['198.51.100.4 incoming 4002 ban'])
    rmSync(join(folder, 'out'))
    // Others are hit by now.
    await again.run('fnm', messageOf('event.ended', { ...onNetwork, victims: victims.slice(3) }), given())
    assert.deepEqual(
      calls()
        .map((line) => line.replace(/ incoming \d+/, ''))
        .sort(),
      [3, 4, 5].map((n) => `198.51.100.${n} unban`),
    )
    assert.deepEqual(readdirSync(join(folder, 'book')), [])
    rmSync(join(folder, 'out'))
    await again.run('fnm', messageOf('event.ended', onNetwork), given())
    assert.equal(said(), '', 'nothing is ended twice')
  })

  it('ends what may have been begun, though it said that it failed', async () => {
    const runs = runner(hook('[ "$4" = unban ] || exit 1'))
    assert.equal((await runs.run('fnm', messageOf('event.started', open), given())).outcome, 'refused')
    assert.equal((await runs.run('fnm', messageOf('event.ended'), given())).outcome, 'done')
    assert.match(said(), / unban$/m)
  })

  it('ends what it began on a channel that is gone, where it acts', async () => {
    const runs = runner(hook())
    const begun = messageOf('event.started', open)
    await runs.run('fnm', begun, given())
    const of = { channelId: given().channelId, eventId: begun.report.id, signal: given().signal }
    for (const name of ['fnm', 'fnm', 'gone']) assert.equal((await runs.release(name, of)).outcome, 'done')
    assert.deepEqual(calls(), ['192.0.2.10 incoming 67600 ban', '192.0.2.10 incoming 0 unban'])
  })

  it('that was renamed is not taken for one that has begun nothing', async () => {
    await runner(hook()).run('fnm', messageOf('event.started', open), given())
    const begun = messageOf('event.started', open).report.id
    const { outcome, text } = await runner({ ...hook(), name: 'other' }).release('fnm', { ...given(), eventId: begun })
    assert.deepEqual([outcome, text], ['refused', 'there is no hook fnm'])
    assert.equal((await runner(hook()).release('fnm', { ...given(), eventId: begun })).outcome, 'done')
    assert.match(said(), / unban$/m)
  })

  it('ends what it began itself, and no other does, also what an earlier version began', async () => {
    const other = { ...hook(), name: 'other', command: [script('other', 'echo other "$@" >>"$OUT"')] }
    const runs = runner(hook(), other)
    const begun = messageOf('event.started', open)
    await runs.run('fnm', begun, given())
    await runs.run('other', messageOf('event.ended'), given())
    assert.deepEqual(calls(), ['192.0.2.10 incoming 67600 ban'])
    const of = { channelId: given().channelId, eventId: begun.report.id, signal: given().signal }
    await runs.release('fnm', of)
    assert.deepEqual(calls(), ['192.0.2.10 incoming 67600 ban', '192.0.2.10 incoming 0 unban'])
    rmSync(join(folder, 'out'))
    writeFileSync(join(folder, 'book', `${of.channelId}-${of.eventId}.json`), '{"192.0.2.11":"done"}')
    for (const _ of ['once', 'again']) await runs.run('fnm', messageOf('event.ended'), given())
    assert.deepEqual(calls(), ['192.0.2.11 incoming 67600 unban'])
    assert.deepEqual(readdirSync(join(folder, 'book')), [])
  })

  it('ends what is still being begun when that has been done', async () => {
    const runs = runner(hook(`[ "$4" = unban ] || until [ -e ${folder}/go ]; do sleep 0.02; done`))
    const message = messageOf('event.started', open)
    const begun = runs.run('fnm', message, given())
    await until('it has begun', async () => calls().length === 1)
    const { channelId, signal } = given()
    const ended = runs.release('fnm', { channelId, eventId: message.report.id, signal })
    await delay(100)
    writeFileSync(join(folder, 'go'), '')
    assert.deepEqual([(await begun).outcome, (await ended).outcome], ['done', 'done'])
    assert.deepEqual(calls(), ['192.0.2.10 incoming 67600 ban', '192.0.2.10 incoming 0 unban'])
    assert.deepEqual(readdirSync(join(folder, 'book')), [])
  })

  it('may take its time to end what it began, unlike a receiver', () => {
    assert.equal(attemptSignal(exec, end.signal), end.signal)
    assert.notEqual(attemptSignal(webhook, end.signal), end.signal)
  })

  it('acts once upon what nobody has acknowledged, whether or not it was told before', async () => {
    const runs = runner(hook())
    await runs.run('fnm', messageOf('event.escalated', open), given())
    await runs.run('fnm', messageOf('event.escalated', open), given())
    assert.deepEqual(calls(), ['192.0.2.10 incoming 67600 ban'])
  })

  it('acts upon nothing that is a test, or not all its owner’s', async () => {
    const runs = runner(hook())
    for (const [type, more] of [
      ['alert.test', {}],
      ['event.started', { isTest: true }],
      ['event.started', { view: 'totals' }],
      ['event.resumed', { view: 'totals' }],
    ] as const)
      await runs.run('fnm', messageOf(type, { ...open, ...more }), given())
    assert.deepEqual(calls(), Array(4).fill('192.0.2.10 incoming 67600 attack_details'))
    await runs.run('fnm', messageOf('event.ended', { view: 'totals' }), given())
    assert.equal(calls().length, 4)
    assert.equal(reportExample.view, 'all')
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
