// The options of a script: --help says how it is run, and what is wrong with others is said in a line.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** Ends the process with status 0 after --help, and with status 2 after an option that does not exist or lacks its value. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  if (process.argv.slice(2).includes('--help')) {
    console.log(`Usage: ${usage}`)
    process.exit(0)
  }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`)
    process.exit(2)
  }
}
