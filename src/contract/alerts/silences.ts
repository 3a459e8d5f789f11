// Silences: times in which some attacks are told to nobody.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { Count, closed, Deleted, IdParams, Moment, plainText } from '../shapes.ts'
import { aboutAttacks } from './rules.ts'

const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: plainText, description: 'Why, in words.' })

export const Silence = Type.Object(
  {
    id: Type.String(),
    reason: Reason,
    ...aboutAttacks,
    from: Moment('When it begins.'),
    until: Moment('When it ends.'),
    attacks: Count('Attacks that it has held back so far.'),
    openAttacks: Count('Those of them that go on.'),
  },
  closed,
)

export const SilenceList = Type.Object({ silences: Type.Array(Silence) }, closed)

export const SilenceRequest = Type.Object(
  {
    reason: Reason,
    ...Type.Partial(Type.Object(aboutAttacks)).properties,
    from: Type.Optional(Moment('Without it now.')),
    until: Moment('30 days after it begins at most.'),
  },
  { description: 'Without sites, groups and vectors it is about every attack. Other members are ignored.' },
)

export type Silence = Static<typeof Silence>
export type SilenceRequest = Static<typeof SilenceRequest>

export const silenceExample: Silence = {
  id: 'c04e7d2a9b5f8136',
  reason: 'The shop moves',
  sites: ['shop.example.net'],
  groups: [],
  vectors: [],
  from: '2017-03-08T10:00:00+00:00',
  until: '2017-03-08T12:00:00+00:00',
  attacks: 2,
  openAttacks: 1,
}

const { reason, sites, from, until } = silenceExample
const tag = 'Alerts'

export const silenceEndpoints = {
  listSilences: endpoint(
    {
      method: 'GET',
      path: '/api/v1/alerts/silences',
      scope: 'read',
      role: 'viewer',
      tag,
      summary: 'List silences',
      description: 'The silences of the caller: first those that have not ended.',
    },
    { response: SilenceList },
    { response: { silences: [silenceExample] } },
  ),
  addSilence: endpoint(
    {
      method: 'POST',
      path: '/api/v1/alerts/silences',
      scope: 'write',
      role: 'member',
      createsOnce: true,
      tag,
      summary: 'Make a silence',
      description:
        'While it lasts, channels of the caller are told about no such attack, but for the end of one that they were told about. What goes on when it ends is told then, and what is over is told as one message. 409 if the caller has 100 silences that have not ended.',
      mayConflict: true,
    },
    { body: SilenceRequest, response: Silence },
    { body: { reason, sites, from, until }, response: silenceExample },
  ),
  endSilence: endpoint(
    {
      method: 'DELETE',
      path: '/api/v1/alerts/silences/{id}',
      scope: 'write',
      role: 'member',
      tag,
      summary: 'End a silence',
      description: 'It ends now. One that has not begun is deleted. 404 where it has ended.',
      mayBeMissing: true,
    },
    { params: IdParams, response: Deleted },
    { response: { deleted: true } },
  ),
}
