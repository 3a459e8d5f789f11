// A process that runs one command line after the other, as `floodgauge` would, for commands.ts: the modules are loaded once for all of them.
import { Readable, Writable } from 'node:stream'
import { run } from '../../../src/cli/run.ts'

export interface CommandLine {
  args: string[]
  env: Record<string, string>
  /** What standard input has. */
  input: string | Buffer | undefined
}

export interface Ended {
  status: number | null
  out: string
  err: string
}

function replaceStreams(input: CommandLine['input']): { out: () => string; err: () => string } {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    const write = (part: Buffer, _encoding: unknown, done: () => void) => {
      texts[name] += part
      done()
    }
    Object.defineProperty(process, name, { value: new Writable({ write }), configurable: true })
  }
  Object.defineProperty(process, 'stdin', {
    value: Readable.from([input ?? ''], { objectMode: false }),
    configurable: true,
  })
  return { out: () => texts.stdout, err: () => texts.stderr }
}

process.on('disconnect', () => process.exit())
process.on('message', async ({ args, env, input }: CommandLine) => {
  process.env = env
  const said = replaceStreams(input)
  const status = await run([process.execPath, 'floodgauge', ...args])
  process.send?.({ status, out: said.out(), err: said.err() } satisfies Ended)
})
