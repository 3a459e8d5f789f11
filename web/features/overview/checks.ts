// The checks of the service in words: pure.
import type { Response } from '../../../src/contract/endpoints.ts'
import type { MessageKey } from '../../shared/i18n/messages.ts'

export type Installation = NonNullable<Response<'getStatus'>['installation']>
export type CheckState = Installation['checks'][number]

/** What does not go well; a policy that somebody has chosen is no news each day. */
export function noticedChecks(checks: readonly CheckState[]): { failing: CheckState[]; warning: CheckState[] } {
  return {
    failing: checks.filter(({ ok }) => !ok),
    warning: checks.filter(({ name, ok, warning }) => ok && warning && name !== 'policy'),
  }
}

export function checkTitle(name: CheckState['name']): MessageKey {
  return `check.${name}`
}

/** What it means that the check fails or warns; its name where it is well. */
export function checkText({ name, ok, warning }: CheckState): MessageKey {
  return ok && !warning ? checkTitle(name) : `check.${name}.fails`
}
