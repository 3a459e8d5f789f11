// `floodgauge serve`: the service, until a signal ends it. Its logs go to standard output, what it says to people to standard error.
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../../clock.ts'
import { type Config, loadConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { createLogger } from '../../log.ts'
import type { Service } from '../../main.ts'
import { formatListen } from '../../net/listen.ts'
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
  const { config: file, ...flags } = options
  const config = absolute(loadConfig({ file, env: process.env, flags }))
  // The whole service is read only to be run: `--help` has no use for it.
  const { startService } = await import('../../main.ts')
  const log = createLogger(config.log.level)
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  const service = await startService({
    config,
    clock: systemClock,
    log,
    version: version(),
    onFailure: (error) => failed.reject(error),
  })
  announce(service, config)
  log.info({ url: service.url, listeners: service.listeners }, 'started')
  try {
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), failed.promise])
  } catch (error) {
    log.error({ err: error }, 'the service cannot go on')
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('INTERNAL', `the service cannot go on: ${reason}`, { cause: error })
  } finally {
    setTimeout(() => process.exit(1), stopMsMax).unref()
    await service.stop()
    log.info('stopped')
  }
}

function absolute(config: Config): Config {
  return { ...config, store: { ...config.store, dir: resolve(config.store.dir) } }
}

function announce({ url, listeners, setupUrl }: Service, config: Config): void {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  say(`Floodgauge answers at ${url} (documentation: ${url}/docs)`)
  say(`It expects flows at ${listeners.map(formatListen).join(', ')} (UDP)`)
  say(`Its data is in ${config.store.dir}`)
  if (setupUrl !== null) say(`\nNo admin can sign in yet. Make one here (the link works once):\n\n  ${setupUrl}\n`)
}
