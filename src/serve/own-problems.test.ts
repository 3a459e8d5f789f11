import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { goodHealth } from '../alert/attempts.ts'
import type { Condition } from '../alert/own/condition.ts'
import type { FailingChannel } from '../alert/own/condition-store.ts'
import { ManualClock } from '../clock.ts'
import type { ExporterHealth } from '../collect/health/exporter.ts'
import type { Away } from '../flow/away.ts'
import { OwnProblems } from './own-problems.ts'
import type { MissingProof } from './proof-keeper.ts'

const startMs = 10_000_000
const minute = 60_000

type Findings = { rule: string; severity: 'error' | 'warning' | 'note'; text: string; advice: string }[]

/** `worked`: it has brought flows for minutes. */
function exporterOf(address: string, findings: Findings, worked = true): ExporterHealth {
  const counters = { records: worked ? 1_000 : 0 }
  const stream = { address, firstMs: 0, lastMs: worked ? 900_000 : 0, counters }
  return { address, lastMs: 5_000, findings, streams: [stream] } as unknown as ExporterHealth
}

const finding = (rule: string, severity: Findings[number]['severity'] = 'error') => ({
  ...{ rule, severity, text: `says ${rule}`, advice: '' },
})

function lab({ lastSign = null as number | null, open = [] as string[] } = {}) {
  const clock = new ManualClock(startMs)
  const signs: number[] = []
  const state = {
    conditions: [] as readonly Condition[],
    exporters: [exporterOf('192.0.2.1', [])],
    failing: [] as FailingChannel[],
    heardMs: startMs as number | null,
    away: null as Away | null,
    asked: null as unknown,
    missing: [] as MissingProof[],
    proved: [] as string[],
    channel: null as { isDisabled: boolean; isDone: boolean } | null,
  }
  const problems = new OwnProblems({
    store: {
      conditions: async () => [...state.conditions],
      saveConditions: async (all) => {
        state.conditions = all
      },
      lastSignOfLife: async () => signs.at(-1) ?? lastSign,
      signOfLife: async (atMs) => void signs.push(atMs),
      failingChannels: async (since) => {
        state.asked = since
        return state.failing
      },
      toldOpen: async () => open,
      listUsers: async () => [{ id: 'u1', email: 'a@b' }],
      channelById: async () => {
        if (state.channel === null) return null
        const { isDisabled, isDone } = state.channel
        return { health: { ...goodHealth, isDisabled }, last: { atMs: 0, tookMs: 0, isDone, text: '' } }
      },
    },
    exporters: { list: () => state.exporters },
    proofs: {
      missing: () => state.missing,
      isInOrder: (userId, host) => state.proved.includes(`${userId} ${host}`),
    },
    lastDatagramMs: () => state.heardMs,
    lastAway: () => state.away,
    clock,
  })
  const found = async () =>
    (await problems.find()).map(({ type, subject, detail }) => [type, subject, detail].join('|'))
  return { problems, found, clock, state, signs }
}

describe('what is wrong with the installation', () => {
  it('is that the service was away for a minute, noted before it says that it lives', async () => {
    const { problems, state, signs } = lab({ lastSign: startMs - minute, open: ['e1', 'e2'] })
    await problems.start()
    const [{ type, detail, sinceMs, untilMs }] = state.conditions
    assert.deepEqual([type, sinceMs, untilMs], ['service.blind', startMs - minute, startMs])
    assert.match(detail, /: 2$/)
    assert.deepEqual(signs, [startMs])
    for (const lastSign of [null, startMs - minute + 1, startMs + minute]) {
      const other = lab({ lastSign })
      await other.problems.start()
      assert.deepEqual(other.state.conditions, [])
    }
  })

  it('is found once where the note was made and the sign of life was not', async () => {
    const { problems, state, signs } = lab({ lastSign: startMs - minute })
    await problems.start()
    signs.length = 0
    await problems.start()
    assert.equal(state.conditions.length, 1)
  })

  it('is that it stood still for a minute, and is told for an hour', async () => {
    const { problems, state, clock } = lab()
    state.away = { fromMs: startMs - minute + 1, toMs: startMs }
    assert.deepEqual(await problems.find(), [])
    state.away = { fromMs: startMs - minute, toMs: startMs }
    const [{ type, sinceMs, untilMs }] = await problems.find()
    assert.deepEqual([type, sinceMs, untilMs], ['service.blind', startMs - minute, startMs])
    clock.advance(60 * minute)
    state.heardMs = clock.now()
    assert.deepEqual(await problems.find(), [])
  })

  it('is not that it stood still at a time that is still to come, by a clock that has been set back', async () => {
    const { problems, state, clock } = lab()
    state.away = { fromMs: startMs, toMs: startMs + minute }
    clock.set(startMs + minute)
    state.heardMs = clock.now()
    assert.equal((await problems.find()).length, 1)
    clock.step(-minute - 1)
    assert.deepEqual(await problems.find(), [])
  })

  it('is an exporter that has worked and is silent, or has what keeps attacks from being seen', async () => {
    const { found, state, signs, clock } = lab()
    assert.deepEqual(await found(), [])
    assert.deepEqual(signs, [clock.now()])
    state.exporters = [
      exporterOf('192.0.2.1', [finding('silent'), finding('loss')]),
      exporterOf('192.0.2.2', [finding('loss'), finding('malformed', 'warning')]),
      exporterOf('192.0.2.3', [finding('malformed', 'warning')]),
      exporterOf('192.0.2.4', [finding('no-template')], false),
    ]
    assert.deepEqual(await found(), ['exporter.silent|192.0.2.1|', 'exporter.problem|192.0.2.2|loss: says loss'])
  })

  it('is that no flows come in, which stands for silent exporters', async () => {
    const { found, state, clock } = lab()
    state.exporters = [exporterOf('192.0.2.1', [finding('silent')]), exporterOf('192.0.2.2', [finding('loss')])]
    clock.advance(2 * minute)
    assert.deepEqual((await found()).length, 2)
    clock.advance(1)
    assert.deepEqual(await found(), ['flows.none||', 'exporter.problem|192.0.2.2|loss: says loss'])
    // Whoever has no exporters yet knows that nothing comes.
    state.exporters = []
    assert.deepEqual(await found(), [])
  })

  it('is not that nothing was heard in the first two minutes', async () => {
    const { found, state, clock } = lab()
    state.heardMs = null
    clock.advance(2 * minute - 1)
    assert.deepEqual(await found(), [])
    clock.advance(1)
    assert.deepEqual(await found(), ['flows.none||'])
  })

  it('is a channel that fails', async () => {
    const { found, state, clock } = lab()
    state.failing = [{ id: 'c1', userId: 'u1', name: 'Pager', email: 'a@b', sinceMs: 5, text: 'HTTP 503' }]
    assert.deepEqual(await found(), ['channel.failing|Pager|of a@b: HTTP 503'])
    const nowMs = clock.now()
    assert.deepEqual(state.asked, { failingBeforeMs: nowMs - 5 * minute, deadAfterMs: nowMs - 60 * minute })
  })

  it('is a channel that fails, until it works, is turned off or deleted, or is not tried any more', async () => {
    const { problems, state } = lab()
    const of = { type: 'channel.failing', subject: 'Pager', owner: { userId: 'u1', exceptChannelId: 'c1' } } as const
    const found: string[] = []
    for (const [isDisabled, isDone] of [
      [false, true],
      [false, false],
      [true, true],
    ]) {
      state.channel = { isDisabled, isDone }
      found.push(await problems.whyOver(of))
    }
    state.channel = null
    found.push(await problems.whyOver(of))
    assert.deepEqual(found, ['it works again', 'nothing has failed since', 'it was turned off', 'it was deleted'])
  })

  it('is the proof of a site that is missing, until it is there, or the site is gone', async () => {
    const { found, problems, state } = lab()
    state.missing = [{ userId: 'u1', host: 'www.example.com', recordName: '_x.www.example.com', sinceMs: 5 }]
    assert.deepEqual(await found(), [
      'site.proof_missing|www.example.com|of a@b: there is no valid TXT record _x.www.example.com',
    ])
    const [{ subject, owner, sinceMs }] = await problems.find()
    assert.deepEqual([owner, sinceMs], [{ userId: 'u1', exceptChannelId: null }, 5])
    assert.match(await problems.whyOver({ subject, owner }), /deleted/)
    state.proved = ['u1 www.example.com']
    assert.equal(await problems.whyOver({ subject, owner }), '')
    assert.match(await problems.whyOver({ subject, owner: { userId: 'u2', exceptChannelId: null } }), /deleted/)
  })
})
