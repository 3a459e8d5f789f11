// The audit log: every change and every refusal, for those who look after the installation.
import { type Static, Type } from 'typebox'
import { endpoint } from './route.ts'
import { closed, Maybe, Moment, QueryMoment, queryExamples } from './shapes.ts'

export const AuditActor = Type.Object(
  {
    kind: Type.Enum(['session', 'token', 'stranger', 'command', 'service'], {
      description:
        'session, token: of a user; stranger: nobody that is known; command: the command line, on the data directory; service: the service by itself.',
    }),
    userId: Maybe(Type.String(), 'The id of the user, who may be deleted since. Null: none is known.'),
    name: Type.String({
      description:
        "The user's e-mail as it was then; of a stranger the e-mail that was given; of a command the account of the machine.",
    }),
    credential: Type.String({ description: 'Id of the session or of the token.' }),
    address: Type.String({ description: 'The remote address.' }),
  },
  closed,
)

export const AuditEntry = Type.Object(
  {
    sequence: Type.Integer({ description: 'Its place in the log, without gaps.' }),
    at: Moment('When it was written.'),
    kind: Type.String({
      description: 'The endpoint by its name, a command in words, or what the service did (`service.start`).',
    }),
    actor: AuditActor,
    object: Type.String({ description: 'What it was done to: an e-mail, sites, an id.' }),
    outcome: Type.String({ description: '`done`, or the code of the refusal; `refused`: of several codes.' }),
    count: Type.Integer({
      minimum: 1,
      description: 'How many it stands for: refusals that follow each other within a minute are counted together.',
    }),
    detail: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What was asked for, and with `before` what was before. Never a secret; long values are cut short.',
    }),
    hash: Type.String({ description: 'SHA-256 over the entry and the hash of the one before, hexadecimal.' }),
  },
  closed,
)

export const AuditEntries = Type.Object(
  {
    entries: Type.Array(AuditEntry),
    next: Maybe(Type.Integer(), 'The `before` of the next page. Null: there is none.'),
  },
  closed,
)

const filters = {
  user: Type.Optional(
    Type.String({ maxLength: 100, description: 'The id of a user.', examples: ['5f0c2a9d31b7e846'] }),
  ),
  q: Type.Optional(
    Type.String({ maxLength: 100, description: 'A part of the name of who did it.', examples: ['ann'] }),
  ),
  kind: Type.Optional(Type.String({ maxLength: 64, description: 'What was done.', examples: ['addUser'] })),
  outcome: Type.Optional(
    Type.Enum(['done', 'refused'], { description: 'What was done, or what was refused.', examples: ['refused'] }),
  ),
  start: Type.Optional(QueryMoment('From then on.', queryExamples.start)),
  end: Type.Optional(QueryMoment('Before then.', queryExamples.end)),
}

export const AuditQuery = Type.Object({
  ...filters,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Without it 100.', examples: [100] })),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Entries before this `sequence`.',
      examples: [2_000],
    }),
  ),
})

export type AuditEntry = Static<typeof AuditEntry>

const example: AuditEntry = {
  sequence: 1_204,
  at: '2017-03-08T10:09:18+00:00',
  kind: 'changeUser',
  actor: {
    kind: 'session',
    userId: '5f0c2a9d31b7e846',
    name: 'ann@example.com',
    credential: '91c2f04b7ad3e658',
    address: '198.51.100.23',
  },
  object: 'bob@example.com',
  outcome: 'done',
  count: 1,
  detail: { role: 'viewer', before: { role: 'member' } },
  hash: '3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855e',
}

export const auditShapes = { AuditEntry }

export const auditEndpoints = {
  listAudit: endpoint(
    {
      method: 'GET',
      path: '/api/v1/audit',
      scope: 'admin',
      role: 'admin',
      tag: 'Audit',
      summary: 'List the audit log',
      description: 'Entries of the audit log that pass all given filters, the newest first.',
    },
    { query: AuditQuery, response: AuditEntries },
    { response: { entries: [example], next: 1_104 } },
  ),
  getAuditTable: endpoint(
    {
      method: 'GET',
      path: '/api/v1/audit/csv',
      scope: 'admin',
      role: 'admin',
      tag: 'Audit',
      summary: 'Get the audit log as a table',
      description: 'The entries that pass all given filters as comma-separated values (RFC 4180), the newest first.',
      givesCsv: true,
    },
    { query: Type.Object(filters), response: Type.String() },
    { response: 'sequence,at,kind\r\n1204,2017-03-08T10:09:18+00:00,changeUser\r\n' },
  ),
}
