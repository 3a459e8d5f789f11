// What names cost at 10,000 sites: compiling the sites, attributing an attack, the set of watched addresses, and reading an answer.
// Run: node bench/names.ts
import { encode } from 'dns-packet'
import { attribute } from '../src/names/bindings/attribution.ts'
import { Bindings } from '../src/names/bindings/bindings.ts'
import { compileSites } from '../src/names/bindings/site-index.ts'
import { watchedAddresses } from '../src/names/bindings/watched.ts'
import { decodeAnswer, readAnswer } from '../src/names/resolve/answer.ts'
import { formatIpv4 } from '../src/net/ipv4.ts'
import { siteOf } from '../test/helpers/sites.ts'

const count = 10_000
const nowMs = 1_000_000
const base = 0x0a000000

function best(what: string, calls: number, work: () => void): void {
  let bestMs = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run++) {
    const startMs = performance.now()
    for (let call = 0; call < calls; call++) work()
    bestMs = Math.min(bestMs, performance.now() - startMs)
  }
  console.log(`${what.padEnd(48)} ${((bestMs / calls) * 1_000).toFixed(1).padStart(10)} us`)
}

const sites = Array.from({ length: count }, (_, i) => {
  const host = [`www.n${i}.example`, `*.z${i}.example`, formatIpv4(base + i), `${formatIpv4(base + i * 256)}/24`][i % 4]
  return siteOf(`user${i % 500}`, host)
})
const index = compileSites(sites)
const bindings = new Bindings({ graceMs: 1_800_000, staleMs: 1_800_000 })
let next = 0
for (const name of index.roots.keys()) {
  // One address in a hundred is shared by many names.
  const addresses = [base + next++, base + (next % 100)]
  bindings.confirm(name, { addresses, chain: ['a.cdn.example', 'b.cdn.example'], ttlSeconds: 60 }, nowMs)
}
const none = new Bindings({ graceMs: 0, staleMs: 0 })
const leading = (address: number) => ({ asked: bindings.at(address), observed: none.at(address) })
const attack = { fromMs: nowMs, toMs: nowMs + 10_000 }
const answer = encode({
  type: 'response',
  id: 1,
  questions: [{ type: 'A', name: 'www.example.com' }],
  answers: [
    { type: 'CNAME', name: 'www.example.com', data: 'a.example.net', ttl: 30 },
    { type: 'CNAME', name: 'a.example.net', data: 'b.example.net', ttl: 30 },
    { type: 'A', name: 'b.example.net', data: '192.0.2.1', ttl: 30 },
  ],
})

console.log(`${sites.length} sites, ${index.roots.size} names, ${bindings.size} bindings`)
best('compile the sites', 1, () => compileSites(sites))
best('watched addresses', 1, () => watchedAddresses(index, { asked: bindings, observed: none }, nowMs))
best('attribute, one name there', 1_000, () =>
  attribute({ address: base + 5_000, ...attack }, index, leading(base + 5_000)),
)
const shared = [...bindings.at(base + 7)].length
best(`attribute, ${shared} names there`, 100, () =>
  attribute({ address: base + 7, ...attack }, index, leading(base + 7)),
)
const flooded = new Bindings({ graceMs: 1_800_000, staleMs: 1_800_000 })
const wildcards = compileSites(Array.from({ length: 10 }, (_, i) => siteOf(`user${i}`, `*.n${i}.example`)))
for (let i = 0; i < 50_000; i++)
  flooded.confirm(`x${i}.n${i % 10}.example`, { addresses: [base], chain: [], ttlSeconds: 60 }, attack.fromMs)
best('attribute, 50,000 names below 10 wildcards there', 3, () =>
  attribute({ address: base, ...attack }, wildcards, { asked: [], observed: flooded.at(base) }),
)
best('decode and read an answer of 3 records', 10_000, () => {
  const packet = decodeAnswer(answer, { id: 1, name: 'www.example.com' })
  if (packet !== null) readAnswer(packet, 'www.example.com')
})
