// Commands of `floodgauge` as a test runs them: one after the other, all in one process beside the test. What a process is needed for, such as
// signals and pipes, starts one of its own.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bareEnvironment } from './environment.ts'
import type { CommandLine, Ended } from './host.ts'

const hostFile = fileURLToPath(new URL('host.ts', import.meta.url))

export class Commands {
  readonly #folder: string
  #host: { child: ChildProcess; exit: Promise<unknown[]> } | null = null
  #last: Promise<unknown> = Promise.resolve()

  /** `folder`: the working directory of the commands. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Begins once those before have ended. */
  run(args: string[], given: Partial<Omit<CommandLine, 'args'>> = {}): Promise<Ended> {
    const ended = this.#last.then(() => this.#runNow(args, given))
    this.#last = ended.catch(() => {})
    return ended
  }

  async #runNow(args: string[], { env = {}, input }: Partial<Omit<CommandLine, 'args'>>): Promise<Ended> {
    this.#host ??= this.#start()
    const { child, exit } = this.#host
    child.send({ args, env: { ...bareEnvironment, ...env }, input } satisfies CommandLine)
    const [ended] = await Promise.race([once(child, 'message'), exit])
    if (ended === null || typeof ended !== 'object')
      throw new Error(`${args.join(' ')} ended the process of the commands`)
    return ended
  }

  async close(): Promise<void> {
    if (this.#host?.child.connected) this.#host.child.disconnect()
    await this.#host?.exit
  }

  #start() {
    const child = fork(hostFile, { cwd: this.#folder, env: bareEnvironment, serialization: 'advanced' })
    return { child, exit: once(child, 'exit') }
  }
}
