// The jobs of a run: checks of format, lint and types, and groups of test files that share a process.
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Job {
  name: string
  command: string
  args: string[]
  /** How many files with tests it runs; 0: it is a check, which has no tests. */
  files: number
}

/** One thread computes half of what four compute, who each look at the same types; other jobs have the other processors. */
const types = (project: string) => ['tsc', '--singleThreaded', '-p', project] as const

export const checks: Job[] = [
  check('types', ...types('tsconfig.json')),
  check('types of the console', ...types('web/tsconfig.json')),
  check('types of the client', ...types('client/tsconfig.json')),
  check('format and lint', 'biome', 'check', '.'),
]

const everywhere = [
  'scripts/**/*.test.ts',
  'src/**/*.test.ts',
  'client/**/*.test.ts',
  'web/**/*.test.ts',
  'test/**/*.test.ts',
]

/** Folders whose files start services and wait for them: each file has a process of its own, to wait at the same time as others. */
const apart = new Set(['test', 'test/robustness'])

/** A folder with more files has several processes, so that no job is much longer than the others. */
const filesMax = 16

/** Files, and folders of files, that start the service again and again, or compute for seconds: `npm test` leaves them to `npm run test:long`. */
export const long = [
  'src/cli/commands/detect.test.ts',
  'src/cli/data.test.ts',
  'src/detect/hours.test.ts',
  'src/detect/incidents/areas.test.ts',
  'src/detect/incidents/incidents.test.ts',
  'src/detect/incidents/report-turns.test.ts',
  'src/detect/incidents/resume.test.ts',
  'src/detect/incidents/widening.test.ts',
  'src/detect/judge/connections-before.test.ts',
  'src/detect/judge/connections.test.ts',
  'src/detect/judge/conversations.test.ts',
  'src/detect/judge/held-connections.test.ts',
  'src/detect/judge/small-attacks.test.ts',
  'src/detect/judge/vectors.test.ts',
  'src/detect/normal/growth.test.ts',
  'src/detect/normal/saved-baselines.test.ts',
  'src/detect/rates/network-sums.test.ts',
  'src/names/passive-dns/imports.test.ts',
  'src/serve/readers/contract.test.ts',
  'src/store/sqlite/migrate.test.ts',
  'test/crash/',
  'test/demo.test.ts',
  'test/readme.test.ts',
  'test/robustness/',
]
/** What holds the service to real time under load: `.ci/run` has a stage for each, and gives the siege the machine for itself. */
export const alone = ['test/robustness/exporters/hostile.test.ts', 'test/robustness/siege/siege.test.ts']
/** A file whose tests last as long as FUZZ_SECONDS says: both run it. */
const fuzzes = (file: string) => /\/(fuzz|bytes|store-contract)\.ts'/.test(readFileSync(file, 'utf8'))

/** Each file with tests is in one part at least, but for those that run alone; those that fuzz are in both. */
export function findTests(part: 'short' | 'long'): Job[] {
  const groups = new Map<string, string[]>()
  for (const file of globSync(everywhere, { exclude: ['web/dist/**', ...alone] }).sort()) {
    const isLong = long.some((path) => file.startsWith(path))
    if (part === 'long' ? !isLong && !fuzzes(file) : isLong) continue
    const folder = folderOf(file)
    const name = apart.has(folder) ? file : folder
    groups.set(name, [...(groups.get(name) ?? []), file])
  }
  return [...groups].flatMap(([name, files]) => {
    const parts = Math.ceil(files.length / filesMax)
    return Array.from({ length: parts }, (_, part) => {
      const own = files.filter((_, place) => place % parts === part)
      return group(parts === 1 ? name : `${name}, part ${part + 1} of ${parts}`, own)
    })
  })
}

function group(name: string, files: string[]): Job {
  const args = ['--test-reporter=spec', 'scripts/test/group.ts', ...files]
  return { name, command: process.execPath, args, files: files.length }
}

/** `src/names` for `src/names/dnstap/answers.test.ts`: a folder and all below it. */
function folderOf(file: string): string {
  return dirname(file).split('/').slice(0, 2).join('/')
}

function check(name: string, command: string, ...args: string[]): Job {
  return { name, command, args, files: 0 }
}
