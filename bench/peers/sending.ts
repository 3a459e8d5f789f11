// Processes that send to a collector, and the processors that each keeps to.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { findProgram } from './collectors.ts'
import type { FromSender, ToSender } from './sender.ts'

/** A sender in a process of its own, on a processor of its own. */
export class Sender {
  readonly #process: ChildProcess = fork(fileURLToPath(new URL('sender.ts', import.meta.url)))

  constructor(processor: string) {
    pin(this.#process.pid ?? 0, processor)
  }

  async ask(message: ToSender): Promise<FromSender> {
    const answer = once(this.#process, 'message')
    this.#process.send(message)
    const [sent]: FromSender[] = await answer
    return sent
  }

  close(): void {
    this.#process.disconnect()
  }
}

/** Keeps all threads of a process to a processor. */
export function pin(pid: number, processor: string): void {
  const taskset = findProgram('taskset')
  if (taskset === null) throw new Error('taskset is not installed (util-linux)')
  execFileSync(taskset, ['-a', '-cp', processor, String(pid)], { stdio: 'ignore' })
}
