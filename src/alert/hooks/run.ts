// Runs one program of this machine: no shell, a plain environment, in a process group of its own that is killed whole when its time is over.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What is kept of what it says, octets. */
const outputMax = 4_096
/** How long the group has to end when it is asked to. */
const graceMs = 2_000

/** Nothing of what the service was started with: programs that act must not depend on it. */
const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
}

export interface Run {
  command: readonly string[]
  input: string
  /** Where its input is put. */
  directory: string
  timeoutMs: number
  signal: AbortSignal
}

export interface Ran {
  /** Null: it was killed, or could not be started. */
  code: number | null
  /** Why there is no code. */
  fault: string | null
  /** The first octets of what it wrote to its outputs. */
  output: string
}

const notBegun = (signal: AbortSignal): Ran => ({ code: null, fault: whyOf(signal), output: '' })

/** Never rejects. */
export async function runProgram(run: Run): Promise<Ran> {
  if (run.signal.aborted) return notBegun(run.signal)
  let input: FileHandle
  try {
    input = await inputOf(run)
  } catch (error) {
    return { code: null, fault: `its input cannot be written (${codeOf(error)})`, output: '' }
  }
  try {
    // It may have stopped meanwhile.
    return run.signal.aborted ? notBegun(run.signal) : await finish(run, input)
  } finally {
    await input.close()
  }
}

/** A file without a name: what Node.js takes for a pipe is a socket, which no program can open as /dev/stdin. */
async function inputOf({ input, directory }: Run): Promise<FileHandle> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, `input-${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(path, input, { mode: 0o600, flag: 'wx' })
    return await open(path)
  } finally {
    await rm(path, { force: true })
  }
}

function finish({ command: [file, ...args], timeoutMs, signal }: Run, { fd }: FileHandle): Promise<Ran> {
  return new Promise((settle) => {
    const child = spawn(file, args, {
      ...{ env: environment, detached: true, shell: false },
      stdio: [fd, 'pipe', 'pipe'],
    })
    const parts: Buffer[] = []
    let octets = 0
    let fault: string | null = null
    const keep = (part: Buffer) => {
      if (octets < outputMax) parts.push(part)
      octets += part.length
    }
    const outputs = [child.stdout, child.stderr].filter((each) => each !== null)
    for (const stream of outputs) stream.on('data', keep)
    const stop = (why: string) => {
      fault ??= why
      killGroup(child, 'SIGTERM')
      setTimeout(() => killGroup(child, 'SIGKILL'), graceMs).unref()
    }
    const timer = setTimeout(() => stop(`it took more than ${timeoutMs / 1_000} seconds and was killed`), timeoutMs)
    const onAbort = () => stop(whyOf(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    const end = (code: number | null) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      // Whoever it has left behind may hold its outputs open.
      for (const stream of outputs) stream.destroy()
      settle({ code: fault === null ? code : null, fault, output: textOf(parts) })
    }
    child.once('error', (error) => {
      fault ??= `it cannot be started (${codeOf(error)})`
      end(null)
    })
    child.once('exit', (code, by) => {
      if (code === null) fault ??= `it was killed (${by})`
      // What it wrote last is read before its outputs are closed.
      setImmediate(() => end(code))
    })
  })
}

/** An attempt may have a limit of its own. */
function whyOf({ reason }: AbortSignal): string {
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'its time was over' : 'the service stops'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** The group has the number of its first process; gone already is as well. */
function killGroup({ pid }: ChildProcess, by: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, by)
  } catch {
    // There is nobody left.
  }
}

function textOf(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).subarray(0, outputMax).toString('utf8').toWellFormed()
}
