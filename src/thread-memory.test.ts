// Tests that every thread of the service has limits, and that they keep its heap small.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { threadMemory } from './thread-memory.ts'

/** Makes 80 MiB of what is needed for a moment, and says what its young generation has taken meanwhile, MiB. */
const wasteful = `
  const { parentPort } = require('node:worker_threads')
  const { getHeapSpaceStatistics } = require('node:v8')
  let kept = []
  let most = 0
  for (let i = 0; i < 800; i++) {
    kept.push(Array.from({ length: 13_000 }, (_, at) => at + 0.5))
    if (kept.length > 200) kept = []
    const { physical_space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    most = Math.max(most, physical_space_size)
  }
  parentPort.postMessage(most / 2 ** 20)`

it('keeps the young generation of a thread within its limit, whatever it throws away', async () => {
  const { reader } = threadMemory
  const thread = new Worker(wasteful, { eval: true, resourceLimits: reader })
  const [mebibytes] = await once(thread, 'message')
  assert.ok(mebibytes <= reader.maxYoungGenerationSizeMb, `${mebibytes} MiB`)
  await thread.terminate()
})

it('is given to every thread of the service', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !/\.test\.ts$|^cli\//.test(file))
  const started = files.flatMap((file) => readFileSync(`${folder}${file}`, 'utf8').split('new Worker(').slice(1))
  assert.ok(started.length >= 5)
  for (const text of started) assert.match(text.slice(0, 250), /resourceLimits: threadMemory/)
})
