// Users add sites, point names at each other's addresses, win and lose proofs, and are attacked, under every policy: what each is answered
// is compared with what a plain reading of the rules lets them know.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Claim, Scope } from '../../../src/access/authority.ts'
import type { Policy } from '../../../src/access/policy.ts'
import { formatIpv4 } from '../../../src/net/ipv4.ts'
import { networkFrom } from '../../../src/net/network.ts'
import { address as ip } from '../../helpers/flow-rows.ts'
import { fuzzRuns } from '../../helpers/fuzz.ts'
import { Ownership, type OwnershipOptions } from '../../helpers/ownership.ts'

const users = ['ann', 'bob', 'eve'] as const
type Name = (typeof users)[number]

const networks: Record<Name, string> = { ann: '192.0.2.0/28', bob: '192.0.2.16/28', eve: '198.51.100.0/30' }
const addresses = ['192.0.2.1', '192.0.2.17', '198.51.100.1', '203.0.113.1', '203.0.113.129'].map(ip)
const [hers, his] = addresses
const pool = { network: '203.0.113.128/25', first: ip('203.0.113.128'), last: ip('203.0.113.255') }
const hosts = [
  ...users.flatMap((name) => [`www.${name}.example`, `*.${name}.example`, networks[name]]),
  ...addresses.map(formatIpv4),
  '192.0.2.0/24',
]

/** What can be proved: names, and networks as first and last address. */
const provable = [
  { first: hers, last: hers, scope: network(hers, 32) },
  { first: ip('192.0.2.0'), last: ip('192.0.2.255'), scope: network(ip('192.0.2.0'), 24) },
  { first: his, last: his, scope: network(his, 32) },
  ...users.map((name) => ({ domain: name, scope: { kind: 'domain' as const, name: `${name}.example` } })),
]

function network(first: number, length: number): Scope {
  return { kind: 'network', network: networkFrom({ network: first, length }) }
}

type Verb = Parameters<Ownership['change']>[1]

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sites' as const),
      who: fc.constantFrom(...users),
      verb: fc.constantFrom<Verb>('add', 'add', 'add', 'delete', 'disable', 'enable'),
      hosts: fc.subarray(hosts, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('point' as const),
      who: fc.constantFrom(...users),
      at: fc.constantFrom(...addresses),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('attack' as const),
      victims: fc.subarray(addresses, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('proof' as const),
      who: fc.constantFrom(...users),
      what: fc.nat(provable.length - 1),
      becomes: fc.constantFrom('strong', 'weak', 'gone'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(60_000, 3_600_000) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const scenario = fc.record({
  policies: fc.record({
    ann: fc.constantFrom<Policy>('assigned', 'verified', 'single', 'open'),
    bob: fc.constantFrom<Policy>('assigned', 'verified'),
    eve: fc.constantFrom<Policy>('assigned', 'verified'),
  }),
  steps: fc.array(step, { minLength: 6, maxLength: 25 }),
})
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never

interface Proof {
  who: Name
  what: number
  /** Null: it is strong. */
  missingSinceMs: number | null
}

interface Attack {
  victims: number[]
  source: number
  startMs: number
  /** Who might manage each victim, and who nearly, by a weak proof. */
  owners: Name[][]
  holders: Name[][]
}

/** The rules once more, in the plainest way. */
class Rules {
  readonly proofs: Proof[] = []
  readonly attacks: Attack[] = []
  /** Domains that a user might ever manage. */
  readonly known = new Map<Name, Set<Name>>(users.map((name) => [name, new Set([name])]))

  prove({ who, what, becomes }: Extract<Step, { kind: 'proof' }>, nowMs: number): void {
    const at = this.proofs.findIndex((proof) => proof.who === who && proof.what === what)
    if (at !== -1) this.proofs.splice(at, 1)
    if (becomes !== 'gone') this.proofs.push({ who, what, missingSinceMs: becomes === 'weak' ? nowMs : null })
    const domain = domainOf(what)
    if (domain !== undefined && becomes !== 'gone') this.known.get(who)?.add(domain)
  }

  claims(): Claim[] {
    return this.proofs.map(({ who, what, missingSinceMs }) => ({
      userId: who,
      scope: provable[what].scope,
      missingSinceMs,
    }))
  }

  holders(address: number): Name[] {
    const assigned = users.filter((name) => isAssigned(name, address))
    return [...new Set([...assigned, ...this.#proofsOf(address).map(({ who }) => who)])]
  }

  owners(address: number): Name[] {
    const strong = (name: Name) =>
      isAssigned(name, address) ||
      this.#proofsOf(address).some(({ who, missingSinceMs }) => who === name && missingSinceMs === null)
    const isContested = (name: Name) => users.some((other) => other !== name && strong(other))
    return this.holders(address).filter((name) => strong(name) || !isContested(name))
  }

  #proofsOf(address: number): Proof[] {
    return this.proofs.filter(({ what }) => {
      const { first, last } = { first: 1, last: 0, ...provable[what] }
      return first <= address && address <= last
    })
  }
}

function domainOf(what: number): Name | undefined {
  return { domain: undefined, ...provable[what] }.domain
}

function isAssigned(name: Name, address: number): boolean {
  const [base, length] = networks[name].split('/')
  return address >= ip(base) && address < ip(base) + 2 ** (32 - Number(length))
}

const isPooled = (address: number) => address >= pool.first && address <= pool.last

interface Played {
  broken?: OwnershipOptions['broken']
  /** Whose answers are of interest. */
  asking?: readonly Name[]
}

async function play({ policies, steps }: Scenario, { broken, asking = users }: Played = {}) {
  const allowedTo = (name: Name) => ({ networks: [networks[name]], domains: [`${name}.example`] })
  const lab = await Ownership.create({
    access: { policy: 'single', sharedNetworks: [pool.network], sharedDomains: 1 },
    users: {
      ann: { policy: policies.ann, allowed: allowedTo('ann') },
      bob: { policy: policies.bob, allowed: allowedTo('bob') },
      eve: { policy: policies.eve, allowed: allowedTo('eve') },
    },
    broken,
  })
  const rules = new Rules()
  for (const each of steps) await run(lab, rules, each)
  const answers = new Map<Name, Map<string, string>>()
  for (const name of asking) answers.set(name, await lab.answers(name, { hosts, addresses }))
  await lab.close()
  return { rules, answers }
}

async function run(lab: Ownership, rules: Rules, each: Step): Promise<void> {
  if (each.kind === 'pass') lab.pass(each.ms)
  else if (each.kind === 'point') lab.point(`www.${each.who}.example`, each.at)
  else if (each.kind === 'sites') await lab.change(each.who, each.verb, each.hosts)
  else if (each.kind === 'proof') {
    rules.prove(each, lab.nowMs)
    await lab.prove(rules.claims())
  } else {
    const source = ip('240.0.0.1') + rules.attacks.length
    const owners = each.victims.map((victim) => rules.owners(victim))
    const holders = each.victims.map((victim) => rules.holders(victim))
    rules.attacks.push({ victims: each.victims, source, startMs: lab.nowMs, owners, holders })
    await lab.attack(each.victims, source)
  }
}

/** Whatever a user who may not watch everything was answered follows from what is theirs. */
function check(name: Name, answers: ReadonlyMap<string, string>, rules: Rules): void {
  const all = [...answers.values()].join('\n')
  const told = [...answers]
    .map(([url, answer]) => (url === '/open/site' ? '' : answer.replace(/"host":"[^"]*"/, '')))
    .join('\n')
  for (const other of users) {
    if (other === name) continue
    assert.ok(!all.includes(`${other}@`), `${name} is told that ${other} exists`)
    const isKnown = rules.known.get(name)?.has(other) === true
    // What the user registered, whosever it is, is known to the user.
    assert.ok(isKnown || !told.includes(`${other}.example`), `${name} is told names of ${other}`)
  }
  for (const { source, owners } of rules.attacks) {
    if (owners.every((of) => of.includes(name))) continue
    assert.ok(!all.includes(formatIpv4(source)), `${name} sees the source ${formatIpv4(source)}`)
    assert.ok(!all.includes(String(source)), `${name} sees the source ${source}`)
  }
  const { events } = JSON.parse(textOf(answers, '/api/v1/events?last=365'))
  for (const event of events) {
    const attack = rules.attacks.find(({ startMs }) => startMs === Date.parse(event.start))
    assert.ok(attack !== undefined)
    const at = attack.victims.indexOf(ip(event.address))
    const mayBeTold =
      attack.owners[at].includes(name) ||
      isPooled(attack.victims[at]) ||
      attack.holders[at].every((other) => other === name)
    assert.ok(mayBeTold, `${name} sees an attack on ${event.address}`)
  }
  for (const address of addresses) {
    const isOwn = rules.owners(address).includes(name)
    const target = answers.get(`/api/v1/targets/${formatIpv4(address)}`) ?? ''
    assert.ok(isOwn || target.startsWith('404'), `${name} is told what is normal for ${formatIpv4(address)}`)
    for (const host of hosts) {
      const report = answers.get(`/api/v1/sites/${encodeURIComponent(host)}`) ?? ''
      if (!report.startsWith('200') || isOwn) continue
      const told = JSON.parse(report.slice(4)).addresses.find(
        (each: { address: string }) => ip(each.address) === address,
      )
      assert.ok(
        told === undefined || (!told.isOwn && told.traffic === 'unknown'),
        `${name} sees traffic to ${formatIpv4(address)}`,
      )
    }
  }
}

function textOf(answers: ReadonlyMap<string, string>, url: string): string {
  return (answers.get(url) ?? '').slice(4)
}

const property = (broken?: OwnershipOptions['broken']) =>
  fc.asyncProperty(scenario, async (given) => {
    const { rules, answers } = await play(given, { broken })
    for (const name of users) {
      if (given.policies[name] === 'single' || given.policies[name] === 'open') continue
      check(name, answers.get(name) ?? new Map(), rules)
    }
  })

describe('under policies that ask for a say, nothing of a user’s is in another’s answers', () => {
  it('whatever they do', async () => {
    await fc.assert(property(), { numRuns: fuzzRuns })
  })

  it('which this test would notice', async () => {
    for (const broken of ['attribution', 'sources'] as const) {
      const { failed } = await fc.check(property(broken), { numRuns: 200, endOnFailure: true })
      assert.ok(failed, `${broken} is broken, and nothing noticed`)
    }
  })

  it('and does not depend on the names and sites of others', async () => {
    const claimed = scenario.map(({ policies, steps }) => ({ policies: { ...policies, ann: policies.bob }, steps }))
    const alone = fc.asyncProperty(claimed, fc.constantFrom(...users), async ({ policies, steps }, name) => {
      const proved = steps.map((each) => (each.kind === 'proof' && each.who === name ? domainOf(each.what) : undefined))
      // Where a name leads that the user has proved is the user's to know.
      const isOthers = (each: Step) =>
        each.kind === 'sites'
          ? each.who !== name
          : each.kind === 'point' && each.who !== name && !proved.includes(each.who)
      const together = await play({ policies, steps }, { asking: [name] })
      const without = await play({ policies, steps: steps.filter((each) => !isOthers(each)) }, { asking: [name] })
      assert.deepEqual(plain(together.answers.get(name)), plain(without.answers.get(name)))
    })
    await fc.assert(alone, { numRuns: fuzzRuns })
  })
})

/** Without the ids of events, which are drawn by lot. */
function plain(answers: ReadonlyMap<string, string> = new Map()): [string, string][] {
  const ids = new Map<string, string>()
  const named = (text: string) =>
    text.replaceAll(/\b[0-9a-f]{24}\b/g, (id) => {
      const found = ids.get(id) ?? `id-${ids.size}`
      ids.set(id, found)
      return found
    })
  return Array.from(answers, ([url, answer]) => [named(url), named(answer)])
}

it('each user sees what is theirs', async () => {
  const sites = users.map((who) => ({ kind: 'sites' as const, who, verb: 'add' as const, hosts: [...hosts] }))
  const points = users.map((who) => ({ kind: 'point' as const, who, at: hers }))
  const attack = { kind: 'attack' as const, victims: [hers] }
  const both = { kind: 'attack' as const, victims: [hers, his] }
  const nobodys = { kind: 'attack' as const, victims: [ip('203.0.113.1')] }
  const wander = { kind: 'point' as const, who: 'eve' as const, at: ip('203.0.113.1') }
  const policies = { ann: 'assigned', bob: 'verified', eve: 'assigned' } as const
  const { answers } = await play({ policies, steps: [...sites, ...points, attack, both, wander, nobodys] })
  const seen = users.map((name) => {
    const { events } = JSON.parse(textOf(answers.get(name) ?? new Map(), '/api/v1/events?last=365'))
    const sources = [...(answers.get(name) ?? [])].join().match(/240\.0\.0\.\d/g) ?? []
    return [
      events.map((event: Record<string, string>) => `${event.address} ${event.domain} ${event.view}`),
      [...new Set(sources)],
    ]
  })
  assert.deepEqual(seen, [
    [['192.0.2.1 www.ann.example all', '192.0.2.1 www.ann.example totals'], ['240.0.0.1']],
    [['192.0.2.17  totals'], []],
    [['203.0.113.1 www.eve.example totals'], []],
  ])
})
