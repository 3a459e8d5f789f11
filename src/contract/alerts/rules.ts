// Rules: which attacks are told to which channels, and who would be told about one.
import { type Static, Type } from 'typebox'
import { overviewExample } from '../events/examples.ts'
import { endpoint } from '../route.ts'
import { closed, Deleted, IdParams, Maybe, Moment } from '../shapes.ts'
import { channelExample, Name } from './channels.ts'
import { HeldBy } from './deliveries.ts'
import { TimeWindow } from './time-window.ts'

const entriesMax = 100

const listOf = <Words extends string[]>(words: [...Words], description: string) =>
  Type.Array(Type.Enum(words), { maxItems: words.length, description })
export const textsOf = (maxLength: number, description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems: entriesMax, description })

const Severity: ['low', 'medium', 'high', 'critical'] = ['low', 'medium', 'high', 'critical']

/** Which attacks, by their sites and kinds. */
export const aboutAttacks = {
  sites: textsOf(
    1_000,
    'Hosts: a site of that name, or one within that network or wildcard; a network also takes attacks on addresses in it. Empty, and `groups` empty: any.',
  ),
  groups: textsOf(100, 'Ids of groups of sites. A site of `sites` or of one of them will do.'),
  vectors: textsOf(
    100,
    'Labels of attacks, where `*` stands for any characters, without regard to case; `unknown`: of unknown kind. Empty: any.',
  ),
}

const RuleCondition = Type.Object(
  {
    severities: listOf(Severity, 'The highest severity so far. Empty: any.'),
    ...aboutAttacks,
    notices: listOf(
      ['started', 'worsened', 'vector'],
      'started: an attack begins, or comes back. worsened: it becomes high or critical, or as severe as the rule asks for. vector: it becomes one of another kind. What ends, or comes back, is told wherever something of it was told. Left out: started and worsened.',
    ),
  },
  closed,
)

const Gathering = Type.Object(
  {
    by: listOf(
      ['site', 'group', 'vector', 'severity'],
      'What attacks have in common that are told together, apart from the rule: `group` is the group of the site. Left out: group and vector.',
    ),
    waitSeconds: Type.Integer({
      minimum: 0,
      maximum: 600,
      description:
        'How long the first message waits for others; what is high or critical waits 3 s at most. Left out: 10.',
    }),
    everyMinutes: Type.Integer({
      minimum: 1,
      maximum: 1_440,
      description:
        'As long as one of them goes on, others are told as often at most, but for what is more severe than all before. Left out: 5.',
    }),
  },
  {
    ...closed,
    description:
      'How it gathers what it tells people: one message tells several attacks, and one that all are over. Programs get each at once.',
  },
)

const stepsMax = 5

const step = {
  afterMinutes: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    description: 'From the moment on at which the rule fits first, minutes.',
  }),
  send: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    ...{ minItems: 1, maxItems: entriesMax },
    description: 'Ids of channels of its user.',
  }),
}
const unless = Type.Enum(['acknowledged'], {
  description:
    'It is not told if somebody has acknowledged the event, or the one that the group is named after with which it was told.',
})
const steps = {
  maxItems: stepsMax,
  description: 'Who is told where nobody acknowledges an attack that goes on; each step once. Empty: nobody.',
}

const Report = Type.Object(
  {
    day: Maybe(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']), 'Null: it reports each day.'),
    hour: Type.Integer({ minimum: 0, maximum: 23, description: 'At which it reports.' }),
    timeZone: Type.String({ maxLength: 64, description: 'A name of the IANA database.', examples: ['Europe/Berlin'] }),
  },
  closed,
)

const content = {
  reach: Type.Enum(['own', 'installation'], {
    description:
      'own: attacks on sites of its user. installation: those on anybody, each attack once; for admins with a token for `admin`, and it counts as long as its user is an admin.',
  }),
  when: RuleCondition,
  at: Maybe(TimeWindow, 'Outside of it the rule does not fit. Null: at any time.'),
  send: Maybe(textsOf(100, 'Ids of channels of its user.'), 'Null: every channel of its user, also those to come.'),
  continuesMinutes: Maybe(
    Type.Integer({ minimum: 5, maximum: 10_080, description: 'Minutes.' }),
    'How often it is told that an attack goes on, to channels that were told about it. Null: never.',
  ),
  escalate: Type.Array(Type.Object({ ...step, unless }, closed), steps),
  report: Maybe(
    Report,
    'When its channels are told what attacks there were since the last report, as far as it is about them, also where there was none. Pagers get none. Null: never.',
  ),
  group: Gathering,
  tests: Type.Boolean({
    description:
      'Simulated attacks that are to be told go to pagers (PagerDuty, Opsgenie, Alertmanager), too, and are escalated.',
  }),
  endDelaySeconds: Type.Integer({
    minimum: 0,
    maximum: 3_600,
    description:
      'How long people are not told that an attack is over, in case it comes back: then they hear of neither. Of one that comes back a third time in ten minutes the end waits for `detect.reopenSeconds`.',
  }),
  stop: Type.Boolean({ description: 'Where it fits, rules of the same reach after it are not looked at.' }),
}

export const Rule = Type.Object({ id: Type.String(), name: Type.String(), ...content }, closed)
export const RuleList = Type.Object({ rules: Type.Array(Rule) }, closed)

const parts = {
  ...Type.Partial(Type.Object(content)).properties,
  when: Type.Optional(Type.Partial(RuleCondition, { description: 'What is left out asks for nothing.' })),
  escalate: Type.Optional(Type.Array(Type.Object({ ...step, unless: Type.Optional(unless) }, closed), steps)),
  group: Type.Optional(Type.Partial(Gathering)),
}
const stays = { description: 'What is left out stays as it is.' }

export const RuleRequest = Type.Object(
  { name: Name, ...parts },
  { description: 'What is left out is as in the first rule of a user. Other members are ignored.' },
)
export const RuleChange = Type.Object(
  {
    ...{ name: Type.Optional(Name), ...parts },
    when: Type.Optional(Type.Partial(RuleCondition, stays)),
    group: Type.Optional(Type.Partial(Gathering, stays)),
  },
  {
    description:
      'What is left out stays as it is, also within `when` and `group` (RFC 7396); lists, `at` and `report` are given whole. Other members are ignored.',
  },
)
export const RuleOrder = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: entriesMax, description: 'All rules, each once.' }),
})

export const PreviewRequest = Type.Object(
  {
    eventId: Type.Optional(
      Type.String({ maxLength: 100, description: 'An event of the caller. Without it the attack is made up.' }),
    ),
    notice: Type.Optional(
      Type.Enum(['started', 'worsened', 'vector', 'ended', 'resumed'], {
        description: 'What is told. Without it `started`.',
      }),
    ),
    severity: Type.Optional(Type.Enum(Severity, { description: 'Without it that of the event, or `high`.' })),
    vector: Type.Optional(
      Maybe(Type.String({ maxLength: 200 }), 'Null: of unknown kind. Without it that of the event, or null.'),
    ),
    host: Type.Optional(Type.String({ maxLength: 1_000, description: 'The site. Without it that of the event.' })),
    at: Type.Optional(Moment('Without it now.')),
  },
  { description: 'Other members are ignored.' },
)

const Wanted = Type.Object(
  {
    channelId: Type.String(),
    channel: Type.String({ description: 'Its name.' }),
    ruleId: Maybe(Type.String(), 'By which it is told. Null: it follows what the channel was told before.'),
    at: Moment('When it is told.'),
    heldBy: Maybe(HeldBy, 'What holds it back until then. Null: nothing.'),
  },
  closed,
)

const RuleJudgement = Type.Object(
  {
    ruleId: Type.String(),
    name: Type.String(),
    unmet: Maybe(
      Type.Enum(['notice', 'severity', 'vector', 'site', 'time', 'stopped']),
      'The first that it asks for and that is not so. stopped: a rule before it fits and stops. Null: it fits.',
    ),
  },
  closed,
)

const Escalated = Type.Object(
  {
    channelId: Type.String(),
    channel: Type.String({ description: 'Its name.' }),
    ruleId: Type.String({ description: 'By which it is told.' }),
    at: Moment('When that is.'),
  },
  closed,
)

export const Preview = Type.Object(
  {
    told: Type.Array(Wanted, { description: 'Who would be told.' }),
    escalated: Type.Array(Escalated, {
      description: 'Who would be told later, if nobody acknowledges it and it still goes on. The earliest first.',
    }),
    rules: Type.Array(RuleJudgement, { description: 'What each rule of the caller says, in order.' }),
  },
  closed,
)

export type Rule = Static<typeof Rule>
export type RuleRequest = Static<typeof RuleRequest>
export type RuleChange = Static<typeof RuleChange>
export type Preview = Static<typeof Preview>
export type PreviewRequest = Static<typeof PreviewRequest>

export const ruleExample: Rule = {
  id: 'a1d5e08c2b7f4936',
  name: 'Pager at night',
  reach: 'own',
  when: {
    severities: ['high', 'critical'],
    sites: ['*.example.net'],
    groups: [],
    vectors: ['udp@attack@amp*', 'unknown'],
    notices: ['started', 'worsened'],
  },
  at: { timeZone: 'Europe/Berlin', days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: '18:00-08:00' },
  send: [channelExample.id],
  continuesMinutes: 30,
  escalate: [{ afterMinutes: 10, unless: 'acknowledged', send: [channelExample.id] }],
  report: { day: 'mon', hour: 8, timeZone: 'Europe/Berlin' },
  group: { by: ['group', 'vector'], waitSeconds: 10, everyMinutes: 5 },
  tests: false,
  endDelaySeconds: 60,
  stop: true,
}

const { id, ...given } = ruleExample
const tag = 'Alerts'

export const ruleEndpoints = {
  listRules: endpoint(
    {
      method: 'GET',
      path: '/api/v1/alerts/rules',
      scope: 'read',
      role: 'viewer',
      tag,
      summary: 'List rules',
      description: 'The rules of the caller, in the order in which they are looked at.',
    },
    { response: RuleList },
    { response: { rules: [ruleExample] } },
  ),
  addRule: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/rules',
      scope: 'write',
      role: 'member',
      createsOnce: true,
      tag,
      summary: 'Make a rule',
      description:
        'After the others. 409 if the caller has 100 rules. 400 if a channel, a host or a time zone is not one.',
      mayConflict: true,
    },
    { body: RuleRequest, response: Rule },
    { body: given, response: ruleExample },
  ),
  orderRules: endpoint(
    {
      method: 'PUT',
      path: '/api/v1/alerts/rules/order',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'Order rules',
      description: 'Sets the order in which they are looked at. 409 if these are not all rules of the caller.',
      mayConflict: true,
    },
    { body: RuleOrder, response: RuleList },
    { body: { ids: [id] }, response: { rules: [ruleExample] } },
  ),
  changeRule: endpoint(
    {
      method: 'PATCH',
      path: '/api/v1/alerts/rules/{id}',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'Change a rule',
      description: 'What was found to be told before is told as it was.',
      mayBeMissing: true,
    },
    { params: IdParams, body: RuleChange, response: Rule },
    { body: { name: given.name, stop: false }, response: { ...ruleExample, stop: false } },
  ),
  deleteRule: endpoint(
    {
      method: 'DELETE',
      path: '/api/v1/alerts/rules/{id}',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'Delete a rule',
      description: 'Ends still go where beginnings went.',
      mayBeMissing: true,
    },
    { params: IdParams, response: Deleted },
    { response: { deleted: true } },
  ),
  previewAlert: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/preview',
      scope: 'read',
      role: 'viewer',
      tag,
      summary: 'Ask who would be told',
      description:
        'Of an event of the caller, or of a made-up attack: which channels would be told, when, and what each rule says. Nothing is sent.',
      mayBeMissing: true,
    },
    { body: PreviewRequest, response: Preview },
    {
      body: { eventId: overviewExample.id },
      response: {
        told: [
          {
            channelId: channelExample.id,
            channel: channelExample.name,
            ruleId: id,
            at: '2017-03-08T10:09:18+00:00',
            heldBy: null,
          },
        ],
        escalated: [
          {
            ...{ channelId: channelExample.id, channel: channelExample.name, ruleId: id },
            at: '2017-03-08T10:19:18+00:00',
          },
        ],
        rules: [{ ruleId: id, name: ruleExample.name, unmet: null }],
      },
    },
  ),
}
