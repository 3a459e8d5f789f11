import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import { PeriodicTask } from '../task.ts'
import { Components } from './components.ts'

/** A component that notes its steps. */
function stepping(name: string, steps: string[], startFailure?: Error) {
  return {
    start: async () => {
      await Promise.resolve()
      steps.push(`${name} starts`)
      if (startFailure !== undefined) throw startFailure
    },
    stop: async () => {
      await Promise.resolve()
      steps.push(`${name} stops`)
    },
  }
}

test('components stop in the reverse order, each after the one before has stopped', async () => {
  const steps: string[] = []
  const components = new Components()
  await components.start(stepping('store', steps))
  components.add(stepping('recorder', steps))
  await components.start(stepping('api', steps))
  await components.stop()
  assert.deepEqual(steps, ['store starts', 'api starts', 'api stops', 'recorder stops', 'store stops'])
})

test('one whose start fails is stopped with those before it, also when a stop fails', async () => {
  const steps: string[] = []
  const components = new Components()
  await components.start(stepping('store', steps))
  const failing = {
    stop: () => {
      throw new Error('disk full')
    },
  }
  components.add(failing)
  await assert.rejects(components.start(stepping('pipeline', steps, new Error('port in use'))), /port in use/)
  await assert.rejects(components.stop(), /disk full/)
  assert.deepEqual(steps, ['store starts', 'pipeline starts', 'pipeline stops', 'store stops'])
})

test('the metrics of a component and of its tasks are shown', async () => {
  const components = new Components()
  const [clock, log] = [new ManualClock(), createLogger('silent')]
  const task = new PeriodicTask({ name: 'sweep', run: () => {}, failure: 'no sweep', clock, log })
  const rows = [{ name: 'rooms_total', help: 'Rooms.', read: ({ rooms }: { rooms: number }) => rooms }]
  components.add({ rooms: 3, tasks: [task] }, rows)
  await task.run()
  const text = await components.metrics.text()
  for (const line of ['rooms_total 3', 'floodgauge_task_runs_total{task="sweep"} 1'])
    assert.ok(text.includes(line), line)
})
