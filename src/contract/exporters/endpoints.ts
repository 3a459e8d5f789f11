// The endpoints of exporters: how the sources of flows do, and who may be one.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { closed } from '../shapes.ts'
import { AllowedChange, AllowedExporters, ExporterNotice } from './admission.ts'
import { Exporter, ExporterDetail, ExporterSampling, ExporterStream, ExporterTemplate, Reception } from './exporter.ts'
import { ExporterFinding, findingEndpoints } from './findings.ts'

export const ExporterList = Type.Object(
  {
    exporters: Type.Array(Exporter, { description: 'In the order in which they first sent anything.' }),
    notices: Type.Array(ExporterNotice, {
      description: 'What happened to exporters, the latest first: at most 64 of each kind, one of each address.',
    }),
    allowed: AllowedExporters,
    reception: Reception,
  },
  closed,
)

export const ExporterParams = Type.Object({
  id: Type.String({ minLength: 1, description: '`id` of an exporter.', examples: ['192.0.2.1'] }),
})

export type ExporterList = Static<typeof ExporterList>

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

const allowed: AllowedExporters = {
  source: 'here',
  entries: ['192.0.2.1', '198.51.100.0/28'],
  previous: ['192.0.2.1'],
  changedAt: '2017-03-01T08:00:00+00:00',
  changedBy: 'you@example.net',
  senders: ['192.0.2.1', '198.51.100.3'],
}

export const exporterEndpoints = {
  listExporters: endpoint(
    {
      method: 'GET',
      path: '/api/v1/exporters',
      scope: 'admin',
      role: 'admin',
      tag: 'Exporters',
      summary: 'List exporters',
      description:
        'Every exporter that sent something in the last 30 days, with its state and findings, and the datagrams of no exporter. Exporters belong to the installation, not to a user: every caller with the scope sees all of them.',
      links: {
        detail: {
          endpoint: 'getExporter',
          id: '$response.body#/exporters/0/id',
          description: 'The detail of the first exporter.',
        },
      },
    },
    { response: ExporterList },
    {
      response: {
        exporters: [exporter],
        notices: [
          {
            kind: 'restart',
            address: '192.0.2.1',
            first: '2017-03-07T22:00:00+00:00',
            last: '2017-03-07T22:00:00+00:00',
            count: 1,
            text: 'the uptime of domain 256 fell, or its sequence numbers began again',
          },
        ],
        allowed,
        reception: {
          socketDrops: 0,
          notExports: 3,
          refused: 12,
          refusedSenders: [
            { address: '203.0.113.9', datagrams: 12, lastSeen: '2017-03-08T10:09:00+00:00', workedBefore: false },
          ],
        },
      },
    },
  ),
  ...findingEndpoints,
  setAllowedExporters: endpoint(
    {
      method: 'PUT',
      path: '/api/v1/allowed-exporters',
      scope: 'admin',
      role: 'admin',
      tag: 'Exporters',
      summary: 'Set who may send flows',
      description:
        'Sets the list of addresses and prefixes that may send flows, for good and at once; datagrams of others are dropped and counted. Where `ingest.exporters` of the configuration is set, that list is in force, and this one cannot be changed: 409.',
      mayConflict: true,
    },
    { body: AllowedChange, response: AllowedExporters },
    { body: { entries: ['192.0.2.1', '198.51.100.0/28'] }, response: allowed },
  ),
  getExporter: endpoint(
    {
      method: 'GET',
      path: '/api/v1/exporters/{id}',
      scope: 'admin',
      role: 'admin',
      tag: 'Exporters',
      summary: 'Get an exporter',
      description:
        'One exporter with each of its streams: templates, sampling, sequence, clock, timeouts, errors, findings.',
      mayBeMissing: true,
    },
    { params: ExporterParams, response: ExporterDetail },
    {
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
              jumps: [],
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
  ),
}

export const exporterShapes = {
  AllowedExporters,
  Exporter,
  ExporterDetail,
  ExporterFinding,
  ExporterNotice,
  ExporterSampling,
  ExporterStream,
  ExporterTemplate,
  Reception,
}
