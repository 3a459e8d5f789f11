// Examples of what is told of names.
import type { NameFindings, NameRecord, NameSources } from './name-report-schemas.ts'

const record: NameRecord = {
  name: 'www.example.com',
  aliases: ['edge.example.net'],
  address: '192.0.2.10',
  firstAt: '2017-02-01T08:00:00+00:00',
  confirmedAt: '2017-03-08T10:05:00+00:00',
  isCurrent: true,
  source: 'resolver',
  sensor: null,
}

const findings: NameFindings = {
  problems: [{ host: 'old.example.com', reason: 'absent', confirmedAt: '2017-03-07T22:14:09+00:00' }],
  suggestions: [
    {
      name: 'shop.example.org',
      address: '192.0.2.25',
      site: '192.0.2.0/28',
      confirmedAt: '2017-03-08T09:58:31+00:00',
    },
  ],
  proofs: [
    {
      host: 'www.example.com',
      state: 'pending',
      misses: 0,
      confirmedAt: null,
      checkedAt: '2017-03-08T06:12:40+00:00',
      expiresAt: null,
      watchedUntil: null,
      record: {
        name: '_floodgauge-host-challenge.www.example.com',
        type: 'TXT',
        text: 'token=qvsrzxkgbwn6mdbjcwpa5y6ksetqb4xa expiry=2018-03-08',
      },
    },
  ],
  omitted: { problems: 0, suggestions: 0, proofs: 0 },
}

const sources: NameSources = {
  resolvers: [
    {
      ...{ resolver: '192.0.2.53:53', state: 'ok', detail: null },
      ...{ asked: 184_022, unanswered: 31, failed: 2, foreign: 0 },
    },
  ],
  dnstap: {
    ...{ listeners: ['/run/floodgauge/dnstap.sock'], connections: 1, frames: 912_004, answers: 40_113, refused: [] },
    sensors: [{ name: 'ns1', lastAt: '2017-03-08T10:09:18+00:00' }],
  },
  zones: [
    {
      ...{ zone: 'example.com', server: '192.0.2.54:53', serial: 2_017_030_801 },
      ...{ checkedAt: '2017-03-08T10:00:00+00:00', failure: null, names: 212, omitted: 0 },
    },
  ],
  names: { resolved: 418, failing: 1, observed: 96, bindings: 733, lateSeconds: 0 },
}

export const nameReportExamples = {
  getNames: { response: findings },
  lookUpNames: { response: { records: [record], omitted: 0 } },
  getNameSources: { response: sources },
}
