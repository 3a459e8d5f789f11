// An example of each request and answer, for the description of the interface.
import { accountExamples } from './account-examples.ts'
import { overviewExample, reportExample, seriesExample } from './event-examples.ts'
import type { Exporter } from './exporter-schemas.ts'
import { groupExamples } from './group-examples.ts'
import { nameReportExamples } from './name-report-examples.ts'
import { overviewExamples } from './overview-examples.ts'
import type { RouteName } from './routes.ts'
import type { Body, Response } from './schemas.ts'
import { simulationExamples } from './simulation-examples.ts'
import type { SiteReport } from './site-schemas.ts'
import { trafficExamples } from './traffic-examples.ts'

type Example<Name extends RouteName> = { body?: Body<Name>; response: Response<Name> }

const event = {
  _id: '58bfd7ae1f0a4b3c9d2e6f70',
  cts: '2017-03-08T10:09:18+00:00',
  curavg_bps: 1_893_600_000,
  curavg_flows: 42_300,
  curavg_pps: 4_056_000,
  deviate: 38.2,
  ip: '192.0.2.10',
  domain: 'www.example.com',
  site: '*.example.com',
}

const exporter: Exporter = {
  id: '192.0.2.1',
  address: '192.0.2.1',
  state: 'warning',
  protocols: ['netflow9'],
  firstSeen: '2017-02-01T08:00:00+00:00',
  lastSeen: '2017-03-08T10:09:18+00:00',
  streamCount: 1,
  datagramsPerSecond: 41.5,
  flowsPerSecond: 995.9,
  lostShare: 0,
  samplingRates: [1000],
  clockAheadSeconds: -0.41,
  findings: [
    {
      rule: 'active-timeout',
      severity: 'warning',
      text: 'records last up to 1800 s',
      advice: 'Set the active timeout to 60 s or less.',
    },
  ],
}

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

export const examples: { [Name in RouteName]: Example<Name> } = {
  listSites: {
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
  addSites: {
    body: { hosts: ['www.example.com', '*.example.com', '192.0.2.10', '192.0.2.0/24', '198.51.100.0/16'] },
    response: {
      status: 0,
      success: ['www.example.com', '*.example.com', '192.0.2.10', '192.0.2.0/24'],
      error: [{ '198.51.100.0/16': 'The CIDR prefix must be >=24' }],
    },
  },
  deleteSites: {
    body: { hosts: ['192.0.2.10', 'www.example.net'] },
    response: { status: 0, success: ['192.0.2.10'], error: ['www.example.net'] },
  },
  enableSites: {
    body: { hosts: ['www.example.com'] },
    response: { status: 1, success: ['www.example.com'], error: [] },
  },
  disableSites: {
    body: { hosts: ['www.example.org'] },
    response: { status: -1, success: [], error: ['www.example.org'] },
  },
  listEvents: { response: { data: [{ ...event, attack_type: 'udp@attack@amp_flood_target-NTP' }] } },
  getEvent: {
    response: {
      data: {
        ...event,
        dac: [
          {
            domain: 'www.example.com',
            a: { '192.0.2.10': '2017-03-08T10:05:00+00:00' },
            cname: { 'edge.example.net': '2017-03-08T10:05:00+00:00' },
          },
        ],
        dstport: [{ Item: 443, Bytes: 315_600_000, Flows: 7050, Packets: 676_000, Prots: { '17': {} } }],
        srcport: [{ Item: 123, Bytes: 315_600_000, Flows: 7050, Packets: 676_000, Prots: { '17': {} } }],
        srcip: [{ Item: 3_325_256_705, Bytes: 468_000, Flows: 12, Packets: 1000, Prots: { '17': {} } }],
        proto: [{ Item: 17, Bytes: 315_600_000, Flows: 7050, Packets: 676_000, Prots: { '17': {} } }],
        flags: [],
      },
    },
  },
  findEvents: { response: { events: [overviewExample] } },
  getEventReport: { response: reportExample },
  getEventSeries: { response: seriesExample },
  getSite: { response: siteReport },
  verifySite: { response: siteReport },
  listProofs: {
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
  getTarget: {
    response: {
      address: '192.0.2.10',
      settings: {
        enabled: { value: true, source: 'default' },
        packetsPerSecond: { value: 200_000, source: 'prefix 192.0.2.0/28' },
        bytesPerSecond: { value: 125_000_000, source: 'default' },
        flowsPerSecond: { value: 10_000, source: 'default' },
        sensitivity: { value: 2, source: 'site www.example.com' },
        excludePorts: { value: ['udp/src/53'], source: 'all' },
        excludeSources: { value: [], source: 'default' },
      },
      knownSince: '2017-03-01T08:00:00+00:00',
      learnSecondsLeft: 0,
      seasonHours: 168,
      ratesAgeSeconds: 12,
      classes: [
        {
          attackType: null,
          matches: null,
          packetsPerSecond: 67_600,
          bytesPerSecond: 31_560_000,
          flowsPerSecond: 705,
          normal: { packetsPerSecond: 1_770, spread: 210 },
          line: 200_000,
          partialLine: 200_000,
        },
        {
          attackType: 'udp@attack@amp_flood_target-NTP',
          matches: null,
          packetsPerSecond: 65_800,
          bytesPerSecond: 30_794_400,
          flowsPerSecond: 688,
          normal: { packetsPerSecond: 0, spread: 0 },
          line: 50,
          partialLine: 500,
        },
      ],
      incidents: [{ id: '58bfd7aec000020a0000000c', attackType: 'udp@attack@amp_flood_target-NTP' }],
    },
  },
  importNames: {
    body: {
      rrname: 'shop.example.com',
      rrtype: 'A',
      rdata: ['192.0.2.10'],
      time_first: 1_487_000_000,
      time_last: 1_488_967_758,
      count: 17,
    },
    response: {
      lines: 1,
      observations: 1,
      otherTypes: 0,
      otherNames: 0,
      omitted: 0,
      broken: 0,
      errors: [],
    },
  },
  queryPassiveDns: {
    response: {
      rrname: 'shop.example.com',
      rrtype: 'A',
      rdata: '192.0.2.10',
      time_first: 1_487_000_000,
      time_last: 1_488_967_758,
      count: 17,
    },
  },
  listExporters: {
    response: {
      exporters: [exporter],
      reception: {
        socketDrops: 0,
        notExports: 3,
        refused: 12,
        refusedSenders: [{ address: '203.0.113.9', datagrams: 12, lastSeen: '2017-03-08T10:09:00+00:00' }],
      },
    },
  },
  getExporter: {
    response: {
      ...exporter,
      streams: [
        {
          domain: 256,
          port: 52_010,
          protocol: 'netflow9',
          firstSeen: '2017-02-01T08:00:00+00:00',
          lastSeen: '2017-03-08T10:09:18+00:00',
          countedSince: '2017-03-08T09:09:18+00:00',
          datagrams: 149_400,
          bytes: 206_172_000,
          flows: 3_585_240,
          flowsOfIpv6: 0,
          reverseFlows: 0,
          flowsWithoutAddress: 0,
          optionRecords: 120,
          datagramsPerSecond: 41.5,
          flowsPerSecond: 995.9,
          sequence: { unit: 'datagrams', gaps: 0, lost: 0, lostShare: 0 },
          templates: [{ id: 260, options: false, fields: 21, firstSeen: '2017-03-01T08:00:00+00:00' }],
          templateCount: 1,
          waitingSets: [],
          setsWithoutTemplate: 2,
          setsDecodedLate: 2,
          setsGivenUp: 0,
          sampling: {
            from: 'sampler',
            rates: [{ rate: 1000, share: 1 }],
            told: [{ scope: 'sampler', id: 1, rate: 1000 }],
            doubts: [],
          },
          clockAheadSeconds: -0.41,
          activeTimeoutSeconds: 1800,
          inactiveTimeoutSeconds: 15,
          longestRecordSeconds: 1801.3,
          lagSeconds: 2.1,
          errors: { badSets: 0, truncated: 0, templatesRefused: 0, timesReplaced: 0, samplesSkipped: 0 },
          unknownElements: [{ enterprise: 9, id: 12_235 }],
          findings: exporter.findings,
        },
      ],
    },
  },
  ...overviewExamples,
  ...trafficExamples,
  ...nameReportExamples,
  noteEvent: {
    body: { acknowledged: true, classification: 'attack', text: reportExample.note.text },
    response: reportExample.note,
  },
  getRelatedEvents: { response: { events: [{ event: overviewExample, because: ['site', 'address'] }] } },
  getEventTable: { response: 'section,name,value,flows,packets,bytes,protocols\r\nevent,address,192.0.2.10,,,,\r\n' },
  ...groupExamples,
  ...simulationExamples,
  ...accountExamples,
}

/** An example of each query and path parameter. */
export const parameterExamples: Readonly<Record<string, string | number>> = {
  last: 7,
  start: '2017-03-08T00:00:00+00:00',
  end: '2017-03-09',
  limit: 100,
  cursor: '015aad64f0b058bfd7ae1f0a4b3c9d2e6f70',
  id: event._id,
  host: 'www.example.com',
  question: 'www.example.com',
  address: event.ip,
  state: 'open',
  user: 'all',
  q: 'example',
  at: '2017-03-08T10:09:18+00:00',
}
