// Simulated attacks on a site.
import { type Static, Type } from 'typebox'
import { channelExample } from '../alerts/channels.ts'
import { HeldBy } from '../alerts/deliveries.ts'
import { simulationRates, simulationSeconds } from '../limits.ts'
import { endpoint } from '../route.ts'
import { closed, Maybe, Moment } from '../shapes.ts'
import { simulationVectorNames } from '../simulation-vectors.ts'
import { SiteParams } from './report.ts'

const path = '/api/v1/sites/{host}/simulation'

const Vector = Type.Enum([...simulationVectorNames], {
  description: 'The kind of attack: amplification by NTP or DNS servers, a flood of SYN, UDP or ICMP packets.',
})

export const WantedSimulation = Type.Object(
  {
    vector: Type.Optional(Vector),
    seconds: Type.Optional(
      Type.Integer({
        minimum: simulationSeconds.min,
        maximum: simulationSeconds.max,
        description: `How long it is sent. Without it ${simulationSeconds.default}.`,
      }),
    ),
    packetsPerSecond: Type.Optional(
      Type.Integer({
        minimum: simulationRates.min,
        maximum: simulationRates.max,
        description: 'How much of it. Without it as much as is seen for certain.',
      }),
    ),
    address: Type.Optional(
      Type.String({ format: 'ipv4', description: 'An address of the site. Without it the first.' }),
    ),
    alerts: Type.Optional(
      Type.Boolean({
        description:
          'It is told to the channels of the caller as a real attack is, by the same rules, marked as a test; to pagers only where a rule says so. Without it nobody is told.',
      }),
    ),
  },
  { description: 'Without a vector: `ntp`. Other members are ignored.' },
)

const ToldChannel = Type.Object(
  {
    channelId: Type.String(),
    channel: Type.String({ description: 'Its name.' }),
    kind: Type.String(),
    state: Type.Enum(['waiting', 'held', 'done', 'failing', 'dead', 'disabled', 'pager', 'dropped'], {
      description:
        'waiting: it is about to be told. held: something holds it back on purpose. done: it was told. failing: an attempt failed, or messages to it fail; it is tried again. dead: it was given up. disabled: the channel is. pager: no rule that fits sends tests to pagers. dropped: what held it back lasted longer than the attack.',
    }),
    afterSeconds: Maybe(
      Type.Number({ minimum: 0, description: 'So long after the beginning.' }),
      'When it was told. Null: it was not.',
    ),
    heldBy: Maybe(HeldBy, 'What holds it back. Null: nothing.'),
    until: Maybe(Moment('Until then.'), 'Null: nothing holds it back.'),
    text: Maybe(Type.String(), 'What came of the latest attempt that failed. Null: none did.'),
  },
  closed,
)

export const Simulation = Type.Object(
  {
    state: Type.Enum(['running', 'over'], {
      description: '`running`: it is sent, or what was sent is still looked at.',
    }),
    vector: Vector,
    attackType: Type.String({ description: 'What its event is to say.' }),
    address: Type.String({ format: 'ipv4', description: 'The victim.' }),
    packetsPerSecond: Type.Number({ minimum: 0 }),
    startedAt: Type.String({ format: 'date-time', description: 'When it was begun.' }),
    endsAt: Type.String({ format: 'date-time', description: 'Until when it is sent.' }),
    event: Type.Union(
      [
        Type.Object(
          {
            id: Type.String({ description: 'Of the event.' }),
            afterSeconds: Type.Number({ minimum: 0, description: 'So long after the beginning it was listable.' }),
          },
          closed,
        ),
        Type.Null(),
      ],
      { description: 'What came of it. Null: nothing yet; when it is over: it was not found.' },
    ),
    alerts: Maybe(
      Type.Array(ToldChannel),
      'The channels of the rules that fit, and what became of telling each; none as long as there is no event. Null: nobody was to be told.',
    ),
  },
  closed,
)

const SimulationAnswer = Type.Object(
  { simulation: Type.Union([Simulation, Type.Null()], { description: 'Null: none is known.' }) },
  closed,
)

export type WantedSimulation = Static<typeof WantedSimulation>
export type Simulation = Static<typeof Simulation>
export type ToldChannel = Static<typeof ToldChannel>

const simulation: Simulation = {
  state: 'running',
  vector: 'ntp',
  attackType: 'udp@attack@amp_flood_target-NTP',
  address: '192.0.2.10',
  packetsPerSecond: 100_000,
  startedAt: '2017-03-08T10:09:14+00:00',
  endsAt: '2017-03-08T10:09:44+00:00',
  event: { id: '58bfd7ae1f0a4b3c9d2e6f70', afterSeconds: 3.4 },
  alerts: [
    {
      ...{ channelId: channelExample.id, channel: channelExample.name, kind: channelExample.kind },
      ...{ state: 'done', afterSeconds: 3.9, heldBy: null, until: null, text: null },
    },
  ],
}

export const simulationEndpoints = {
  startSimulation: endpoint(
    {
      method: 'POST',
      path,
      scope: 'write',
      role: 'member',
      createsOnce: true,
      tag: 'Sites',
      summary: 'Simulate an attack on a site',
      description:
        'Sends synthetic flow records of an attack on an address of the site to the service itself, so that everything from their receipt to the event can be checked. The event is marked as a test, counts nowhere, and is not shown under `/open`. 409 if the site is disabled, is not watched, has no address, or has a simulated attack already; 429 if there are too many at a time.',
      mayBeMissing: true,
      mayConflict: true,
    },
    { params: SiteParams, body: WantedSimulation, response: SimulationAnswer },
    {
      body: { vector: 'ntp' as const, alerts: true },
      response: { simulation: { ...simulation, event: null, alerts: [] } },
    },
  ),
  getSimulation: endpoint(
    {
      method: 'GET',
      path,
      scope: 'read',
      role: 'viewer',
      tag: 'Sites',
      summary: 'Get the simulated attack on a site',
      description:
        'The last simulated attack on the site, with its event. Null if there was none since the start of the service.',
      mayBeMissing: true,
    },
    { params: SiteParams, response: SimulationAnswer },
    { response: { simulation } },
  ),
  stopSimulation: endpoint(
    {
      method: 'POST',
      path: `${path}/stop`,
      scope: 'write',
      role: 'member',
      tag: 'Sites',
      summary: 'Stop the simulated attack on a site',
      description: 'Stops sending. The attack and its event end a few seconds later.',
      mayBeMissing: true,
    },
    { params: SiteParams, response: SimulationAnswer },
    { response: { simulation: { ...simulation, state: 'over' as const } } },
  ),
}
