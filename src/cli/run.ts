// Runs one command line: finds the command's file, runs it, and turns its outcome into an exit status (see usage.ts). What a command does lives in
// commands/.
import { inspect } from 'node:util'
import { Command, CommanderError } from 'commander'
import { nearest } from '../config/nearest.ts'
import { messageOf } from '../errors.ts'
import { printable } from './text/terminal.ts'
import { type ExitStatus, OutcomeError, UsageError } from './usage.ts'
import { version } from './version.ts'

type Register = (program: Command) => void

/** In the order of the help text. A file is only read when its command is named (or when help lists them all). */
const commands: Record<string, () => Promise<Register>> = {
  serve: async () => (await import('./commands/serve.ts')).registerServe,
  'check-config': async () => (await import('./commands/check-config.ts')).registerCheckConfig,
  user: async () => (await import('./commands/user.ts')).registerUser,
  token: async () => (await import('./commands/token.ts')).registerToken,
  audit: async () => (await import('./commands/audit.ts')).registerAudit,
  exporter: async () => (await import('./commands/exporter.ts')).registerExporter,
  backup: async () => (await import('./commands/backup.ts')).registerBackup,
  restore: async () => (await import('./commands/restore.ts')).registerRestore,
  site: async () => (await import('./commands/site.ts')).registerSite,
  names: async () => (await import('./commands/names.ts')).registerNames,
  proof: async () => (await import('./commands/proof.ts')).registerProof,
  event: async () => (await import('./commands/event.ts')).registerEvent,
  alert: async () => (await import('./commands/alert.ts')).registerAlert,
  simulate: async () => (await import('./commands/simulate.ts')).registerSimulate,
  explain: async () => (await import('./commands/explain.ts')).registerExplain,
  decode: async () => (await import('./commands/decode.ts')).registerDecode,
  detect: async () => (await import('./commands/detect.ts')).registerDetect,
  send: async () => (await import('./commands/send.ts')).registerSend,
}

/** Throws UsageError when the word is not a command of `parent`: `--help` after it is no answer to that. */
function requireCommand(parent: string, named: string | undefined, known: readonly string[]): void {
  if (known.length === 0 || named === undefined || named.startsWith('-') || [...known, 'help'].includes(named)) return
  const near = nearest(named, known)
  const hint = near === null ? `\`${parent} --help\` lists them` : `did you mean \`${near}\`?`
  throw new UsageError(`there is no command \`${named}\`: ${hint}`)
}

/** The same of the second word, where the first has commands of its own. */
function requireSubcommand(program: Command, [named = '', below]: string[]): void {
  const group = program.commands.find((command) => command.name() === named)
  const known = group?.commands.map((command) => command.name()) ?? []
  requireCommand(`floodgauge ${named}`, below, known)
}

async function registerCommands(program: Command, named: string | undefined): Promise<void> {
  if (named === '--version' || named === '-V') return
  const load = named === undefined || !Object.hasOwn(commands, named) ? undefined : commands[named]
  const loads = load === undefined ? Object.values(commands) : [load]
  for (const loaded of await Promise.allSettled(loads.map((each) => each()))) {
    if (loaded.status === 'fulfilled') loaded.value(program)
    else if (load !== undefined) throw loaded.reason
    else process.stderr.write(`floodgauge: a command is missing from this list: ${oneLine(loaded.reason)}\n`)
  }
}

function oneLine(error: unknown): string {
  return printable(messageOf(error).replace(/\s*\n\s*/g, ' '))
}

/** The exit status of what was thrown, said on standard error unless commander has said it already. */
function report(error: unknown): ExitStatus {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  process.stderr.write(`floodgauge: ${oneLine(error)}\n`)
  // With its causes, which the stack alone leaves out.
  if (process.env.FLOODGAUGE_DEBUG) process.stderr.write(`${inspect(error)}\n`)
  if (error instanceof OutcomeError) return error.status
  return error instanceof UsageError ? 2 : 1
}

export async function run(argv: string[]): Promise<ExitStatus> {
  const program = new Command('floodgauge')
    .description('Tells the owners of sites that they are under a DDoS attack, from NetFlow, IPFIX and sFlow.')
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError('(--help shows what can be given)')
    .exitOverride()
  try {
    requireCommand('floodgauge', argv[2], Object.keys(commands))
    await registerCommands(program, argv[2])
    requireSubcommand(program, argv.slice(2))
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    return report(error)
  }
}
