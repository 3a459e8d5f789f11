// Remembers what things cost: runs the comparisons, appends their medians to bench/history.jsonl, one line a run, and says what has changed since the last
// run on such a machine. Takes half an hour, on a machine that does nothing else. Run: node bench/history.ts [--rounds N] [--searches N] [--rates R,R]
// [--only TEXT] [--skip TEXT] [--no-detector]; see peers.ts.
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  allowNegative: true,
  options: {
    rounds: { type: 'string', default: '1' },
    searches: { type: 'string', default: '1' },
    rates: { type: 'string', default: '100000,400000' },
    only: { type: 'string', default: '' },
    skip: { type: 'string', default: 'fastnetmon' },
    detector: { type: 'boolean', default: true },
  },
})

/** A run; the numbers are named by what they count, and in what. */
interface Run {
  /** UTC. */
  at: string
  commit: string
  /** Whether the program differed from the commit. */
  changed: boolean
  machine: string
  node: string
  numbers: Record<string, number>
}

/** Times vary by as much from run to run, and it means nothing. */
const noise = 1 / 7
const inBench = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const file = inBench('history.jsonl')
const git = (...args: string[]) => execFileSync('git', args, { cwd: inBench('.'), encoding: 'utf8' }).trim()

function measured(name: string, args: readonly string[], nodeArgs: readonly string[] = []): Record<string, number> {
  const command = [...nodeArgs, inBench(name), ...args, '--json']
  return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }))
}

function run(): Run {
  const { rounds, searches, rates, only, skip, detector } = values
  const peers = ['--rounds', rounds, '--max', searches, '--rates', rates, '--only', only, '--skip', skip]
  const detect = ['--addresses', '10000,100000', '--classes', '1', '--no-floods']
  return {
    at: new Date().toISOString(),
    commit: git('rev-parse', 'HEAD'),
    changed: git('status', '--porcelain', '--', '../src') !== '',
    machine: `${cpus().length} x ${cpus()[0]?.model}`,
    node: process.version,
    numbers: {
      ...measured('peers.ts', peers),
      ...(detector && measured('detect-cost.ts', detect, ['--expose-gc', '--max-old-space-size=8000'])),
    },
  }
}

function runsOn(machine: string): Run[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return lines.map((line): Run => JSON.parse(line)).filter((each) => each.machine === machine)
}

/** The numbers that are not about what they were in the last run that has them. */
function changes(before: readonly Run[], { numbers }: Run): string[] {
  return Object.entries(numbers).flatMap(([name, value]) => {
    const last = before.findLast((each) => each.numbers[name] !== undefined)
    const was = last?.numbers[name]
    if (last === undefined || was === undefined || Math.abs(value / was - 1) < noise) return []
    return [`${name}: ${was} -> ${value}, ${(value / was).toFixed(2)} of what it was on ${last.commit.slice(0, 8)}`]
  })
}

const now = run()
const changed = changes(runsOn(now.machine), now)
appendFileSync(file, `${JSON.stringify(now)}\n`)
console.log(JSON.stringify(now, null, 2))
console.log(changed.length === 0 ? 'Nothing has changed by much.' : changed.join('\n'))
