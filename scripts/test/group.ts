// Runs test files one after the other in this process, each as a suite of its own, so that its hooks hold for its own tests.
// Run: node scripts/test/group.ts FILE...
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { after, before, describe, mock } from 'node:test'

for (const file of process.argv.slice(2)) {
  describe(file, async () => {
    const environment: NodeJS.ProcessEnv = {}
    const folder = process.cwd()
    before(() => Object.assign(environment, process.env))
    // The files share one process: what a file changed and left would reach the next.
    after(() => {
      mock.reset()
      assert.deepEqual({ ...process.env }, environment, `${file} leaves another environment`)
      assert.equal(process.cwd(), folder, `${file} leaves another working directory`)
    })
    await import(resolve(file))
  })
}
