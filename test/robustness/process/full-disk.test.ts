// A disk that takes no more, by the limit on the size of files: Linux refuses every write of the process, and needs no privilege for that.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import type { RunningService } from '../../helpers/service.ts'
import { checkFullDisk } from './full-disk.ts'

/** `soft`: octets, of the soft limit. */
function limitFiles({ process: { pid } }: RunningService, soft: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:`])
}

function hasPrlimit(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it('a disk that fails loses nothing, and is reported', {
  skip: !hasPrlimit() && 'there is no prlimit (util-linux)',
}, async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'floodgauge-disk-'))
  try {
    await checkFullDisk(dataFolder, {
      fill: (service) => limitFiles(service, '0'),
      free: (service) => limitFiles(service, 'unlimited'),
    })
  } finally {
    rmSync(dataFolder, { recursive: true })
  }
})
