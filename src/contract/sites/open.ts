// The frozen endpoints of sites, under /open.
import { type Static, Type } from 'typebox'
import { hostsMax } from '../limits.ts'
import { endpoint } from '../route.ts'
import { closed, Members, Moment } from '../shapes.ts'

export const Site = Type.Object(
  {
    create_time: Moment('When the site was added.'),
    group_id: Type.Union([Type.String(), Type.Null()], { description: 'Group of the site; null when it has none.' }),
    group_name: Type.String({ description: 'Name of the group; empty when there is none.' }),
    host: Type.String({
      description:
        'The host record in canonical form: lower case, no trailing dot, international names as A-labels, host bits of a range cleared.',
    }),
    is_enable: Type.Boolean({ description: 'Whether the site is monitored.' }),
    user_email: Type.String({ description: 'E-mail of the owner.' }),
  },
  closed,
)

export const SiteList = Type.Object(
  {
    data: Type.Array(Site),
    status: Type.Integer({ enum: [0, 1], description: '1: success; 0: the list could not be read, `data` is empty.' }),
  },
  closed,
)

export const HostBatch = Type.Object(
  {
    hosts: Type.Array(Type.String(), {
      minItems: 1,
      description: `Host records: a full domain name, \`*.\` and a domain, an IPv4 address, or an IPv4 range with a prefix length of at least 24. More than ${hostsMax} are answered with 413.`,
    }),
  },
  { description: 'Other members are ignored.' },
)

const Verdict = Type.Integer({ enum: [1, 0, -1], description: '1: all succeeded; 0: some failed; -1: all failed.' })
const Success = Type.Array(Type.String(), { description: 'The hosts for which it was done, as the caller spelt them.' })

export const AddOutcome = Type.Object(
  {
    status: Verdict,
    success: Success,
    error: Type.Array(Members(Type.String()), {
      description:
        'An object for each rejected host, with one member: the host, as the caller spelt it, and the reason.',
    }),
  },
  closed,
)

export const BatchOutcome = Type.Object(
  {
    status: Verdict,
    success: Success,
    error: Type.Array(Type.String(), {
      description: 'The hosts that are no sites of the caller, as the caller spelt them.',
    }),
  },
  closed,
)

export type Site = Static<typeof Site>
export type AddOutcome = Static<typeof AddOutcome>
export type BatchOutcome = Static<typeof BatchOutcome>

export const openSiteEndpoints = {
  listSites: endpoint(
    {
      method: 'GET',
      path: '/open/site',
      scope: 'read',
      role: 'viewer',
      tag: 'Sites',
      summary: 'List sites',
      description:
        'All sites of the caller, in the order in which they were added. `status` is 1; it is 0, with empty `data`, when the list could not be read.',
    },
    { response: SiteList },
    {
      response: {
        data: [
          {
            create_time: '2017-03-01T08:00:00+00:00',
            group_id: null,
            group_name: '',
            host: '*.example.com',
            is_enable: true,
            user_email: 'ann@example.com',
          },
        ],
        status: 1,
      },
    },
  ),
  addSites: endpoint(
    {
      method: 'POST',
      path: '/open/site/add',
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Add sites',
      description:
        'Registers host records to be monitored. Each host is accepted or rejected for itself. A host that is there already is a success and stays as it is, also when it is disabled. A host that occurs twice is answered once, as first spelt.',
    },
    { body: HostBatch, response: AddOutcome },
    {
      body: { hosts: ['www.example.com', '*.example.com', '192.0.2.10', '192.0.2.0/24', '198.51.100.0/16'] },
      response: {
        status: 0,
        success: ['www.example.com', '*.example.com', '192.0.2.10', '192.0.2.0/24'],
        error: [{ '198.51.100.0/16': 'The CIDR prefix must be >=24' }],
      },
    },
  ),
  deleteSites: endpoint(
    {
      method: 'POST',
      path: '/open/site/delete',
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Delete sites',
      description:
        'Removes sites of the caller. Their events stay readable. A host that is no site of the caller is in `error`.',
    },
    { body: HostBatch, response: BatchOutcome },
    {
      body: { hosts: ['192.0.2.10', 'www.example.net'] },
      response: { status: 0, success: ['192.0.2.10'], error: ['www.example.net'] },
    },
  ),
  enableSites: endpoint(
    {
      method: 'POST',
      path: '/open/site/enable',
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Enable sites',
      description: 'Resumes monitoring of sites of the caller. A host that is no site of the caller is in `error`.',
    },
    { body: HostBatch, response: BatchOutcome },
    {
      body: { hosts: ['www.example.com'] },
      response: { status: 1, success: ['www.example.com'], error: [] },
    },
  ),
  disableSites: endpoint(
    {
      method: 'POST',
      path: '/open/site/disable',
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Disable sites',
      description: 'Pauses monitoring of sites of the caller. A host that is no site of the caller is in `error`.',
    },
    { body: HostBatch, response: BatchOutcome },
    {
      body: { hosts: ['www.example.org'] },
      response: { status: -1, success: [], error: ['www.example.org'] },
    },
  ),
}
