// The options of a script. --help says how it is run, and so does an option that does not exist.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** Says what is wrong with what was given, and ends the process with status 2. */
export function fail(text: string): never {
  console.error(text)
  process.exit(2)
}

/** Ends the process with status 0 after --help, and with status 2 after an option that does not exist or lacks its value. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  if (process.argv.slice(2).includes('--help')) {
    console.log(`Usage: ${usage}`)
    process.exit(0)
  }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`)
  }
}
