// `floodgauge serve`: the service, until a signal ends it or has it read its configuration again. Its logs go to standard output, what it says to people to standard error.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../../clock.ts'
import { changedKeys } from '../../config/changes.ts'
import { type Config, configKeys, loadConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { createLogger, type Logger } from '../../log.ts'
import type { Service } from '../../main.ts'
import { formatListen } from '../../net/listen.ts'
import { requireSoundConfig } from '../../serve/config-faults.ts'
import { Signals } from '../signals.ts'
import { version } from '../version.ts'

type ServeOptions = { config?: string } & { [flag in 'data' | 'http' | 'netflow' | 'ipfix' | 'sflow']?: string }

/** A stop that takes longer is cut short: what was acknowledged is on the disk already. */
const stopMsMax = 10_000

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('Receive flows, detect attacks, answer the HTTP interface')
    .option('--config <FILE>', 'configuration file (YAML)')
    .option('--data <DIR>', 'data directory')
    .option('--http <HOST:PORT>', 'where the HTTP interface answers')
    .option('--netflow <HOST:PORT>', 'where NetFlow is expected (v5, v9 and IPFIX are told apart on any port)')
    .option('--ipfix <HOST:PORT>', 'where IPFIX is expected')
    .option('--sflow <HOST:PORT>', 'where sFlow is expected')
    .action(serve)
}

async function serve(options: ServeOptions): Promise<void> {
  const isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  const signals = new Signals({ isOnTerminal })
  signals.listen()
  let running = await start(configOf(options))
  signals.listenToAll()
  for (;;) {
    const wish = await Promise.race([signals.next(), running.failed]).catch((error: unknown) => {
      running.log.error({ err: error }, 'the service cannot go on')
      return error instanceof Error ? error : new Error(String(error))
    })
    if (wish === 'reload') running = await reload(running, options)
    else {
      await stop(running)
      if (wish === 'stop') return
      throw new AppError('INTERNAL', `the service cannot go on: ${wish.message}`, { cause: wish })
    }
  }
}

interface Running {
  config: Config
  log: Logger
  service: Service
  /** Rejects when the service has met something that it can't go on without. */
  failed: Promise<never>
}

async function start(config: Config): Promise<Running> {
  // The whole service is read only to be run: `--help` has no use for it.
  const { startService } = await import('../../main.ts')
  const log = createLogger(config.log.level)
  const { promise: failed, reject: onFailure } = Promise.withResolvers<never>()
  failed.catch(() => {})
  const service = await startService({ config, clock: systemClock, log, version: version(), onFailure })
  announce(service, config)
  log.info({ url: service.url, listeners: service.listeners }, 'started')
  return { config, log, service, failed }
}

async function stop({ service, log }: Running): Promise<void> {
  const insist = setTimeout(() => process.exit(1), stopMsMax).unref()
  await service.stop()
  clearTimeout(insist)
  log.info('stopped')
}

/**
 * Reads the configuration again. Where it is another one the service stops in order and starts with it in the same process: no setting is left
 * out, and what is known is kept as over any restart. A configuration that is wrong, or cannot be started with, changes nothing.
 */
async function reload(running: Running, options: ServeOptions): Promise<Running> {
  const { log, config } = running
  const next = soundConfigOf(options, log)
  if (next === null) {
    await note(running, {}, 'BAD_CONFIG')
    return running
  }
  const changed = changedKeys(configKeys, config, next)
  if (changed.length === 0) {
    log.info('told to reload: the configuration is the same')
    return running
  }
  log.info({ changed }, 'told to reload: starting again with another configuration')
  await note(running, { changed }, 'done')
  await stop(running)
  try {
    return await start(next)
  } catch (error) {
    log.error({ err: error }, 'the service cannot start with the other configuration: back to the one before')
    const again = await start(config)
    await note(again, { changed }, 'BAD_CONFIG')
    return again
  }
}

/** That the configuration was read again, in the audit log. The keys that have changed, not their values: some are secrets. */
async function note({ service, log }: Running, detail: { changed?: string[] }, outcome: 'done' | 'BAD_CONFIG') {
  await service.note('service.reload', detail, outcome).catch((error: unknown) => {
    log.error({ err: error }, 'a reload could not be written to the audit log')
  })
}

/** Null: it is wrong, and the log says why. */
function soundConfigOf(options: ServeOptions, log: Logger): Config | null {
  try {
    const config = configOf(options)
    requireSoundConfig(config)
    return config
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.error({ err: error }, 'told to reload: the configuration is wrong, and nothing is changed')
    return null
  }
}

function configOf({ config: file, ...flags }: ServeOptions): Config {
  return absolute(loadConfig({ file, env: process.env, flags }))
}

function absolute(config: Config): Config {
  const { dir, backup } = config.store
  const folder = backup.folder === '' ? '' : resolve(backup.folder)
  return { ...config, store: { ...config.store, dir: resolve(dir), backup: { ...backup, folder } } }
}

/** Also after a reload, which makes the set-up link of before void. */
function announce({ url, listeners, setupUrl }: Service, config: Config): void {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  say(`Floodgauge answers at ${url} (documentation: ${url}/docs)`)
  say(`It expects flows at ${listeners.map(formatListen).join(', ')} (UDP)`)
  say(`Its data is in ${config.store.dir}`)
  if (setupUrl === null) return
  const { setupMinutes } = config.http
  say(
    `\nNo admin can sign in yet. Make one here (the link works once, for ${setupMinutes === 1 ? 'a minute' : `${setupMinutes} minutes`}):\n\n  ${setupUrl}\n`,
  )
}
