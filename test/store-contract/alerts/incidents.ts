// The contract's part on incidents that receivers have open: what is needed for their end is kept, and nothing opens them again.
import assert from 'node:assert/strict'
import { addEvents, eventOf } from '../../helpers/events.ts'
import type { StoreCase } from '../../store-contract.ts'
import { channelOf, noticeOf, routingOf, settlementOf, takeAll, textOf, userOf } from './parts.ts'

const textsOf = (deliveries: Parameters<typeof textOf>[0][]) => deliveries.map(textOf)

export const incidentCases: StoreCase[] = [
  {
    name: 'what would open an incident that its receiver has closed since is not sent again',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      await store.addChannel(ann, { ...channelOf('c1'), kind: 'pagerduty' }, 9)
      await store.addChannel(ann, channelOf('c2'), 9)
      const resumed = { ...noticeOf(ann, 'e1', 3), kind: 'resumed' as const }
      const told = [noticeOf(ann, 'e1'), noticeOf(ann, 'e1', 2), resumed, noticeOf(ann, 'e1', 4)]
      for (const [from, notice] of told.entries()) await store.route(routingOf(from, [[notice, 'c1', 'c2']]))
      const settleAll = async (stateOf: (text: string) => 'done' | 'dead') => {
        for (const _ of told)
          for (const taken of await takeAll(store, clock.now()))
            await store.settle(settlementOf(taken, { state: stateOf(textOf(taken)) }))
      }
      await settleAll((text) => (text === 'c1 e1 1' || text === 'c1 e1 4' ? 'dead' : 'done'))
      const all = await store.deliveriesOf(ann, { limit: 9 })
      const again = async (text: string) =>
        store.replay(ann, { id: all.find((each) => textOf(each) === text)?.id ?? -1 })
      const [isSent, isLeft] = [
        { replayed: 1, leftOut: 0 },
        { replayed: 0, leftOut: 1 },
      ]
      assert.deepEqual(
        [await again('c1 e1 1'), await again('c1 e1 2'), await again('c1 e1 3'), await again('c1 e1 4')],
        [isLeft, isLeft, isLeft, isSent],
      )
      assert.deepEqual(
        [await again('c2 e1 1'), await again('c2 e1 2'), await again('c2 e1 3'), await again('c2 e1 4')],
        [isSent, isSent, isSent, isSent],
      )
      await settleAll(() => 'dead')
      // A beginning and its end were both given up: they go one after the other.
      await store.route(
        routingOf(4, [
          [noticeOf(ann, 'e2'), 'c1'],
          [noticeOf(ann, 'e2', 2), 'c1'],
        ]),
      )
      await settleAll(() => 'dead')
      assert.deepEqual(await store.replay(ann, { channelId: 'c1', state: 'dead' }), { replayed: 3, leftOut: 1 })
      assert.deepEqual(textsOf(await store.deliveriesOf(ann, { channelId: 'c1', state: 'dead', limit: 9 })), [
        'c1 e1 1',
      ])
    },
  },
  {
    name: 'what a channel was told last of an attack that goes on, or whose end waits, is not deleted, however old',
    async run({ open, clock }) {
      const store = await open()
      const ann = await userOf(store, 'ann')
      for (const id of ['c1', 'c2']) await store.addChannel(ann, channelOf(id), 9)
      const [event] = await addEvents(store, [eventOf(ann, 1, { endMs: null, phase: 'active' })])
      const told = (number: number, isOver = false) => ({
        told: new Map([[event.id, { severity: 'high' as const, label: null, isOver, number }]]),
      })
      const worse = (number: number) => ({ ...noticeOf(ann, event.id, number), kind: 'worsened' as const })
      const settleAll = async (state: 'done' | 'dead' = 'done') => {
        for (const taken of await takeAll(store, clock.now())) await store.settle(settlementOf(taken, { state }))
      }
      await store.route(routingOf(0, [[noticeOf(ann, event.id), 'c1', 'c2']], told(1)))
      await settleAll()
      await store.route(routingOf(1, [[worse(2), 'c1']], told(2)))
      await settleAll()
      await store.route(routingOf(2, [[worse(3), 'c1']], told(3)))
      await settleAll('dead')
      const kept = async () => textsOf(await store.deliveriesOf(ann, { limit: 9 }))
      const prune = () => store.pruneAlerts({ beforeMs: 9, max: 0 })
      // One message a channel stays: the latest that arrived. The first notice is that of the other one.
      assert.equal(await prune(), 1)
      const latest = [`c1 ${event.id} 2`, `c2 ${event.id} 1`, `c1 ${event.id} 1`]
      assert.deepEqual(await kept(), latest)
      const [{ known }] = await store.eventsToTell([event.id])
      assert.deepEqual([...known.keys()].toSorted(), ['c1', 'c2'])
      await store.route(routingOf(3, [[{ ...noticeOf(ann, event.id, 4) }, 'c1', 'c2']], told(4, true)))
      assert.equal(await prune(), 0)
      const ends = await takeAll(store, clock.now())
      assert.deepEqual(
        ends.map(({ isAwaited }) => isAwaited),
        [true, true],
      )
      for (const taken of ends) await store.settle(settlementOf(taken))
      assert.equal(await prune(), 3)
      assert.deepEqual(await kept(), [])
    },
  },
]
