// The shapes of simulated attacks.
import { type Static, Type } from 'typebox'
import { simulationRates, simulationSeconds } from './limits.ts'
import type { EndpointSchemas } from './schemas.ts'
import type { simulationRoutes } from './simulation-routes.ts'
import { simulationVectorNames } from './simulation-vectors.ts'
import { SiteParams } from './site-schemas.ts'

const closed = { additionalProperties: false } as const

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
  },
  { description: 'Without a vector: `ntp`. Other members are ignored.' },
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
  },
  closed,
)

const SimulationAnswer = Type.Object(
  { simulation: Type.Union([Simulation, Type.Null()], { description: 'Null: none is known.' }) },
  closed,
)

export const simulationSchemas = {
  startSimulation: { params: SiteParams, body: WantedSimulation, response: SimulationAnswer },
  getSimulation: { params: SiteParams, response: SimulationAnswer },
  stopSimulation: { params: SiteParams, response: SimulationAnswer },
} as const satisfies Record<keyof typeof simulationRoutes, EndpointSchemas>

export type WantedSimulation = Static<typeof WantedSimulation>
export type Simulation = Static<typeof Simulation>
