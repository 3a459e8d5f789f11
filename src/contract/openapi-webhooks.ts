// The `webhooks` of the description in OpenAPI 3.1: what receivers have to take, and how they answer.
import { webhookBodyShape, webhookExample, webhookTypes } from './alerts/webhooks.ts'
import { type Json, plain } from './plain.ts'

const header = (name: string, description: string, example: string, pattern: string): Json => ({
  ...{ name, in: 'header', required: true, description },
  ...{ schema: { type: 'string', pattern }, example },
})

const headers = [
  header('webhook-id', 'The same in every attempt.', 'msg_58bfd7ae1f0a4b3c9d2e6f70_1', '^msg_[A-Za-z0-9_]+$'),
  header('webhook-timestamp', 'When the attempt was made, Unix seconds.', '1488967758', '^[0-9]+$'),
  header(
    'webhook-signature',
    'HMAC-SHA256 of `id.timestamp.body` by each secret of the channel (Standard Webhooks 1.0.0).',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
  ),
]

const responses = {
  '2XX': { description: 'The receiver has it.' },
  '400': { description: 'So is 401, 403, 404 and 413: it is refused, and tried three times in all.' },
  '410': { description: 'Nothing more is wanted: the channel is disabled.' },
  '429': { description: 'It is tried again, after `Retry-After` where that is given.' },
  default: { description: 'Anything else: it is tried again, for 28 hours.' },
}

export function webhooksOf(): Json {
  return Object.fromEntries(
    Object.entries(webhookTypes).map(([type, row]) => {
      const example = { value: webhookExample(type, row) }
      const content = { 'application/json': { schema: plain(webhookBodyShape(type, row)), examples: { example } } }
      const operation = {
        operationId: type,
        tags: ['Alerts'],
        summary: row.when.replace(/\.$/, ''),
        description: `${row.when} It is sent to channels of kind \`webhook\`.`,
        security: [],
        parameters: headers,
        requestBody: { required: true, content },
        responses,
      }
      return [type, { post: operation }]
    }),
  )
}
