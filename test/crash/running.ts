// A service that is killed: started on a directory that others of its kind were killed on.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const mainFile = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const readyMs = 120_000

export interface Running {
  child: ChildProcess
  url: string
  flowPort: number
}

/** Without a limit on requests: the load is meant. */
export async function start(directory: string, env: Record<string, string> = {}): Promise<Running> {
  const listen = [
    '--http',
    '127.0.0.1:0',
    '--netflow',
    '127.0.0.1:0',
    '--ipfix',
    '127.0.0.1:0',
    '--sflow',
    '127.0.0.1:0',
  ]
  const child = spawn(process.execPath, [mainFile, 'serve', '--data', directory, ...listen], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0', ...env },
  })
  const killWithMe = () => child.kill('SIGKILL')
  process.once('exit', killWithMe)
  child.once('close', () => process.off('exit', killWithMe))
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-20_000)
    })
  for (let waitedMs = 0; waitedMs < readyMs && child.exitCode === null; waitedMs += 20) {
    const url = /answers at (http:\/\/[\d.:]+)/.exec(said)?.[1]
    const flowPort = /flows at [\d.]+:(\d+)/.exec(said)?.[1]
    if (url !== undefined && flowPort !== undefined) return { child, url, flowPort: Number(flowPort) }
    await delay(20)
  }
  if (child.exitCode === null) await kill(child)
  throw new Error(`the service did not start: ${said}`)
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`the service ended by itself, with status ${child.exitCode}`)
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
