// What the audit log says of each request that changes something: THE table. An endpoint that is no GET and has no row here does not compile. What is
// not named is not recorded: passwords, codes and secrets never are.
import type { Detail, Json } from '../../audit/entry.ts'
import type { Body, EndpointName, endpoints, Params } from '../../contract/endpoints.ts'

type MethodOf<Name extends EndpointName> = (typeof endpoints)[Name]['route']['method']

export type ChangingEndpoint = { [Name in EndpointName]: MethodOf<Name> extends 'GET' ? never : Name }[EndpointName]

type Member<Name extends EndpointName> = Extract<keyof Body<Name> | keyof Params<Name>, string>

interface Recorded<Name extends EndpointName> {
  /** The member of the path or of the body that says what it is done to. */
  object?: Member<Name>
  /** Members of the body that are kept as they came, cut short. */
  told?: readonly Member<Name>[]
}

const limits = ['role', 'isAdmin', 'siteQuota', 'allowed', 'policy'] as const

export const recorded: { readonly [Name in ChangingEndpoint]: Recorded<Name> } = {
  setUp: { object: 'email' },
  signIn: { object: 'email' },
  signInByLink: { object: 'email' },
  signOut: {},
  endSession: { object: 'id' },
  changePassword: {},
  setUpSecondFactor: {},
  confirmSecondFactor: {},
  renewRecoveryCodes: {},
  endSecondFactor: {},
  resetSecondFactor: { object: 'id' },
  startSignOn: {},
  finishSignOn: {},
  addUser: { object: 'email', told: limits },
  changeUser: { object: 'id', told: limits },
  deleteUser: { object: 'id' },
  addToken: { object: 'name', told: ['scopes', 'expiresInDays'] },
  revokeToken: { object: 'id' },
  addSites: { object: 'hosts' },
  addAnySites: { object: 'hosts' },
  deleteSites: { object: 'hosts' },
  enableSites: { object: 'hosts' },
  disableSites: { object: 'hosts' },
  changeSites: { object: 'hosts', told: ['groupId'] },
  verifySite: { object: 'host' },
  startSimulation: { object: 'host', told: ['vector', 'seconds', 'alerts'] },
  stopSimulation: { object: 'host' },
  addGroup: { object: 'name' },
  renameGroup: { object: 'id', told: ['name'] },
  deleteGroup: { object: 'id' },
  noteEvent: { object: 'id', told: ['acknowledged', 'classification', 'text'] },
  importNames: {},
  addChannel: { object: 'name', told: ['kind'] },
  changeChannel: { object: 'id', told: ['name', 'isDisabled', 'quiet'] },
  deleteChannel: { object: 'id' },
  rotateSecret: { object: 'id' },
  testChannel: { object: 'id' },
  replayDelivery: { object: 'id' },
  replayChannel: { object: 'id' },
  importAlerts: {},
  addRule: { object: 'name', told: ['reach', 'when', 'at', 'send', 'stop'] },
  changeRule: { object: 'id', told: ['name', 'reach', 'when', 'at', 'send', 'stop'] },
  deleteRule: { object: 'id' },
  orderRules: { object: 'ids' },
  previewAlert: { object: 'eventId' },
  previewMessage: { object: 'eventId' },
  addSilence: { object: 'reason', told: ['sites', 'groups', 'vectors', 'from', 'until'] },
  endSilence: { object: 'id' },
  acknowledgeByLink: {},
  confirmByLink: {},
  askConfirmation: { object: 'id' },
  confirmAddress: { object: 'address', told: ['user'] },
  setAllowedExporters: { object: 'entries', told: ['mayLeaveOut'] },
}

export function isChanging(name: EndpointName): name is ChangingEndpoint {
  return Object.hasOwn(recorded, name)
}

/** How many parts of a list are named. */
const namedMax = 20

/** What a request is about: the body has been validated, or is left out where it was not. */
export function factsOf(name: ChangingEndpoint, { params, body }: { params: unknown; body: unknown }) {
  const { object, told = [] }: Recorded<EndpointName> = recorded[name]
  const given: Record<string, Json | undefined> = { ...membersOf(body), ...membersOf(params) }
  const detail: Detail = Object.fromEntries(
    told.flatMap((member) => (given[member] === undefined ? [] : [[member, given[member]]])),
  )
  return { object: object === undefined ? '' : textOf(given[object]), detail }
}

function textOf(value: Json | undefined): string {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : ''
  const named = value.slice(0, namedMax).join(' ')
  return value.length > namedMax ? `${named} and ${value.length - namedMax} more` : named
}

/** What was parsed as JSON, or is of the path. */
function membersOf(given: unknown): Readonly<Record<string, Json>> {
  return typeof given === 'object' && given !== null ? (given as Readonly<Record<string, Json>>) : {}
}
