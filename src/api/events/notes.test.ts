import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, eventOf, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import { noStatistics } from '../../detect/incidents/incident-report.ts'
import type { EventDetail } from '../../store/store.ts'

let api: TestApi
let ann: TestCaller
let bob: TestCaller
let events: EventDetail[]
const sourcesOf = (...items: number[]) => ({
  ...noStatistics,
  sourceAddress: items.map((item) => ({ item, flows: 9, packets: 9, bytes: 9, protocols: [17] })),
})

before(async () => {
  api = await createTestApi()
  ann = await api.addCaller('ann@example.net')
  bob = await api.addCaller('bob@example.net')
  const day = 86_400
  events = await addEvents(api.store, [
    eventOf(ann.user.id, 0, { statistics: sourcesOf(1, 2, 3, 4) }),
    eventOf(ann.user.id, day, { statistics: sourcesOf(2, 3, 4, 5), address: 1, domain: '=cmd|x!A1' }),
    eventOf(ann.user.id, 2 * day, { site: 'a.example', address: 2 }),
    eventOf(ann.user.id, 60, { site: 'b.example', sites: ['b.example', '192.0.2.0/24'], address: 9 }),
    eventOf(bob.user.id, 61, { statistics: sourcesOf(1, 2, 3, 4) }),
  ])
  api.clock.advance(3 * day * 1000)
})
after(() => api.close())

const get = (url: string, { headers } = ann) => api.server.inject({ url: `/api/v1/events${url}`, headers })
const note = (id: string, payload: object, { headers } = ann) =>
  api.server.inject({ method: 'PATCH', url: `/api/v1/events/${id}`, headers, payload })
const idsOf = (answer: { json(): { events: { id: string }[] } }) => answer.json().events.map(({ id }) => id)

describe('what is said of an event', () => {
  it('is shown in report and list, and looked for', async () => {
    const [{ id }] = events
    const by = 'ann@example.net'
    const said = await note(id, { acknowledged: true, classification: 'flash_crowd', text: 'Sale\nof the <b>year' })
    assert.equal(said.statusCode, 200, said.body)
    assert.deepEqual([said.json().acknowledged.by, said.json().said.by], [by, by])
    assert.deepEqual((await get(`/${id}`)).json().note, said.json())
    const [listed] = (await get('?classification=flash_crowd')).json().events
    assert.deepEqual([listed.id, listed.acknowledged.by, listed.classification], [id, by, 'flash_crowd'])
    assert.deepEqual(idsOf(await get('?acknowledged=true')), [id])
    assert.equal(idsOf(await get('?acknowledged=false')).length, 3)
    assert.equal(idsOf(await get('?classification=none')).length, 3)
    assert.equal((await note(id, { acknowledged: false, classification: null, text: '' })).json().acknowledged, null)
  })

  it('is in the timeline as what it was: a text is no classification', async () => {
    const [, { id }] = events
    const people = async () => {
      const { timeline } = (await get(`/${id}`)).json()
      return timeline.filter(({ by }: { by: string | null }) => by !== null).map(({ what }: { what: string }) => what)
    }
    await note(id, { acknowledged: true, text: 'Looking into it' })
    assert.deepEqual(await people(), ['acknowledged'])
    api.clock.advance(1_000)
    await note(id, { classification: 'attack' })
    assert.deepEqual(await people(), ['acknowledged', 'classified'])
    await note(id, { acknowledged: false, classification: null, text: '' })
    assert.deepEqual(await people(), [])
  })

  it('is the affair of its owner', async () => {
    const [{ id }] = events
    assert.equal((await note(id, { acknowledged: true }, bob)).statusCode, 404)
    assert.equal((await note('x', { acknowledged: true })).statusCode, 404)
    for (const url of [`/${id}/related`, `/${id}/csv`]) assert.equal((await get(url, bob)).statusCode, 404)
  })

  it('is plain text, one of the words, and not too long', async () => {
    const [{ id }] = events
    for (const wrong of [
      { text: 'x'.repeat(2001) },
      { text: 'a\u001bb' },
      { classification: 'other' },
      { acknowledged: 'yes' },
    ])
      assert.equal((await note(id, wrong)).statusCode, 400, JSON.stringify(wrong))
  })
})

it('events are found by text or address, and listed from the newest on', async () => {
  const [a, b, c, d] = events.map(({ id }) => id)
  assert.deepEqual(idsOf(await get('?q=A.EXAMPLE')), [c])
  assert.deepEqual(idsOf(await get('?q=0.0.0.9')), [d])
  assert.deepEqual(idsOf(await get('?order=desc')), [c, b, d, a])
  const page = await get('?order=desc&limit=3')
  assert.deepEqual(idsOf(page), [c, b, d])
  const next = /<.*?events(\?.*)>/.exec(String(page.headers.link))?.[1]
  assert.deepEqual(idsOf(await get(String(next))), [a])
  for (const query of ['?order=up', '?classification=x', '?acknowledged=1', `?q=${'x'.repeat(101)}`])
    assert.equal((await get(query)).statusCode, 400, query)
})

it('related events are those of the same site, victim, time or sources, of the caller alone', async () => {
  const [a, b, c, d] = events.map(({ id }) => id)
  const related = (await get(`/${a}/related`)).json().events
  assert.deepEqual(
    related.map(({ event, because }: { event: { id: string }; because: string[] }) => [event.id, because]),
    [
      [b, ['site', 'sources']],
      [d, ['site', 'time']],
    ],
  )
  assert.deepEqual((await get(`/${c}/related`)).json(), { events: [] })
})

it('the table of an event is a CSV that no spreadsheet runs', async () => {
  const [, { id }] = events
  await note(id, { text: 'said "so",\nand left' })
  const answer = await get(`/${id}/csv`)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(answer.headers['content-disposition'], `attachment; filename="event-${id}.csv"`)
  assert.ok(answer.body.startsWith('section,name,value,flows,packets,bytes,protocols\r\n'))
  assert.ok(answer.body.endsWith('\r\n'))
  assert.ok(answer.body.includes("event,domain,'=cmd|x!A1,,,,\r\n"))
  assert.ok(answer.body.includes('event,note,"said ""so"",\nand left",,,,\r\n'))
  assert.ok(answer.body.includes('sources,0.0.0.2,,9,9,9,UDP\r\n'))
})
