// `floodgauge check-config`: the configuration in force, where each value comes from, and everything that is wrong with it.
import type { Command } from 'commander'
import { renderEffective } from '../../config/render.ts'
import { configKeys, inspectConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { printable } from '../terminal.ts'

export function registerCheckConfig(program: Command): void {
  program
    .command('check-config')
    .description('Check the configuration and print it as it is in force, with the source of each value')
    .argument('[FILE]', 'the YAML file; without it, the one that FLOODGAUGE_CONFIG names')
    .action((file: string | undefined) => {
      const loaded = inspectConfig({ file, env: process.env })
      for (const problem of loaded.problems) process.stderr.write(`${printable(problem)}\n`)
      if (loaded.problems.length > 0)
        throw new AppError('BAD_CONFIG', `the configuration is wrong (problems: ${loaded.problems.length})`)
      process.stdout.write(renderEffective(configKeys, loaded))
    })
}
