// What the entries of the audit log say, in words of the reader: by what was done.
import type { MessageKey } from '../../shared/i18n/messages.ts'

/** Commands have the words of the request that does the same. What is not here stands for itself. */
export const auditWords = {
  setUp: 'audit.setUp',
  signIn: 'audit.signIn',
  signInByLink: 'audit.signInByLink',
  signOut: 'audit.signOut',
  endSession: 'audit.endSession',
  changePassword: 'audit.changePassword',
  'user password': 'audit.changePassword',
  setUpSecondFactor: 'audit.setUpSecondFactor',
  confirmSecondFactor: 'audit.confirmSecondFactor',
  renewRecoveryCodes: 'audit.renewRecoveryCodes',
  endSecondFactor: 'audit.endSecondFactor',
  resetSecondFactor: 'audit.resetSecondFactor',
  startSignOn: 'audit.startSignOn',
  finishSignOn: 'audit.finishSignOn',
  'user forget-sign-on': 'audit.forgetSignOn',
  'user reset-second-factor': 'audit.resetSecondFactor',
  addUser: 'audit.addUser',
  'user add': 'audit.addUser',
  changeUser: 'audit.changeUser',
  'user set': 'audit.changeUser',
  deleteUser: 'audit.deleteUser',
  'user delete': 'audit.deleteUser',
  'user link': 'audit.makeLink',
  addToken: 'audit.addToken',
  'token create': 'audit.addToken',
  revokeToken: 'audit.revokeToken',
  'token revoke': 'audit.revokeToken',
  addSites: 'audit.addSites',
  addAnySites: 'audit.addSites',
  deleteSites: 'audit.deleteSites',
  enableSites: 'audit.enableSites',
  disableSites: 'audit.disableSites',
  changeSites: 'audit.changeSites',
  verifySite: 'audit.verifySite',
  startSimulation: 'audit.startSimulation',
  stopSimulation: 'audit.stopSimulation',
  addGroup: 'audit.addGroup',
  renameGroup: 'audit.renameGroup',
  deleteGroup: 'audit.deleteGroup',
  noteEvent: 'audit.noteEvent',
  importNames: 'audit.importNames',
  setAllowedExporters: 'audit.setAllowedExporters',
  addChannel: 'audit.addChannel',
  changeChannel: 'audit.changeChannel',
  deleteChannel: 'audit.deleteChannel',
  rotateSecret: 'audit.rotateSecret',
  testChannel: 'audit.testChannel',
  replayChannel: 'audit.replayChannel',
  acknowledgeByLink: 'audit.acknowledgeByLink',
  confirmByLink: 'audit.confirmByLink',
  askConfirmation: 'audit.askConfirmation',
  confirmAddress: 'audit.confirmAddress',
  replayDelivery: 'audit.replayDelivery',
  importAlerts: 'audit.importAlerts',
  addRule: 'audit.addRule',
  changeRule: 'audit.changeRule',
  deleteRule: 'audit.deleteRule',
  orderRules: 'audit.orderRules',
  previewAlert: 'audit.previewAlert',
  previewMessage: 'audit.previewMessage',
  addSilence: 'audit.addSilence',
  endSilence: 'audit.endSilence',
  restore: 'audit.restore',
  refusals: 'audit.refusals',
  'audit.cut': 'audit.cut',
  'service.start': 'audit.serviceStart',
  'service.stop': 'audit.serviceStop',
  'service.reload': 'audit.serviceReload',
  'service.suspendTokens': 'audit.suspendTokens',
  'service.resumeTokens': 'audit.resumeTokens',
} as const satisfies Readonly<Record<string, MessageKey>>

export function auditWord(kind: string): MessageKey | null {
  return isKnown(kind) ? auditWords[kind] : null
}

function isKnown(kind: string): kind is keyof typeof auditWords {
  return Object.hasOwn(auditWords, kind)
}

/** `role: viewer (before: member)`: members of the detail with what they were before. */
export function detailText(detail: Readonly<Record<string, unknown>>): string {
  const { before, ...now } = detail
  const had = typeof before === 'object' && before !== null ? Object.entries(before) : []
  const past = new Map(had.map(([name, value]) => [name, plain(value)]))
  const names = [...new Set([...Object.keys(now), ...past.keys()])]
  return names
    .map((name) => {
      const was = past.get(name)
      const is = name in now ? plain(now[name]) : '…'
      return `${name}: ${is}${was === undefined ? '' : ` (before: ${was})`}`
    })
    .join(', ')
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
