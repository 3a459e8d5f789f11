// Two users do whatever they like; nothing that one does is ever to be seen in an answer to the other.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { createTestApi, eventOf, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import { fuzzRuns } from '../../../test/helpers/fuzz.ts'

const hosts = [
  '192.0.2.1',
  '192.0.2.0/24',
  'www.example.com',
  '*.example.com',
  'WWW.example.com.',
  '10.0.0.0/8',
  '__proto__',
]

const operation = fc.oneof(
  fc.record({
    kind: fc.constantFrom('add', 'delete', 'enable', 'disable'),
    hosts: fc.array(fc.constantFrom(...hosts), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('list' as const) }),
  fc.record({ kind: fc.constant('attack' as const) }),
  fc.record({ kind: fc.constant('events' as const), limit: fc.option(fc.integer({ min: 1, max: 3 })) }),
  fc.record({
    kind: fc.constant('detail' as const),
    n: fc.nat(30),
    form: fc.constantFrom(
      '/open/event/ddos/detail/{id}',
      '/api/v1/events/{id}',
      '/api/v1/events/{id}/series',
      '/api/v1/events/{id}/related',
      '/api/v1/events/{id}/csv',
    ),
  }),
  fc.record({
    kind: fc.constant('find' as const),
    filter: fc.constantFrom(
      '',
      '?state=open',
      '?deviationMin=1',
      '?acknowledged=true',
      '?q=ann',
      '?order=desc',
      '?site=192.0.2.0/24',
    ),
  }),
  fc.record({
    kind: fc.constant('say' as const),
    n: fc.nat(30),
    classification: fc.constantFrom('attack', 'test', null),
  }),
  fc.record({ kind: fc.constant('sites' as const), query: fc.constantFrom('', '?q=example', '?limit=1') }),
)
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

interface Asked {
  url: string
  method?: 'POST' | 'PATCH'
  payload?: object
}

/** Runs operations as the user and gives what was answered: status and body, without what the clock says. */
class Session {
  readonly #api: TestApi
  readonly caller: TestCaller
  readonly answers: string[] = []
  #attacks = 0
  #cursor: string | null = null

  constructor(api: TestApi, caller: TestCaller) {
    this.#api = api
    this.caller = caller
  }

  /** The id of the user's own event of this number in this run: the same whatever the other user does. */
  eventId(n: number): string {
    return `${n.toString(16).padStart(23, '0')}${this.caller.user.email[0] === 'a' ? '1' : '2'}`
  }

  async run(step: Operation, other: Session): Promise<void> {
    if (step.kind === 'attack') {
      const n = this.#attacks++
      const changed = {
        id: this.eventId(n),
        incident: `${this.caller.user.email} ${n}`,
        site: `site-of-${this.caller.user.email}`,
      }
      await addEvents(this.#api.store, [eventOf(this.caller.user.id, n, changed)])
      return
    }
    const { url, payload, method = 'POST' } = this.#requestOf(step, other)
    const headers = this.caller.headers
    const request = payload === undefined ? { url, headers } : { method, url, headers, payload }
    const answer = await this.#api.server.inject(request)
    const { link = '', ratelimit, date, ...kept } = answer.headers
    this.#cursor = /cursor=([0-9a-f]+)/.exec(String(link))?.[1] ?? null
    this.answers.push(JSON.stringify([step.kind, answer.statusCode, answer.body, kept, link]))
  }

  #requestOf(step: Exclude<Operation, { kind: 'attack' }>, other: Session): Asked {
    switch (step.kind) {
      case 'list':
        return { url: '/open/site' }
      case 'events': {
        const page =
          step.limit === null ? '' : `&limit=${step.limit}${this.#cursor === null ? '' : `&cursor=${this.#cursor}`}`
        return { url: `/open/event/ddos?last=365${page}` }
      }
      case 'detail':
        // Every third asks for an event of the other.
        return { url: step.form.replace('{id}', (step.n % 3 === 0 ? other : this).eventId(Math.floor(step.n / 3))) }
      case 'say':
        return {
          url: `/api/v1/events/${(step.n % 3 === 0 ? other : this).eventId(Math.floor(step.n / 3))}`,
          method: 'PATCH',
          payload: { acknowledged: true, classification: step.classification },
        }
      case 'sites':
        return { url: `/api/v1/sites${step.query}` }
      case 'find':
        return { url: `/api/v1/events${step.filter}` }
      default:
        return { url: `/open/site/${step.kind}`, payload: { hosts: step.hosts } }
    }
  }
}

async function play(steps: [who: 0 | 1, step: Operation][]): Promise<[string[], string[]]> {
  const api = await createTestApi({ settings: { ratePerMinute: 0 } })
  const ann = new Session(api, await api.addCaller('ann@example.net'))
  const bob = new Session(api, await api.addCaller('bob@example.net'))
  for (const [who, step] of steps) await (who === 0 ? ann.run(step, bob) : bob.run(step, ann))
  await api.close()
  return [ann.answers, bob.answers]
}

it('what a user is answered does not depend on what another does', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom<0 | 1>(0, 1), operation), { minLength: 5, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(steps, async (mixed) => {
      const [ann, bob] = await play(mixed)
      const [annAlone] = await play(mixed.filter(([who]) => who === 0))
      const [, bobAlone] = await play(mixed.filter(([who]) => who === 1))
      assert.deepEqual(ann, annAlone)
      assert.deepEqual(bob, bobAlone)
      assert.ok(!ann.join().includes('bob@') && !bob.join().includes('ann@'))
    }),
    { numRuns: fuzzRuns },
  )
})
