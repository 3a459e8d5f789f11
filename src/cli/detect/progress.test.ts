import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DetectProgress } from './progress.ts'

describe('progress of detection', () => {
  let folder = ''
  const file = (name: string) => join(folder, name)
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'floodgauge-progress-'))
    for (const name of ['a', 'b']) writeFileSync(file(name), 'x'.repeat(1_000))
  })
  after(() => rmSync(folder, { recursive: true }))
  const reached = (bytesRead: number, datagrams: number) => ({ nowMs: 1_800_000_000_000, datagrams, bytesRead })

  it('of one stream says how much is read, the time in the capture and the speed', () => {
    const progress = new DetectProgress([[file('a'), file('b')]], false)
    progress.show(0, reached(1_500, 4_000))
    assert.equal(progress.text(2_000), '75 %, 2027-01-15T08:00:00+00:00, 2 k datagrams/s')
  })

  it('of many says how many are done', () => {
    const progress = new DetectProgress([[file('a')], [file('b')]], false)
    progress.show(0, reached(900, 1_000))
    progress.done(0)
    progress.show(1, reached(500, 1_000))
    assert.equal(progress.text(1_000), '75 %, 1 of 2 files, 2 k datagrams/s')
  })

  it('where the size is not known says how much was read', () => {
    const progress = new DetectProgress([['-']], false)
    progress.show(0, reached(1_500_000, 0))
    assert.match(progress.text(1_000), /^1\.50? MB read, /)
  })
})
