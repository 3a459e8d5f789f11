// Live tests need root, Linux network namespaces and Debian packages: they run where REQUIRE_LIVE=1 says that all of it is there, and then
// whatever is missing is a failure. Everywhere else they are skipped, and say so.
import { accessSync, constants } from 'node:fs'
import { delimiter, resolve } from 'node:path'

export const required = process.env.REQUIRE_LIVE === '1'

/** The `skip` option of a live test. */
export const skip = required
  ? false
  : 'live test: set REQUIRE_LIVE=1 on a machine with root and the packages (see .ci/run)'

const sbin = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin']

/** Where a program is, by its name or its path; programs of administrators are often not on the path. */
export function findProgram(name: string): string {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...sbin]) {
    try {
      const file = resolve(folder, name)
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // The next folder.
    }
  }
  throw new Error(`${name} is not installed`)
}
