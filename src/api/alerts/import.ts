// The endpoint that takes channels and rules together: all of it is looked at, then written in one transaction.
import { randomBytes } from 'node:crypto'
import type { Channel, WantedAlerts } from '../../alert/alert-store.ts'
import type { Alerts } from '../../alert/alerts.ts'
import { plainRule, type Rule } from '../../alert/rules/rule.ts'
import type { ImportAnswer, ImportedChannel, ImportRequest, importEndpoints } from '../../contract/alerts/import.ts'
import type { User } from '../../store/store.ts'
import { nameOf } from '../http/body.ts'
import type { Handlers } from '../http/endpoints.ts'
import { type ProblemErrors, refuseFaults } from '../http/problem.ts'
import { channelsMax, timeZoneFaults } from './channels.ts'
import type { AlertParts } from './parts.ts'
import { requireAdmin, ruleChangeOf, ruleFaults, rulesMax } from './rules.ts'

/** Addresses of channels that are looked up at a time. */
const atOnce = 10
/** No look-up begins later than this after the first, ms: 200 that get no answer would hold the request for minutes. */
const lookUpMs = 4_000

type Wanted<What extends keyof WantedAlerts> = WantedAlerts[What][number]
interface Found {
  name: string
  wanted: Wanted<'channels'>
  secret: string | null
}

type Looked = Found | ProblemErrors
type GivenRule = NonNullable<ImportRequest['rules']>[number]

/** What is made of a channel that was given, or what is wrong with it. Its addresses are looked up. */
async function lookedAt(
  channels: Alerts['channels'],
  { name: given, kind, settings, secrets = {}, quiet = null, isDisabled = false }: ImportedChannel,
  { caller, before }: { caller: User; before: Channel | undefined },
): Promise<Looked> {
  const name = nameOf(given)
  if (before !== undefined && before.kind !== kind)
    return [{ pointer: '/kind', detail: `The channel ${before.name} is of kind ${before.kind}, not ${kind}` }]
  const content = { name, settings, quiet }
  const faults = timeZoneFaults(quiet)
  if (before === undefined) {
    const made = await channels.make({ kind, settings, secrets }, caller)
    if (faults.length > 0 || Array.isArray(made)) return [...faults, ...(Array.isArray(made) ? made : [])]
    const { made: secret, ...sealed } = made
    return { name, wanted: { isNew: true, channel: { ...content, ...sealed, kind }, isDisabled }, secret }
  }
  const isGiven = Object.keys(secrets).length > 0
  const changed = await channels.change(before, { settings, secrets: isGiven ? secrets : undefined }, caller)
  if (faults.length > 0 || Array.isArray(changed)) return [...faults, ...(Array.isArray(changed) ? changed : [])]
  const change = { ...content, ...changed, isDisabled }
  return { name, wanted: { isNew: false, id: before.id, change }, secret: null }
}

async function channelsOf(
  channels: Alerts['channels'],
  given: readonly ImportedChannel[],
  { caller, there }: { caller: User; there: readonly Channel[] },
) {
  const looked: Looked[] = []
  const endMs = performance.now() + lookUpMs
  for (let from = 0; from < given.length; from += atOnce) {
    if (performance.now() > endMs) {
      looked.push([
        { detail: 'Looking up the addresses of the channels before it took too long. Import fewer at a time' },
      ])
      break
    }
    const some = given.slice(from, from + atOnce)
    const before = (wanted: string) => there.find(({ name }) => keyOf(name) === keyOf(wanted))
    looked.push(
      ...(await Promise.all(some.map((each) => lookedAt(channels, each, { caller, before: before(each.name) })))),
    )
  }
  const faults = looked.flatMap((each, n) => (Array.isArray(each) ? within(`/channels/${n}`, each) : []))
  return { found: looked.flatMap((each): Found[] => (Array.isArray(each) ? [] : [each])), faults }
}

export function importHandlers({ store, alerts }: AlertParts): Handlers<keyof typeof importEndpoints> {
  return {
    importAlerts: async ({ body: { channels = [], rules = [] }, scopes }, caller) => {
      refuseFaults([...repeated(channels, '/channels'), ...repeated(rules, '/rules')])
      const there = await store.channelsOf(caller.id)
      const { found, faults } = await channelsOf(alerts.channels, channels, { caller, there })
      const made = found.flatMap(({ wanted }) => (wanted.isNew ? [wanted.channel] : []))
      const ids = { channels: idsOf([...there, ...made]), groups: idsOf(await store.listGroups(caller.id)) }
      const named = rules.map((rule) => withIds(rule, ids))
      const known = new Set(ids.channels.values())
      for (const [n, rule] of named.entries()) faults.push(...within(`/rules/${n}`, ruleFaults(rule, known)))
      refuseFaults(faults)
      const wanted = wantedRules(named, await store.rulesOf(caller.id))
      if (wanted.some(({ isOfInstallation }) => isOfInstallation)) requireAdmin(scopes)
      const all = { channels: found.map((each) => each.wanted), rules: wanted.map(({ rule }) => rule) }
      await store.importAlerts(caller.id, all, { channelsMax, rulesMax })
      for (const channel of await store.channelsOf(caller.id)) await alerts.confirmations.askNew(caller, channel)
      alerts.wake()
      alerts.onChanged(caller.id)
      return {
        body: {
          channels: found.map(({ name, wanted: each, secret }) => ({ ...madeOf(each, name), secret })),
          rules: wanted.map(({ rule }, n) => madeOf(rule, nameOf(rules[n].name))),
        },
      }
    },
  }
}

function wantedRules(given: readonly GivenRule[], there: readonly Rule[]) {
  return given.map((rule): { rule: Wanted<'rules'>; isOfInstallation: boolean } => {
    const name = nameOf(rule.name)
    const before = there.find((each) => each.name === name)
    const change = ruleChangeOf(rule, plainRule)
    const isOfInstallation = before?.reach === 'installation' || rule.reach === 'installation'
    if (before !== undefined) return { rule: { isNew: false, id: before.id, change }, isOfInstallation }
    const id = randomBytes(8).toString('hex')
    return { rule: { isNew: true, rule: { ...plainRule, ...change, id, name } }, isOfInstallation }
  })
}

function madeOf(wanted: Wanted<'channels'> | Wanted<'rules'>, name: string): ImportAnswer['rules'][number] {
  if (!wanted.isNew) return { id: wanted.id, name, isNew: false }
  return { id: 'rule' in wanted ? wanted.rule.id : wanted.channel.id, name, isNew: true }
}

/** Case does not tell channels apart. */
const keyOf = (name: string) => name.trim().toLowerCase()

function idsOf(all: readonly { id: string; name: string }[]): Map<string, string> {
  return new Map(all.map(({ id, name }) => [keyOf(name), id]))
}

/** What it refers to by name, by id; what is not known stays as it is. */
function withIds(rule: GivenRule, { channels, groups }: Record<'channels' | 'groups', Map<string, string>>): GivenRule {
  const idOf = (ids: Map<string, string>, text: string) => ids.get(keyOf(text)) ?? text
  const { send, escalate, when } = rule
  return {
    ...rule,
    ...(send && { send: send.map((each) => idOf(channels, each)) }),
    ...(escalate && {
      escalate: escalate.map((step) => ({ ...step, send: step.send.map((each) => idOf(channels, each)) })),
    }),
    ...(when?.groups && { when: { ...when, groups: when.groups.map((each) => idOf(groups, each)) } }),
  }
}

function within(pointer: string, faults: ProblemErrors): ProblemErrors {
  return faults.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer ?? ''}` }))
}

/** Throws if there are faults. */
function repeated(given: readonly { name: string }[], pointer: string): ProblemErrors {
  const names = given.map(({ name }) => keyOf(name))
  return names.flatMap((name, n) =>
    names.indexOf(name) === n ? [] : [{ pointer: `${pointer}/${n}/name`, detail: 'Another one has this name' }],
  )
}
