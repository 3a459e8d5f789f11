import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { createLogger } from '../../log.ts'
import { PasswordThread, type PasswordWorker } from './passwords.ts'

const log = createLogger('silent')

it('makes hashes of passwords and looks at them, several at a time', async () => {
  const passwords = new PasswordThread({ log })
  const [first, second] = await Promise.all([passwords.hash('correct horse'), passwords.hash('battery staple')])
  const isRight = await Promise.all([
    passwords.isPassword('correct horse', first),
    passwords.isPassword('correct horse', second),
    passwords.isPassword('battery staple', second),
    passwords.isPassword('battery staple', null),
  ])
  assert.deepEqual(isRight, [true, false, true, false])
  await passwords.stop()
})

it('lets every other thread go first', { skip: process.platform !== 'linux' }, async () => {
  const passwords = new PasswordThread({ log })
  await passwords.hash('correct horse')
  assert.equal(niceOf('passwords'), Math.min(getPriority() + 10, 19))
  await passwords.stop()
})

it('fails what was asked of a thread that ends, and makes another', async () => {
  let threads = 0
  const startThread = (): PasswordWorker => {
    threads++
    return new Worker(
      "const { parentPort } = require('node:worker_threads'); parentPort.once('message', () => process.exit(1))",
      { eval: true },
    )
  }
  const passwords = new PasswordThread({ log, startThread })
  for (const asked of [passwords.hash('one'), passwords.isPassword('two', null)]) {
    await assert.rejects(asked, (error) => error instanceof AppError && error.code === 'STORE_UNAVAILABLE')
  }
  assert.equal(threads, 1)
  await assert.rejects(passwords.hash('three'))
  assert.equal(threads, 2)
  await passwords.stop()
})

/** The nice value of a thread of this process: see proc_pid_stat(5). */
function niceOf(name: string): number {
  const stats = readdirSync('/proc/self/task').map((id) => readFileSync(`/proc/self/task/${id}/stat`, 'utf8'))
  const found = stats.find((stat) => stat.includes(`(${name})`)) ?? ''
  return Number(found.slice(found.lastIndexOf(')') + 2).split(' ')[16])
}
