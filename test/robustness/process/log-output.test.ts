import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'

const logFile = new URL('../../../src/log.ts', import.meta.url).href
/** A file that is always full (full(4)). */
const full = '/dev/full'

/** A process that writes three lines, the last of them as it ends. */
function logging(ending: string, output: string): ReturnType<typeof spawn> {
  const text = `import { openSync } from 'node:fs'
    const { createLogger } = await import('${logFile}')
    const log = createLogger('info', ${output})
    log.info('first')
    await new Promise((resolve) => setTimeout(resolve, 50))
    log.info('second')
    log.info('last')
    ${ending}`
  return spawn(process.execPath, ['--input-type=module', '--eval', text], { stdio: ['ignore', 'pipe', 'inherit'] })
}

describe('the log of a process that ends', () => {
  for (const [how, ending, status] of [
    ['by itself', '', 0],
    ['at once', 'process.exit(3)', 3],
  ] as const) {
    it(`has every line, where the process ends ${how}`, async () => {
      const child = logging(ending, '1')
      let said = ''
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      assert.deepEqual(await once(child, 'close'), [status, null])
      const messages = said.trimEnd().split('\n')
      assert.deepEqual(
        messages.map((line) => JSON.parse(line).msg),
        ['first', 'second', 'last'],
      )
    })

    it(`keeps no process that ends ${how} from ending, where nothing can be written`, {
      skip: !existsSync(full) && `${full} is not there`,
    }, async () => {
      const child = logging(ending, `openSync('${full}', 'w')`)
      const insist = setTimeout(() => child.kill('SIGKILL'), 20_000)
      assert.deepEqual(await once(child, 'exit'), [status, null])
      clearTimeout(insist)
    })
  }
})

it('a reader that is slow gets every line in the end, through a pipe that refuses what it has no room for', async () => {
  const lines = 800
  const text = `import { constants, openSync } from 'node:fs'
    const { createLogger } = await import('${logFile}')
    const log = createLogger('info', openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK))
    for (let line = 0; line < ${lines}; line++) log.info({ line, text: 'x'.repeat(1_000) })
    console.error('written')
    process.stdin.resume()`
  const child = spawn('sh', ['-c', '"$0" --input-type=module --eval "$1" | cat', process.execPath, text])
  await once(child.stderr, 'data')
  let said = ''
  for await (const part of child.stdout.setEncoding('utf8')) {
    said += part
    if (said.includes(`"line":${lines - 1},`)) child.stdin.end()
  }
  const numbers = said
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).line)
  assert.deepEqual(
    numbers,
    Array.from({ length: lines }, (_, line) => line),
  )
})

it('a reader that is much too slow is told how many lines it missed', async () => {
  const lines = 3_000
  const text = `import { constants, openSync } from 'node:fs'
    const { createLogger } = await import('${logFile}')
    const log = createLogger('info', openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK))
    for (let line = 0; line < ${lines}; line++) log.info({ line, text: 'x'.repeat(1_000) })
    process.stdin.on('data', () => log.info('there is room'))`
  const child = spawn('sh', ['-c', '"$0" --input-type=module --eval "$1" | cat', process.execPath, text])
  const said: { line?: number; lines?: number; msg?: string }[] = []
  let rest = ''
  for await (const part of child.stdout.setEncoding('utf8')) {
    const whole = (rest + part).split('\n')
    rest = whole.pop() ?? ''
    said.push(...whole.map((line) => JSON.parse(line)))
    if (said.at(-1)?.msg === 'there is room') child.stdin.end()
    else if (rest === '') child.stdin.write('.')
  }
  const kept = said.filter(({ line }) => line !== undefined).length
  const lost = said.flatMap(({ lines: missed }) => missed ?? [])
  assert.ok(kept < lines)
  assert.deepEqual(lost, [lines - kept])
})
