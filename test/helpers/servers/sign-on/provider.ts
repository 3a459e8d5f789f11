// Starts the provider of program.ts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface ProviderGiven {
  clientId: string
  clientSecret: string
  /** Where the service is that browsers are sent back to. */
  publicUrl: string
  /** What it says of each, by the name that is typed. */
  people: Record<string, Record<string, unknown>>
  /** Without it: any free one. */
  port?: number
}

export interface RunningProvider {
  issuer: string
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('program.ts', import.meta.url))

export async function startProvider(given: ProviderGiven): Promise<RunningProvider> {
  const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('http://127.0.0.1:')) continue
    return {
      issuer: line,
      stop: async () => {
        process.off('exit', end)
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error('the provider did not start')
}
