// The second factor: codes by time, which are asked for after the password.
import { type Static, Type } from 'typebox'
import { endpoint } from '../route.ts'
import { closed, Deleted, IdParams, Maybe, Moment } from '../shapes.ts'
import { GivenPassword, passwordExample } from './user.ts'

export const GivenCode = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits of the authenticator, or a recovery code.',
})

export const SecondFactor = Type.Object(
  {
    isOn: Type.Boolean({ description: 'Whether a code is asked for after the password.' }),
    isRequired: Type.Boolean({ description: 'Whether the installation asks the caller for one.' }),
    since: Maybe(Moment('When it was turned on.'), 'Null: it is off.'),
    recoveryCodesLeft: Type.Integer({ minimum: 0, description: 'How many recovery codes have not been used.' }),
  },
  closed,
)

export const SecondFactorSecret = Type.Object(
  {
    secret: Type.String({ description: 'In Base32, as it is typed into an authenticator.' }),
    uri: Type.String({ description: 'What a QR code tells an authenticator: `otpauth://totp/...`.' }),
  },
  closed,
)

export const RecoveryCodes = Type.Object(
  { recoveryCodes: Type.Array(Type.String(), { description: 'Good once each, in place of a code; shown this once.' }) },
  closed,
)

export const PasswordProof = Type.Object({ password: GivenPassword }, { description: 'Other members are ignored.' })
export const CodeProof = Type.Object({ code: GivenCode }, { description: 'Other members are ignored.' })

export type SecondFactor = Static<typeof SecondFactor>

const forPeople = 'For people who have signed in: 403 for tokens.'
const codesExample = { recoveryCodes: ['k3vq-7tza-m2lx-5hfd', 'w6ru-b4cn-ye2s-jp7g'] }

export const secondFactorEndpoints = {
  getSecondFactor: endpoint(
    {
      method: 'GET',
      path: '/api/v1/second-factor',
      scope: 'any',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'Get the second factor',
      description: 'Whether the caller has a second factor, and must have one.',
    },
    { response: SecondFactor },
    { response: { isOn: true, isRequired: false, since: '2017-03-01T08:00:00+00:00', recoveryCodesLeft: 9 } },
  ),
  setUpSecondFactor: endpoint(
    {
      method: 'POST',
      path: '/api/v1/second-factor',
      scope: 'any',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'Begin to set up the second factor',
      description: `Creates a secret for an authenticator (TOTP, RFC 6238: SHA-1, six digits, 30 seconds), in place of one that was not confirmed. Nothing changes until a code confirms it. 403 if the password is wrong; 409 if there is a second factor already, or the caller has no password. ${forPeople}`,
      mayConflict: true,
    },
    { body: PasswordProof, response: SecondFactorSecret },
    {
      body: { password: passwordExample },
      response: {
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Floodgauge:ann%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Floodgauge',
      },
    },
  ),
  confirmSecondFactor: endpoint(
    {
      method: 'PUT',
      path: '/api/v1/second-factor',
      scope: 'any',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'Turn the second factor on',
      description: `Turns it on with a code of the authenticator, and shows ten recovery codes once. 403 if the code is wrong; 409 if there is nothing to confirm. ${forPeople}`,
      mayConflict: true,
    },
    { body: CodeProof, response: RecoveryCodes },
    { body: { code: '287082' }, response: codesExample },
  ),
  renewRecoveryCodes: endpoint(
    {
      method: 'POST',
      path: '/api/v1/second-factor/recovery-codes',
      scope: 'any',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'Create recovery codes',
      description: `Creates ten recovery codes in place of those that there are. 403 if the code is wrong; 409 if there is no second factor. ${forPeople}`,
      mayConflict: true,
    },
    { body: CodeProof, response: RecoveryCodes },
    { body: { code: '287082' }, response: codesExample },
  ),
  endSecondFactor: endpoint(
    {
      method: 'POST',
      path: '/api/v1/second-factor/off',
      scope: 'any',
      role: 'viewer',
      tag: 'Accounts',
      summary: 'Turn the second factor off',
      description: `Turns it off, with a code or a recovery code. 403 if the code is wrong; 409 if there is no second factor, or the installation asks for one. ${forPeople}`,
      mayConflict: true,
    },
    { body: CodeProof, response: Deleted },
    { body: { code: '287082' }, response: { deleted: true } },
  ),
  resetSecondFactor: endpoint(
    {
      method: 'DELETE',
      path: '/api/v1/users/{id}/second-factor',
      scope: 'admin',
      role: 'admin',
      tag: 'Accounts',
      summary: 'Reset the second factor of a user',
      description:
        'For a user who has lost the authenticator and the recovery codes: takes both away, so that the password alone signs in. 409 for the caller, who turns it off with a code.',
      mayBeMissing: true,
      mayConflict: true,
    },
    { params: IdParams, response: Deleted },
    { response: { deleted: true } },
  ),
}
