#!/usr/bin/env node
// The `floodgauge` command as a process: its arguments, its exit status, and readers that go away.
import { run } from './run.ts'

// A reader that has seen enough (`| head`) is no failure; nor is a terminal that was closed, which ends the command by a signal.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    if (error.code !== 'EIO') throw error
  })
}

process.exitCode = await run(process.argv)
