// A rule: which attacks are told to which channels, and when. Rules are data; what they say of an attack is in judge.ts.
import type { Severity } from '../../events/severity.ts'
import type { ReportSchedule } from '../reports/schedule.ts'
import type { TimeWindow } from './time-window.ts'

/** What a rule can be about. An end and a return are about neither: they go where something of the event went before. */
export const ruleNotices = ['started', 'worsened', 'vector'] as const
export type RuleNotice = (typeof ruleNotices)[number]

/** `own`: attacks on its user's sites; `installation`: attacks on anybody's, each once. The latter counts while its user is an admin. */
type RuleReach = 'own' | 'installation'

/** What attacks have in common that are told together, apart from the rule. */
export const bundleFields = ['site', 'group', 'vector', 'severity'] as const
type BundleField = (typeof bundleFields)[number]

/** How a rule gathers what it tells people. */
export interface Gathering {
  by: readonly BundleField[]
  /** How long a first message waits for others; what is high or critical waits 3 seconds at most. */
  waitSeconds: number
  /** What begins later is told as often. */
  everyMinutes: number
}

/** Who is told next where nobody acknowledges an attack. */
export interface EscalationStep {
  /** From the moment on at which the rule fits first. */
  afterMinutes: number
  unless: 'acknowledged'
  /** Ids of channels of the rule's user. */
  send: readonly string[]
}

/** A list that is empty asks for nothing. */
export interface RuleCondition {
  severities: readonly Severity[]
  /** Host records: the site itself, or whatever lies within. Together with `groups`: one of both will do. */
  sites: readonly string[]
  /** Ids of groups of sites. */
  groups: readonly string[]
  /** Labels, where `*` stands for any characters; `unknown`: of unknown kind. */
  vectors: readonly string[]
  notices: readonly RuleNotice[]
}

export interface RuleContent {
  reach: RuleReach
  when: RuleCondition
  /** Null: at any time. */
  at: TimeWindow | null
  /** Ids of channels; null: every channel of its user. */
  send: readonly string[] | null
  /** How often it is told that an attack goes on; null: never. */
  continuesMinutes: number | null
  escalate: readonly EscalationStep[]
  /** When it reports on all attacks that it is about; null: never. */
  report: ReportSchedule | null
  group: Gathering
  /** Simulated attacks, whose users ask to be told about them, go to pagers, too. */
  tests: boolean
  /** How long an end is held back from people, in case the attack comes back. */
  endDelaySeconds: number
  /** Where it fits, rules after it are not looked at. */
  stop: boolean
}

export interface Rule extends RuleContent {
  id: string
  userId: string
  name: string
}

export const anyAttack: RuleCondition = {
  severities: [],
  sites: [],
  groups: [],
  vectors: [],
  notices: ['started', 'worsened'],
}

/** What a rule says where nothing else is said. */
export const plainRule: RuleContent = {
  reach: 'own',
  when: anyAttack,
  at: null,
  send: null,
  continuesMinutes: null,
  escalate: [],
  report: null,
  group: { by: ['group', 'vector'], waitSeconds: 10, everyMinutes: 5 },
  tests: false,
  endDelaySeconds: 60,
  stop: false,
}

/** What a user has from the first channel on: an alert works after one form. */
export const firstRule: RuleContent & { name: string } = { name: 'Everything', ...plainRule }

export function contentOf(rule: RuleContent): RuleContent {
  const { reach, when, at, send, continuesMinutes, escalate, report, group, tests, endDelaySeconds, stop } = rule
  return { reach, when, at, send, continuesMinutes, escalate, report, group, tests, endDelaySeconds, stop }
}
