// Runs the checks and the tests, several processes at a time, and says what came of them: a line a job, everything about what failed.
// Run: npm test, or npm run test:long.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, resolve } from 'node:path'
import { readOptions } from '../options.ts'
import { checks, findTests, type Job } from './jobs.ts'
import { bounded, heading, reasonsOf } from './reasons.ts'
import { addTotals, noTotals, type Totals, totalsOf } from './totals.ts'

const options = readOptions('npm test [-- --long] [-- --no-skips] [-- --verbose]', {
  long: { type: 'boolean', default: false },
  /** A test that is skipped has failed. */
  'no-skips': { type: 'boolean', default: false },
  /** Every test is named, not only those that failed. */
  verbose: { type: 'boolean', default: false },
})

process.chdir(resolve(import.meta.dirname, '../..'))

/** Twice the processors: many tests wait for a service most of the time. */
const atATime = 2 * availableParallelism()
/** A job that takes longer hangs. */
const jobMs = options.long ? 600_000 : 300_000
const timesFile = 'node_modules/.cache/test-seconds.json'

/** Where memory is a file system, and has room: hundreds of stores wait there for no disk. What is about disks, and kill -9, has the disk. */
const memory = '/dev/shm'
const roomMin = 4 * 1024 ** 3

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= roomMin
  } catch {
    return false
  }
}

const env = {
  ...process.env,
  ...(!options.long && process.env.TMPDIR === undefined && hasRoom(memory) && { TMPDIR: memory }),
  PATH: [resolve('node_modules/.bin'), process.env.PATH].join(delimiter),
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
  ...(options.long && { FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? '1' }),
}

interface Outcome {
  /** Empty: it passed. */
  reasons: string[]
  totals: Totals
}

const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) endGroup(child)
    process.exit(signal === 'SIGINT' ? 130 : 143)
  })
}

/** Ends a job with the services that it started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** What each job took the last time: the longest begins first. */
function lastTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8'))
  } catch {
    return {}
  }
}

function runJob(job: Job): Promise<{ output: string; exit: string | null }> {
  return new Promise((done) => {
    const child = spawn(job.command, job.args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part
      })
    }
    const limit = setTimeout(() => endGroup(child), jobMs)
    const end = (exit: string | null) => {
      clearTimeout(limit)
      running.delete(child)
      done({ output, exit })
    }
    child.once('error', (error) => end(error.message))
    child.once('close', (status, signal) => end(status === 0 ? null : `ended with ${signal ?? `status ${status}`}`))
  })
}

function outcomeOf(job: Job, output: string, exit: string | null, seconds: number): Outcome {
  const totals = job.files === 0 ? noTotals : totalsOf(output)
  const wrong = exit ?? wrongTotals(job, totals)
  const size = job.files === 0 ? '' : `${totals?.tests ?? 0} tests of ${counted(job.files, 'file')}, `
  console.log(`${wrong === null ? '✔' : '✖'} ${job.name} (${size}${seconds.toFixed(1)} s)`)
  const skipped = [...output.matchAll(/^\s*﹣ .*$/gm)].map(([line]) => `  ${line.trim()}`)
  for (const line of skipped) console.log(line)
  if (wrong !== null) console.log(`${failures(output)}\n${job.name}: ${wrong}`)
  else if (options.verbose) console.log(output)
  const reasons = wrong === null ? [] : [`${job.name}: ${wrong}`, ...(exit === null ? skipped : reasonsOf(output))]
  return { reasons, totals: totals ?? noTotals }
}

/** What the totals of a job that ended well say against it. */
function wrongTotals({ files }: Job, totals: Totals | null): string | null {
  if (totals === null) return 'ended without totals'
  if (files > 0 && totals.tests === 0) return 'has no test'
  if (options['no-skips'] && totals.skipped + totals.todo > 0) return 'a test was skipped: here that is a failure'
  return null
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** The reporter repeats at its end what failed. */
function failures(output: string): string {
  const from = output.lastIndexOf('✖ failing tests:')
  return options.verbose || from === -1 ? output : output.slice(from)
}

async function main(): Promise<boolean> {
  const times = lastTimes()
  const secondsOf = ({ name }: Job) => times[name] ?? Number.POSITIVE_INFINITY
  const jobs = [...(options.long ? [] : checks), ...findTests(options.long ? 'long' : 'short')]
  const queue = jobs.toSorted((a, b) => (secondsOf(a) === secondsOf(b) ? 0 : secondsOf(b) - secondsOf(a)))
  const outcomes: Outcome[] = []
  const began = performance.now()
  const work = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const start = performance.now()
      const { output, exit } = await runJob(job)
      const seconds = (performance.now() - start) / 1_000
      times[job.name] = Math.round(seconds * 10) / 10
      outcomes.push(outcomeOf(job, output, exit, seconds))
    }
  }
  await Promise.all(Array.from({ length: atATime }, work))
  mkdirSync('node_modules/.cache', { recursive: true })
  writeFileSync(timesFile, JSON.stringify(times))
  const totals = outcomes.reduce((sum, each) => addTotals(sum, each.totals), noTotals)
  for (const [name, count] of Object.entries(totals)) console.log(`ℹ ${name} ${count}`)
  console.log(`ℹ seconds ${((performance.now() - began) / 1_000).toFixed(0)}`)
  const reasons = outcomes.flatMap((each) => each.reasons)
  if (reasons.length > 0) console.log(['', heading, ...bounded(reasons)].join('\n'))
  return reasons.length === 0
}

process.exitCode = (await main()) ? 0 : 1
