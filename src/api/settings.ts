// Settings of the HTTP interface. Limits that the interface itself states (hosts in a request, octets of a body) are in the contract.
import { type Static, Type } from 'typebox'
import { vendorDefault } from '../contract/header-names.ts'
import { seconds } from '../settings.ts'

export const httpSettings = Type.Object(
  {
    listen: Type.String({
      default: '127.0.0.1:8080',
      pattern: '^(\\[[0-9a-fA-F:.]+\\]|[^:\\s\\[\\]]+):[0-9]{1,5}$',
      expects: 'HOST:PORT',
      description: 'Where the interface answers, as HOST:PORT (an IPv6 address in brackets). Port 0: any free one.',
    }),
    publicUrl: Type.String({
      default: '',
      pattern: '^(https?://[^\\s/?#]+(/[^\\s?#]*)?)?$',
      expects: 'an http(s) address without query, or nothing',
      description:
        'The address under which clients reach the interface, when a reverse proxy changes it: https://ddos.example.net. Empty: links are relative to the host.',
    }),
    vendor: Type.String({
      default: vendorDefault,
      pattern: '^[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?$',
      expects: 'a word of letters, digits and hyphens',
      description: 'The word in the names of the authentication headers, X-<word>-AuthToken and X-<word>-AuthEmail.',
    }),
    ratePerMinute: Type.Integer({
      default: 600,
      minimum: 0,
      maximum: 1_000_000,
      description: 'Requests per minute that a token may make. 0: any number.',
    }),
    busySecondsPerMinute: Type.Integer({
      default: 6,
      minimum: 0,
      maximum: 60,
      description:
        'Seconds per minute for which the requests of a user may keep the thread busy that answers everybody; refilled evenly. 0: any time.',
    }),
    failuresPerMinute: Type.Integer({
      default: 6_000,
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Failed authentications per minute that a remote address may make. After that, only tokens that lately were good are looked at from it until the minute is over. 0: any number.',
    }),
    trustedProxies: Type.Array(Type.String({ minLength: 2, maxLength: 60 }), {
      default: [],
      description:
        'Addresses and ranges (CIDR) of reverse proxies, whose X-Forwarded-For header is believed. Without them all clients behind a proxy count as one address.',
    }),
    metrics: Type.Enum(['loopback', 'anyone', 'off'], {
      default: 'loopback',
      description:
        'Who may read /metrics: callers on this machine (not those that a reverse proxy here passes on), anyone, or no one.',
    }),
    headerTimeoutSeconds: seconds('How long a client may take to send the head of a request.', 10, 1, 600),
    requestTimeoutSeconds: seconds('How long a client may take to send a request.', 30, 1, 3600),
    idleTimeoutSeconds: seconds('How long a client may take nothing of an answer that is being sent.', 60, 1, 3600),
    keepAliveSeconds: seconds('How long a connection stays open between two requests.', 72, 1, 3600),
    connectionsMax: Type.Integer({
      default: 2_000,
      minimum: 1,
      maximum: 100_000,
      description: 'Connections at a time; more are closed at once.',
    }),
    sessionIdleHours: Type.Integer({
      default: 24,
      minimum: 1,
      maximum: 8_760,
      description: 'After how long without use a person who has signed in must do so again. Hours.',
    }),
    sessionDays: Type.Integer({
      default: 14,
      minimum: 1,
      maximum: 365,
      description: 'After how long a person who has signed in must do so again in any case. Days.',
    }),
    setupMinutes: Type.Integer({
      default: 60,
      minimum: 1,
      maximum: 10_080,
      description: 'How long after the start the one-time link that makes the first admin is valid. Minutes.',
    }),
  },
  { additionalProperties: false, description: 'The HTTP interface.' },
)

export type HttpSettings = Static<typeof httpSettings>
