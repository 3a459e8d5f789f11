// Settings of how people sign in.
import { type Static, Type } from 'typebox'
import { roles } from '../../access/roles.ts'
import { AppError } from '../../errors.ts'
import { isLoopbackHost } from './loopback.ts'

const claim = (value: string, description: string) =>
  Type.String({ default: value, minLength: 1, maxLength: 200, description })

export const oidcSettings = Type.Object(
  {
    issuer: Type.String({
      default: '',
      pattern: '^(https?://[^\\s?#]+)?$',
      expects: 'an http(s) address without query, or nothing',
      description:
        'The address of the provider, as it names itself: https://login.example.net/realms/ops. http on this machine alone. Empty: there is no single sign-on.',
    }),
    clientId: Type.String({ default: '', maxLength: 500, description: 'How the provider knows this installation.' }),
    clientSecret: Type.String({
      default: '',
      secret: true,
      description: 'Which the provider gave for it. Empty: it gave none (a public client).',
    }),
    label: Type.String({
      default: 'Single sign-on',
      minLength: 1,
      maxLength: 60,
      description: 'What the button says that leads to the provider.',
    }),
    scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', maxLength: 200 }), {
      default: ['openid', 'email', 'profile'],
      description: 'What the provider is asked for. Some need one more for groups.',
    }),
    emailClaim: claim('email', 'The claim that has the e-mail. A dot leads into an object.'),
    verifiedClaim: claim(
      'email_verified',
      'The claim that says that the e-mail is that of the user; whoever lacks it does not come in.',
    ),
    groupsClaim: claim('groups', 'The claim that has the groups. A dot leads into an object.'),
    groups: Type.Record(Type.String({ minLength: 1, maxLength: 500 }), Type.Enum([...roles]), {
      default: {},
      description:
        'The role of each group, which users take on with every sign-in; of several the one that may do most. Who is in none of them does not come in. Empty: roles are given here, and groups do not matter.',
    }),
    domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
      default: [],
      description: 'Domains that an e-mail must be of. Empty: any.',
    }),
    createUsers: Type.Boolean({
      default: false,
      description: 'Whether who is not known yet becomes a user, as a member where groups do not say otherwise.',
    }),
    linkByEmail: Type.Boolean({
      default: false,
      description:
        'Whether who signs in for the first time becomes the user who has that e-mail already. Turn it on only for a provider that gives each e-mail to one person for good.',
    }),
    sessionHours: Type.Integer({
      default: 12,
      minimum: 1,
      maximum: 8_760,
      description:
        'After how long who has signed in by the provider must do so again; the longest that a change of groups takes to count. Hours.',
    }),
    hosts: Type.Array(Type.String({ pattern: '^https://[^\\s/?#]+$', expects: 'https://HOST', maxLength: 300 }), {
      default: [],
      description:
        'Other hosts of the provider that the service may ask, as https://HOST, for those whose addresses for tokens, keys and users do not lie below the issuer.',
    }),
    timeoutSeconds: Type.Integer({
      default: 5,
      minimum: 1,
      maximum: 60,
      description: 'How long the provider may take for an answer. Seconds.',
    }),
  },
  { additionalProperties: false, description: 'Single sign-on by OpenID Connect.' },
)

export const signOnSettings = Type.Object(
  {
    passwords: Type.Boolean({
      default: true,
      description:
        'Whether people sign in with passwords. Without them the provider and the one-time links of `floodgauge user link` are left.',
    }),
    requireSecondFactor: Type.Enum(['none', 'admins', 'all'], {
      default: 'none',
      description:
        'Who has to give a code after the password. Whoever has no second factor yet can do nothing in the console but set it up. Tokens and who signs in by a provider are not affected.',
    }),
    oidc: oidcSettings,
  },
  { additionalProperties: false, description: 'How people sign in.' },
)

export type OidcSettings = Static<typeof oidcSettings>
export type SignOnSettings = Static<typeof signOnSettings>

/** Throws AppError BAD_CONFIG for what fits the schema and cannot work. */
export function requireSoundSignOn({ passwords, oidc }: SignOnSettings, publicUrl: string): void {
  const refuse = (text: string) => {
    throw new AppError('BAD_CONFIG', text)
  }
  if (oidc.issuer === '') {
    if (!passwords) refuse('signOn.passwords: nobody could sign in without passwords and signOn.oidc.issuer')
    return
  }
  if (!isSafe(oidc.issuer)) refuse('signOn.oidc.issuer: must be an https address (or http on this machine)')
  if (oidc.clientId === '') refuse('signOn.oidc.clientId: is needed with signOn.oidc.issuer')
  if (publicUrl === '') refuse('http.publicUrl: is needed with signOn.oidc.issuer, which sends browsers back to it')
  if (!isSafe(publicUrl)) refuse('http.publicUrl: must be an https address (or http on this machine) with signOn.oidc')
  if (!oidc.scopes.includes('openid')) refuse('signOn.oidc.scopes: must have openid')
}

function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLoopbackHost(hostname)
}
