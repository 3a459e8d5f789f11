// What can be wrong with an exporter.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { closed } from '../shapes.ts'

export const ExporterFinding = Type.Object(
  {
    rule: Type.String({ description: 'What kind of finding it is: an open vocabulary.' }),
    severity: Type.Enum(['error', 'warning', 'note'], {
      description:
        'error: flows are lost or counted wrong; warning: attacks are seen late or not as they are; note: good to know.',
    }),
    text: Type.String({ description: 'What is so, for people.' }),
    advice: Type.String({ description: 'What can be done about it, for people.' }),
  },
  closed,
)

export const FindingRules = Type.Object(
  {
    rules: Type.Array(
      Type.Object(
        {
          rule: Type.String({ description: 'As in `findings` of an exporter.' }),
          severity: ExporterFinding.properties.severity,
          about: Type.String({ description: 'When an exporter has the finding.' }),
          advice: Type.String({ description: 'What to do about it.' }),
        },
        closed,
      ),
    ),
  },
  closed,
)

export type ExporterFinding = Static<typeof ExporterFinding>

export const findingEndpoints = {
  listFindingRules: endpoint(
    {
      method: 'GET',
      path: '/api/v1/findings',
      scope: 'any',
      role: 'viewer',
      tag: 'Exporters',
      summary: 'List findings about exporters',
      description: 'Every finding that an exporter can have, with when it has it and what to do about it.',
    },
    { response: FindingRules },
    {
      response: {
        rules: [
          {
            rule: 'active-timeout',
            severity: 'warning',
            about: 'Records cover more than 90 seconds',
            advice: 'Set the active timeout to 60 s or less.',
          },
        ],
      },
    },
  ),
}
