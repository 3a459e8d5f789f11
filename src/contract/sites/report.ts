// The report about one site: where it leads, what of that is seen in flows, and its proof; and the list of all proofs.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { closed } from '../shapes.ts'

const MaybeMoment = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

export const SiteAddress = Type.Object(
  {
    address: Type.String({ format: 'ipv4' }),
    names: Type.Array(Type.String(), {
      description: "The caller's names that lead there, those known for longest first, at most 20.",
    }),
    since: MaybeMoment('Since when a name leads there without a break. Null: it is an address of the site itself.'),
    confirmedAt: MaybeMoment('When a name was last seen to lead there. Null: likewise.'),
    traffic: Type.Enum(['seen', 'none', 'unknown'], {
      description:
        '`seen`: exporters reported traffic to it in the last 24 hours. `none`: they did not, in 24 hours or more of watching it, although they report other traffic: it cannot be observed, or nobody goes there. `unknown`: it has not been watched for that long, or no exporter sends flows.',
    }),
    lastTrafficAt: MaybeMoment('The latest minute with traffic to it in the last 24 hours. Null: there is none.'),
    sharedWith: Type.Array(Type.String(), {
      description:
        "Other registered domains of the caller's whose names lead there: an attack on it may be meant for one of them.",
    }),
    isShared: Type.Boolean({
      description:
        'Whether it is shared by many sites (`access.sharedNetworks`, `access.sharedDomains`): an attack on it may be meant for a neighbour. Names of others count when the token is for `admin` alone.',
    }),
    domainsOfOthers: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'How many registered domains are known to lead there that are none of the caller\u2019s. Null: unless the token is for `admin`.',
    }),
    isOwn: Type.Boolean({
      description:
        'Whether the address is the caller’s (see "Who may watch what" in the documentation), rather than only the name that leads there. False: its traffic is not shown, and attacks on it with totals at most.',
    }),
  },
  closed,
)

/** What the states of a proof are called. */
export const proofStates = ['pending', 'verified', 'missed', 'unverified'] as const

const proofFields = {
  state: Type.Enum([...proofStates], {
    description:
      '`pending`: the record was not there yet. `verified`: it is. `missed`: it was not when last looked for. `unverified`: it was not there three days in a row.',
  }),
  misses: Type.Integer({ minimum: 0, maximum: 3, description: 'How often in a row it was not there.' }),
  confirmedAt: MaybeMoment('When it was last there. Null: never.'),
  checkedAt: MaybeMoment('When resolvers last answered. Null: not yet.'),
  expiresAt: MaybeMoment('Until when the record counts, as it says itself. Null: for good, or it was never there.'),
  watchedUntil: MaybeMoment(
    'Of what is `unverified`: until when sites that rest on the proof are watched all the same. Null: it is not.',
  ),
}

export const SiteProof = Type.Object(
  {
    ...proofFields,
    record: Type.Object(
      {
        name: Type.String({ description: 'Its name.' }),
        type: Type.Literal('TXT'),
        text: Type.String({ description: 'Its text. `expiry` may be another date, or `never`.' }),
      },
      { ...closed, description: 'The DNS record that proves it.' },
    ),
  },
  closed,
)

export const Proof = Type.Object(
  {
    userEmail: Type.String({ description: 'Whose it is.' }),
    kind: Type.Enum(['network', 'host', 'domain'], {
      description: 'A network or an address, a name alone, a domain with all below it.',
    }),
    subject: Type.String({ description: 'Which.' }),
    recordName: Type.String({ description: 'Where the TXT record has to be.' }),
    ...proofFields,
  },
  closed,
)

export const ProofList = Type.Object({ proofs: Type.Array(Proof) }, closed)

export const SiteReport = Type.Object(
  {
    host: Type.String({ description: 'The host record in canonical form.' }),
    isEnabled: Type.Boolean({
      description: 'Whether the site is monitored. The addresses of one that is not are not known.',
    }),
    addedAt: Type.String({ format: 'date-time', description: 'When the site was added.' }),
    isWatched: Type.Boolean({
      description: 'Whether it is monitored and is the caller\u2019s to watch: allowed by the operator, or proved.',
    }),
    proof: Type.Union([SiteProof, Type.Null()], {
      description:
        'What the caller has to prove before the site is watched, unless a proof of the caller for more than the site has it already. Null: nothing.',
    }),
    addresses: Type.Array(SiteAddress, { description: 'What the site stands for now, at most 256, in order.' }),
    addressesOmitted: Type.Integer({ minimum: 0, description: 'How many more addresses there are.' }),
    suggestedNames: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          address: Type.String({ format: 'ipv4' }),
          confirmedAt: Type.String({ format: 'date-time', description: 'When it was last seen to lead there.' }),
        },
        closed,
      ),
      {
        description:
          'Of a site that is an address or a network: names that the reverse DNS has for it, that lead there, and that are at or below no site of the caller. Found where `names.discovery.reverse` is on.',
      },
    ),
  },
  closed,
)

export const SiteParams = Type.Object({
  host: Type.String({
    minLength: 1,
    description: 'A host record of the caller, percent-encoded.',
    examples: ['www.example.com'],
  }),
})

export type Proof = Static<typeof Proof>
export type ProofList = Static<typeof ProofList>
export type SiteProof = Static<typeof SiteProof>
export type SiteReport = Static<typeof SiteReport>
export type SiteAddress = Static<typeof SiteAddress>

const siteReport: SiteReport = {
  host: 'www.example.com',
  isEnabled: true,
  addedAt: '2017-02-01T08:00:00+00:00',
  isWatched: true,
  proof: {
    state: 'verified',
    misses: 0,
    confirmedAt: '2017-03-08T06:12:40+00:00',
    checkedAt: '2017-03-08T06:12:40+00:00',
    expiresAt: '2018-02-02T00:00:00+00:00',
    watchedUntil: null,
    record: {
      name: '_floodgauge-host-challenge.www.example.com',
      type: 'TXT',
      text: 'token=mq4x7kz2vdn3s5yhw6etb2ajcpfr7olg expiry=2018-02-02',
    },
  },
  addresses: [
    {
      address: '192.0.2.10',
      names: ['www.example.com'],
      since: '2017-02-01T08:00:01+00:00',
      confirmedAt: '2017-03-08T10:09:18+00:00',
      traffic: 'seen',
      lastTrafficAt: '2017-03-08T10:09:00+00:00',
      sharedWith: ['example.org'],
      isShared: false,
      domainsOfOthers: null,
      isOwn: true,
    },
    {
      address: '198.51.100.10',
      names: ['www.example.com'],
      since: '2017-02-01T08:00:01+00:00',
      confirmedAt: '2017-03-08T10:09:18+00:00',
      traffic: 'none',
      lastTrafficAt: null,
      sharedWith: [],
      isShared: false,
      domainsOfOthers: null,
      isOwn: true,
    },
  ],
  addressesOmitted: 0,
  suggestedNames: [],
}

export const siteReportEndpoints = {
  getSite: endpoint(
    {
      method: 'GET',
      path: '/api/v1/sites/{host}',
      scope: 'read',
      role: 'viewer',
      tag: 'Sites',
      summary: 'Get a site',
      description:
        'The addresses that a site of the caller stands for, and which of them are seen in flows. 404 if the host is not a site of the caller.',
      mayBeMissing: true,
    },
    { params: SiteParams, response: SiteReport },
    { response: siteReport },
  ),
  verifySite: endpoint(
    {
      method: 'POST',
      path: '/api/v1/sites/{host}/verify',
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Check the proof of a site now',
      description:
        'Asks the resolvers for the DNS record that proves a site of the caller, and answers with the state of the site after that. Ten times a minute at most. 404 if the host is not a site of the caller.',
      mayBeMissing: true,
    },
    { params: SiteParams, response: SiteReport },
    { response: siteReport },
  ),
  listProofs: endpoint(
    {
      method: 'GET',
      path: '/api/v1/proofs',
      scope: 'admin',
      role: 'admin',
      tag: 'Sites',
      summary: 'List proofs',
      description: 'Every proof by DNS record that a user has or needs, with its state. Tokens are not shown.',
    },
    { response: ProofList },
    {
      response: {
        proofs: [
          {
            userEmail: 'ann@example.com',
            kind: 'host',
            subject: 'www.example.com',
            recordName: '_floodgauge-host-challenge.www.example.com',
            state: 'verified',
            misses: 0,
            confirmedAt: '2017-03-08T06:12:40+00:00',
            checkedAt: '2017-03-08T06:12:40+00:00',
            expiresAt: '2018-02-02T00:00:00+00:00',
            watchedUntil: null,
          },
        ],
      },
    },
  ),
}
