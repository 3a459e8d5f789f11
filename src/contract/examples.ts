// An example of each request and answer, for the description of the interface.
import type { RouteName } from './routes.ts'
import type { Body, Response } from './schemas.ts'

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
}

/** An example of each query and path parameter. */
export const parameterExamples: Readonly<Record<string, string | number>> = {
  last: 7,
  start: '2017-03-08T00:00:00+00:00',
  end: '2017-03-09',
  limit: 100,
  cursor: '015aad64f0b058bfd7ae1f0a4b3c9d2e6f70',
  id: event._id,
}
