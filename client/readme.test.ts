import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { overviewExample, reportExample, seriesExample } from '../src/contract/events/examples.ts'
import { overviewEndpoints } from '../src/contract/overview.ts'
import { groupEndpoints } from '../src/contract/sites/groups.ts'
import { simulationEndpoints } from '../src/contract/sites/simulations.ts'
import { fencedBlocks } from '../test/helpers/markdown.ts'
import { eventAt, FakeService, json } from '../test/helpers/servers/fake-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'floodgauge-readme-'))
after(() => rmSync(folder, { recursive: true }))

/** The examples as one program: what they import first, then the rest in order. */
function programOf(markdown: string): string {
  const lines = fencedBlocks(markdown)
    .filter(({ language }) => language === 'ts')
    .flatMap(({ text }) => text.split('\n'))
  const index = new URL('./index.ts', import.meta.url).href
  const imports = lines.filter((line) => line.startsWith('import ')).map((line) => line.replace('./index.ts', index))
  return [...imports, ...lines.filter((line) => !line.startsWith('import '))].join('\n')
}

test('the examples of the README run, and say what they should', async (t) => {
  const entry = { Item: 16843009, Bytes: 1, Flows: 3, Packets: 4, Prots: {} }
  const lists = { srcip: [entry], srcport: [], dstport: [], proto: [], flags: [{ ...entry, Item: 2 }] }
  const event = { ...eventAt(Date.now()), attack_type: 'tcp@attack@syn_flood_target' }
  const service = new FakeService(({ url, body }) => {
    if (url.pathname === '/open/site') return json({ data: [{ host: 'www.example.com', is_enable: true }], status: 1 })
    if (url.pathname === '/open/site/add')
      return json({ status: 0, success: [], error: [{ '10.0.0.0/8': 'The CIDR prefix must be >=24' }] })
    if (url.pathname.startsWith('/open/site/')) return json({ status: 1, success: body, error: [] })
    if (url.searchParams.get('last') === '1000')
      return json({ title: 'Bad request', errors: [{ parameter: 'last', detail: 'x' }] }, 400)
    if (url.pathname === '/open/event/ddos') return json({ data: [event] })
    if (url.pathname === '/api/v1/events') return json({ events: [overviewExample] })
    if (url.pathname === '/api/v1/overview') return json(overviewEndpoints.getOverview.example.response)
    if (url.pathname === '/api/v1/groups') return json(groupEndpoints.listGroups.example.response)
    if (url.pathname.startsWith('/api/v1/groups/')) return json(groupEndpoints.renameGroup.example.response)
    if (url.pathname.endsWith('/simulation')) return json(simulationEndpoints.getSimulation.example.response)
    if (url.pathname.endsWith('/series')) return json(seriesExample)
    if (url.pathname.startsWith('/api/v1/events/')) return json(reportExample)
    if (url.pathname.startsWith('/api/v1/targets/'))
      return json({ classes: [{ attackType: null, packetsPerSecond: 7, line: 20_000 }] })
    if (url.pathname.startsWith('/pdns/query/'))
      return json([{ rrname: 'a.example', rrtype: 'A', rdata: '192.0.2.10' }])
    if (url.pathname === '/api/v1/names/observations') return json({ observations: 1 })
    if (url.pathname === '/api/v1/exporters')
      return json({
        exporters: [{ id: '192.0.2.1', state: 'error', findings: [{ text: 'nothing was heard for 12 min' }] }],
      })
    if (url.pathname.startsWith('/api/v1/exporters/')) return json({ streams: [{}, {}] })
    return json({ data: { ...event, ...lists, dac: [] } })
  })
  t.mock.method(globalThis, 'fetch', service.fetch)
  const said: string[] = []
  t.mock.method(console, 'log', (...words: unknown[]) => said.push(words.join(' ')))
  const file = join(folder, 'readme.ts')
  writeFileSync(file, programOf(readFileSync(new URL('./README.md', import.meta.url), 'utf8')))
  await import(pathToFileURL(file).href)
  assert.deepEqual(said, [
    'attack 1',
    'Shops',
    '1 ',
    '10.0.0.0/8: The CIDR prefix must be >=24',
    'www.example.com true',
    '1 events',
    `${event.cts} 192.0.2.1 tcp@attack@syn_flood_target`,
    '1.1.1.1 3',
    '......S. 4',
    '8 1',
    `${overviewExample.id} 192.0.2.10 67600`,
    '71340 198.51.100.1',
    '1 0,0,61900',
    `${event._id} 192.0.2.0/24`,
    'all traffic 7 20000',
    'running 3.4',
    'a.example A 192.0.2.10',
    '192.0.2.1 error nothing was heard for 12 min',
    '2',
    '400 [object Object]',
  ])
})
