import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createTestApi, eventOf, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents } from '../../../test/helpers/events.ts'
import { noStatistics } from '../../detect/incidents/incident-report.ts'
import { nowhere, type Place } from '../../geo/place.ts'

const net = { number: 64_496, name: '=Example Net' }
const known: Record<number, Place> = {
  1: { country: 'DE', as: net },
  2: { country: 'DE', as: null },
  3: { country: 'NL', as: net },
}
const places = { isKnown: true, placeOf: (address: number) => known[address] ?? nowhere }
let api: TestApi
let ann: TestCaller

before(async () => {
  api = await createTestApi({ places })
  ann = await api.addCaller('ann@example.net')
  const source = (item: number, packets: number) => ({ item, flows: 1, packets, bytes: packets * 100, protocols: [17] })
  const sourceAddress = [source(1, 10), source(2, 20), source(3, 5), source(4, 50)]
  await addEvents(api.store, [eventOf(ann.user.id, 0, { statistics: { ...noStatistics, sourceAddress } })])
})
after(() => api.close())

const get = async (path: string) =>
  api.server.inject({ url: `/api/v1/events/${eventOf(ann.user.id, 0).id}${path}`, headers: ann.headers })

it('sources have where they are, and come to countries and networks; without a database nothing is said', async () => {
  const { sources, origins } = (await get('')).json().statistics
  assert.deepEqual(
    sources.entries.map(({ country, as }: Place) => [country, as?.number ?? null]),
    [
      ['DE', 64_496],
      ['DE', null],
      ['NL', 64_496],
      [null, null],
    ],
  )
  const sum = (count: number, packets: number) => ({ sources: count, flows: count, packets, bytes: packets * 100 })
  assert.deepEqual(origins, {
    countries: [
      { country: null, ...sum(1, 50) },
      { country: 'DE', ...sum(2, 30) },
      { country: 'NL', ...sum(1, 5) },
    ],
    systems: [
      { as: null, ...sum(2, 70) },
      { as: net, ...sum(2, 15) },
    ],
  })
  places.isKnown = false
  assert.equal((await get('')).json().statistics.origins, null)
  places.isKnown = true
})

it('the table has columns for it where it is known, and names that are no formulas', async () => {
  const lines = (await get('/csv')).body.split('\r\n')
  assert.equal(lines[0], 'section,name,value,flows,packets,bytes,protocols,country,as,asName')
  assert.ok(lines.includes("sources,0.0.0.1,,1,10,1000,UDP,DE,64496,'=Example Net"))
  assert.ok(lines.includes('countries,DE,2,2,30,3000,,DE,,'))
  assert.ok(lines.includes("systems,64496,2,2,15,1500,,,64496,'=Example Net"))
  places.isKnown = false
  assert.equal((await get('/csv')).body.split('\r\n')[0], 'section,name,value,flows,packets,bytes,protocols')
  places.isKnown = true
})
