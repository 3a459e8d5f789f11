// A disk that is full in earnest: a small file system in memory, filled to the last octet.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { checkFullDisk } from '../robustness/process/full-disk.ts'
import { findProgram, skip } from './requirements.ts'

function fill(file: string): void {
  const handle = openSync(file, 'w')
  try {
    for (const octets of [65_536, 4_096]) writeUntilFull(handle, Buffer.alloc(octets))
  } finally {
    closeSync(handle)
  }
}

function writeUntilFull(handle: number, octets: Buffer): void {
  try {
    for (;;) writeSync(handle, octets)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

it('a full disk loses nothing, and is reported', { skip }, async () => {
  const mountPoint = mkdtempSync(join(tmpdir(), 'floodgauge-full-'))
  execFileSync(findProgram('mount'), ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', mountPoint])
  const filler = join(mountPoint, 'filler')
  try {
    await checkFullDisk(join(mountPoint, 'data'), { fill: () => fill(filler), free: () => rmSync(filler) })
  } finally {
    execFileSync(findProgram('umount'), [mountPoint])
    rmdirSync(mountPoint)
  }
})
