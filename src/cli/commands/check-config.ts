// `floodgauge check-config`: the configuration in force, where each value comes from, and everything that is wrong with it.
import type { Command } from 'commander'
import { renderEffective } from '../../config/render.ts'
import { configKeys, inspectConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { configFaults, configWarnings } from '../../serve/config-faults.ts'
import { writeText } from '../text/output.ts'
import { printable } from '../text/terminal.ts'

export function registerCheckConfig(program: Command): void {
  program
    .command('check-config')
    .description(
      'Check the configuration, with the files that it names, and print it as it is in force, with the source of each value',
    )
    .argument('[FILE]', 'the YAML file; without it, the one that FLOODGAUGE_CONFIG names')
    .action(async (file: string | undefined) => {
      const loaded = inspectConfig({ file, env: process.env })
      const { config } = loaded
      const problems = config === null ? loaded.problems : configFaults(config)
      const warnings = config === null ? [] : await configWarnings(config)
      for (const line of [...problems, ...warnings]) process.stderr.write(`${printable(line)}\n`)
      if (problems.length > 0)
        throw new AppError('BAD_CONFIG', `the configuration is wrong (problems: ${problems.length})`)
      await writeText(renderEffective(configKeys, loaded))
    })
}
