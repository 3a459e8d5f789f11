// The endpoints of rules.
import { randomBytes } from 'node:crypto'
import { readHostRecord } from '../../access/host-record.ts'
import type { Addressed, EventToTell } from '../../alert/alert-store.ts'
import type { Occasion } from '../../alert/rules/judge.ts'
import { previewOf } from '../../alert/rules/preview.ts'
import { contentOf, plainRule, type Rule, type RuleContent } from '../../alert/rules/rule.ts'
import type { RuleChange } from '../../alert/rules/rule-store.ts'
import { isTimeZone } from '../../alert/rules/time-window.ts'
import type {
  Preview,
  PreviewRequest,
  ruleEndpoints,
  RuleChange as WireChange,
  Rule as WireRule,
} from '../../contract/alerts/rules.ts'
import { formatTime, parseTime } from '../../contract/time.ts'
import { severityOf } from '../../events/severity.ts'
import { parseKey } from '../../net/address.ts'
import { nameOf } from '../http/body.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError, type ProblemErrors, refuseFaults } from '../http/problem.ts'
import type { AlertParts } from './parts.ts'

export const rulesMax = 100

export function ruleHandlers({ store, alerts, clock }: AlertParts): Handlers<keyof typeof ruleEndpoints> {
  const missing = () => new ProblemError('NOT_FOUND', 'The caller has no such rule')
  const list = async (userId: string) => ({ rules: (await store.rulesOf(userId)).map(presentRule) })
  const checked = async (given: WireChange, userId: string, before: RuleContent): Promise<RuleChange> => {
    const channels =
      given.send || given.escalate ? new Set((await store.channelsOf(userId)).map(({ id }) => id)) : new Set<string>()
    refuseFaults(ruleFaults(given, channels))
    return ruleChangeOf(given, before)
  }

  return {
    listRules: async (_input, { id }) => ({ body: await list(id) }),

    addRule: async ({ body, scopes }, { id: userId }) => {
      const change = await checked(body, userId, plainRule)
      if (change.reach === 'installation') requireAdmin(scopes)
      const id = randomBytes(8).toString('hex')
      return {
        body: presentRule(
          await store.addRule(userId, { ...plainRule, ...change, id, name: nameOf(body.name) }, rulesMax),
        ),
      }
    },

    changeRule: async ({ params, body, scopes }, { id: userId }) => {
      const before = (await store.rulesOf(userId)).find(({ id }) => id === params.id)
      if (before === undefined) throw missing()
      if (before.reach === 'installation' || body.reach === 'installation') requireAdmin(scopes)
      const changed = await store.changeRule(userId, params.id, await checked(body, userId, before))
      if (changed === null) throw missing()
      return { body: presentRule(changed) }
    },

    deleteRule: async ({ params }, { id: userId }) => {
      const deleted = await store.deleteRule(userId, params.id)
      if (!deleted) throw missing()
      return { body: { deleted } }
    },

    orderRules: async ({ body }, { id: userId }) => {
      const isOrdered = await store.orderRules(userId, body.ids)
      if (!isOrdered) throw new ProblemError('CONFLICT', 'These are not all rules of the caller, each once')
      return { body: await list(userId) }
    },

    previewAlert: async ({ body }, { id: userId }) => {
      const event = body.eventId === undefined ? null : await eventOf(store, userId, body.eventId)
      const given = await occasionOf(body, event, { store, userId, nowMs: clock.now() })
      const { told, judgements, escalated } = await previewOf(store, userId, { event, given, paces: alerts.paces })
      const names = new Map((await store.channelsOf(userId)).map(({ id, name }) => [id, name]))
      return {
        body: {
          told: told.map((each) => presentTold(each, names.get(each.channelId) ?? '', given.atMs)),
          escalated: escalated.map(({ channelId, ruleId, atMs }) => ({
            ...{ channelId, channel: names.get(channelId) ?? '', ruleId, at: formatTime(atMs) },
          })),
          rules: judgements.map(({ rule: { id: ruleId, name }, unmet }) => ({ ruleId, name, unmet })),
        },
      }
    },
  }
}

function presentTold({ channelId, ruleId, course }: Addressed, channel: string, atMs: number): Preview['told'][number] {
  if (course.what !== 'hold') return { channelId, channel, ruleId, at: formatTime(atMs), heldBy: null }
  const { untilMs, by } = course.hold
  return { channelId, channel, ruleId, at: formatTime(untilMs), heldBy: by }
}

export function requireAdmin(scopes: readonly string[]): void {
  if (!scopes.includes('admin'))
    throw new ProblemError('FORBIDDEN', 'A rule of the installation needs an admin, with the scope `admin`')
}

export function ruleFaults(
  { when, at, send, escalate, report }: WireChange,
  channels: ReadonlySet<string>,
): ProblemErrors {
  const unknownOf = (ids: readonly string[], pointer: string) =>
    ids.flatMap((id, index) =>
      channels.has(id) ? [] : [{ pointer: `${pointer}/${index}`, detail: 'The caller has no such channel' }],
    )
  const unknown = [
    ...unknownOf(send ?? [], '/send'),
    ...(escalate ?? []).flatMap((each, index) => unknownOf(each.send, `/escalate/${index}/send`)),
  ]
  const zoneOf = (given: { timeZone: string } | null | undefined, pointer: string) =>
    given && !isTimeZone(given.timeZone) ? [{ pointer, detail: 'There is no such time zone' }] : []
  const zone = [...zoneOf(at, '/at/timeZone'), ...zoneOf(report, '/report/timeZone')]
  return [...hostFaults(when?.sites ?? [], '/when/sites'), ...unknown, ...zone]
}

/** Those that cannot be sites; `pointer`: where they are in the body. */
export function hostFaults(hosts: readonly string[], pointer: string): ProblemErrors {
  return hosts.flatMap((host, index) =>
    readHostRecord(host) === null ? [{ pointer: `${pointer}/${index}`, detail: 'It is no host' }] : [],
  )
}

/** The one spelling of a host. */
export function spelling(host: string): string {
  return readHostRecord(host)?.host ?? host
}

/** Hosts as their one spelling; what is left out within `when` and `group` is as before. */
export function ruleChangeOf({ name, when, group, escalate, ...others }: WireChange, before: RuleContent): RuleChange {
  const sites = when?.sites?.map(spelling) ?? before.when.sites
  return {
    ...others,
    ...(name === undefined ? {} : { name: nameOf(name) }),
    ...(when === undefined ? {} : { when: { ...before.when, ...when, sites } }),
    ...(group === undefined ? {} : { group: { ...before.group, ...group } }),
    ...(escalate === undefined ? {} : { escalate: escalate.map((step) => ({ ...step, unless: 'acknowledged' })) }),
  }
}

function presentRule(rule: Rule): WireRule {
  const { id, name, when, at, send, escalate, group } = rule
  const { severities, sites, groups, vectors, notices } = when
  return {
    ...contentOf(rule),
    ...{ id, name },
    when: {
      ...{ severities: [...severities], sites: [...sites], groups: [...groups] },
      ...{ vectors: [...vectors], notices: [...notices] },
    },
    at: at === null ? null : { ...at, days: [...at.days] },
    send: send === null ? null : [...send],
    escalate: escalate.map((step) => ({ ...step, send: [...step.send] })),
    group: { ...group, by: [...group.by] },
  }
}

async function eventOf(store: AlertParts['store'], userId: string, id: string): Promise<EventToTell> {
  const [event] = await store.eventsToTell([id])
  if (event?.event.userId === userId) return event
  throw new ProblemError('NOT_FOUND', 'The caller has no such event')
}

/** What the caller leaves out is as in the event; without one it is a high attack of unknown kind that begins now. */
async function occasionOf(
  { notice: kind = 'started', severity, vector, host, at }: PreviewRequest,
  event: EventToTell | null,
  { store, userId, nowMs }: { store: AlertParts['store']; userId: string; nowMs: number },
): Promise<Occasion> {
  const sites = host === undefined ? null : [spelling(host)]
  const groups = sites === null ? null : (await store.sitesAmong(userId, sites)).flatMap(({ groupId }) => groupId ?? [])
  return {
    kind,
    severity: severity ?? (event === null ? 'high' : severityOf(event.event)),
    severityBefore: null,
    label: vector === undefined ? (event?.event.label ?? null) : vector,
    isTest: event?.event.isTest ?? false,
    address: sites === null ? (event?.event.address ?? null) : parseKey(sites[0]),
    sites: sites ?? event?.sites ?? [],
    groups: groups ?? event?.groups ?? [],
    atMs: at === undefined ? nowMs : (parseTime(at) ?? nowMs),
  }
}
