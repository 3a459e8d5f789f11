// The shapes of exporters of flow records, each with its streams, and of what the service receives beside.
import { type Static, Type } from 'typebox'
import { Amount, Count, closed, Moment } from '../shapes.ts'
import { ExporterFinding } from './findings.ts'

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description: `${description} 0 to 1.` })
/** A number, or null when it is not known. */
const MaybeNumber = (description: string, otherwise: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description: `${description} Null: ${otherwise}.` })

const Protocol = Type.Enum(['netflow5', 'netflow9', 'ipfix', 'sflow5'], { description: 'Protocol of the export.' })

const clockAheadSeconds = Type.Union([Type.Number(), Type.Null()], {
  description:
    "How far the exporter's clock is ahead of this machine's, in seconds; negative: behind. Null: the protocol tells no time.",
})

const overview = {
  id: Type.String({ description: 'Leads to the detail: the address.' }),
  address: Type.String({ description: 'Where its datagrams come from, IPv4 or IPv6.' }),
  state: Type.Enum(['ok', 'warning', 'error'], {
    description: 'The severity of its worst finding; ok: notes at most.',
  }),
  protocols: Type.Array(Protocol),
  firstSeen: Moment('When it first sent anything.'),
  lastSeen: Moment('When its last datagram came.'),
  streamCount: Count('Observation domains of its sockets: the streams of the detail.'),
  datagramsPerSecond: Amount('Datagrams per second, over the last minute or two.'),
  flowsPerSecond: Amount('Flow records per second, over the last minute or two.'),
  lostShare: Share('Which part of what it sent lately is lost, by the sequence numbers of its worst stream.'),
  samplingRates: Type.Array(Type.Number({ minimum: 1 }), {
    description: 'The sampling rates of its records: 1 of how many packets. Empty: none is known.',
  }),
  clockAheadSeconds,
  findings: Type.Array(ExporterFinding, { description: 'The worst first; each kind once.' }),
}

export const Exporter = Type.Object(overview, closed)

export const ExporterTemplate = Type.Object(
  {
    id: Type.Integer({ minimum: 256, maximum: 65_535, description: 'Its number.' }),
    options: Type.Boolean({ description: 'Whether it describes the exporter, not flows.' }),
    fields: Count('How many fields its records have.'),
    firstSeen: Moment('When this very definition first came.'),
  },
  closed,
)

export const ExporterSampling = Type.Object(
  {
    from: Type.Enum(['none', 'header', 'record', 'sampler', 'interface', 'template', 'options', 'sample', 'override'], {
      description:
        "Where the rate of the last records came from: the datagram's header, the record itself, options data (of the record's sampler, interface or template, or of the exporter), the sFlow sample, the setting `ingest.sampling` (override), or nowhere.",
    }),
    rates: Type.Array(
      Type.Object(
        {
          rate: MaybeNumber('1 of how many packets.', 'not known, counted as 1'),
          share: Share('Which part of the records has it.'),
        },
        closed,
      ),
      { description: 'The sampling rates of its records, the most frequent first.' },
    ),
    told: Type.Array(
      Type.Object(
        {
          scope: Type.Enum(['exporter', 'sampler', 'interface', 'template'], {
            description: 'For what the rate was told.',
          }),
          id: Count('The number of the sampler, interface or template.'),
          rate: MaybeNumber('1 of how many packets.', 'it exists, and its rate was not told'),
        },
        closed,
      ),
      { description: 'What options data said; at most 64 are shown.' },
    ),
    doubts: Type.Array(
      Type.Enum(['byteOrder', 'maybeByteOrder', 'tooLarge', 'aboveLinks'], {
        description:
          'byteOrder: sent in the wrong byte order, and corrected; maybeByteOrder: perhaps so, and believed; tooLarge: not believed; aboveLinks: more traffic would follow than the interfaces can carry.',
      }),
      { description: 'Why what was told is hard to believe.' },
    ),
    jumps: Type.Array(
      Type.Object(
        {
          scope: Type.Enum(['exporter', 'sampler', 'interface', 'template', 'sequence'], {
            description: 'Of what the rate was told; sequence: the selector of a sequence (PSAMP).',
          }),
          id: Count('Its number.'),
          from: MaybeNumber('The rate in use.', 'it was not known'),
          to: MaybeNumber('The rate that was told.', 'none'),
          outcome: Type.Enum(['waits', 'confirmed', 'contradicted'], {
            description:
              'waits: to be told again, and does not count; confirmed: it was, and counts; contradicted: the rate in use was told again, and counts.',
          }),
          toldAt: Moment('When it was told first.'),
          decidedAt: Moment('When that became of it.'),
        },
        closed,
      ),
      { description: 'The last changes of a rate by more than 10 times, the latest first; at most 4 are known.' },
    ),
  },
  { ...closed, description: 'How many packets are looked at, and who says so.' },
)

export const ExporterStream = Type.Object(
  {
    domain: Count('Observation domain (IPFIX), source id (NetFlow v9), engine (NetFlow v5) or sub-agent (sFlow).'),
    port: Type.Integer({ minimum: 0, maximum: 65_535, description: 'The UDP port that it sends from.' }),
    protocol: Protocol,
    firstSeen: Moment('When it first sent anything.'),
    lastSeen: Moment('When its last datagram came.'),
    countedSince: Moment('What is counted here is counted since then.'),
    datagrams: Count('Datagrams received.'),
    bytes: Count('Octets of these datagrams.'),
    flows: Count('Flow records decoded.'),
    flowsOfIpv6: Count('Of these, those of IPv6, which no site can have yet.'),
    reverseFlows: Count('Flow records of two directions (RFC 5103) whose way back was counted as well.'),
    flowsWithoutAddress: Count('Flow records without a destination address, which no site can have.'),
    optionRecords: Count('Records of options data.'),
    datagramsPerSecond: MaybeNumber('Datagrams per second, over the last minute or two.', 'not known yet'),
    flowsPerSecond: MaybeNumber('Flow records per second, over the last minute or two.', 'not known yet'),
    sequence: Type.Object(
      {
        unit: Type.Enum(['datagrams', 'records'], { description: 'What the sequence numbers of the protocol count.' }),
        gaps: Count('Breaks in the sequence numbers.'),
        lost: Count('How many datagrams or records they stand for.'),
        lostShare: Share('Which part of what was sent in the last quarter of an hour or two that is.'),
      },
      closed,
    ),
    templates: Type.Array(ExporterTemplate, { description: 'Templates in force, by number; at most 64 are shown.' }),
    templateCount: Count('How many templates are in force.'),
    waitingSets: Type.Array(
      Type.Object({ template: Count('The template that they wait for.'), sets: Count('How many.') }, closed),
      { description: 'Sets of data that wait for their template; at most 32 templates are shown.' },
    ),
    setsWithoutTemplate: Count('Sets of data that came before their template.'),
    setsDecodedLate: Count('Of these, those that were decoded when it came.'),
    setsGivenUp: Count('Of these, those that waited in vain.'),
    sampling: ExporterSampling,
    clockAheadSeconds,
    activeTimeoutSeconds: MaybeNumber(
      'How often a flow that goes on is reported, as its records show, in seconds.',
      'no flow was long enough to tell',
    ),
    inactiveTimeoutSeconds: MaybeNumber(
      'How long after its last packet a flow is reported, as its records show, in seconds.',
      'not known',
    ),
    longestRecordSeconds: MaybeNumber('Hardly any record covers a longer time, in seconds.', 'not known'),
    lagSeconds: MaybeNumber('Half of the records are exported so soon after their end, in seconds.', 'not known'),
    errors: Type.Object(
      {
        badSets: Count('Sets with a length or number that can not be.'),
        truncated: Count('Datagrams, sets or samples that end too early.'),
        templatesRefused: Count('Templates that were malformed or too long.'),
        timesReplaced: Count('Records whose times could not be, and were moved to the time of receipt.'),
        samplesSkipped: Count('sFlow samples without an IP packet, and those of other kinds.'),
      },
      { ...closed, description: 'What could not be decoded, or not be believed.' },
    ),
    unknownElements: Type.Array(
      Type.Object({ enterprise: Count("Enterprise number; 0: one of IANA's own."), id: Count('Its number.') }, closed),
      { description: 'Information elements of its templates that are not known, and skipped; at most 64 are shown.' },
    ),
    findings: Type.Array(ExporterFinding, { description: 'The worst first.' }),
  },
  closed,
)

export const ExporterDetail = Type.Object(
  {
    ...overview,
    streams: Type.Array(ExporterStream, {
      description: 'By domain, then by port; at most 256 are shown, those with most flows.',
    }),
  },
  closed,
)

export const Reception = Type.Object(
  {
    socketDrops: Count('Datagrams that the kernel dropped because a receive buffer was full.'),
    notExports: Count('Datagrams of no protocol or version that is understood, or too short.'),
    refused: Count('Datagrams of senders that are not in the list of allowed exporters.'),
    refusedSenders: Type.Array(
      Type.Object(
        {
          address: Type.String({ description: 'The sender.' }),
          datagrams: Count('How many datagrams were refused, or a few more.'),
          lastSeen: Moment('When the last one came.'),
          workedBefore: Type.Boolean({
            description: 'It had brought flows for minutes before the list left it out: a router that was forgotten?',
          }),
        },
        closed,
      ),
      { description: 'Those that had worked before, then those that send most; at most 64 are known.' },
    ),
  },
  { ...closed, description: 'What concerns no exporter, or all of them, since the service started.' },
)

export type Exporter = Static<typeof Exporter>
export type ExporterStream = Static<typeof ExporterStream>
export type ExporterDetail = Static<typeof ExporterDetail>
export type Reception = Static<typeof Reception>
