// How an event stands: how severe it is, and whether people said that it is no attack.
import type { EventOverview } from './queries.ts'

export type Severity = EventOverview['severity']

/** The least severe first. */
export const severities: readonly Severity[] = ['low', 'medium', 'high', 'critical']

/** Whether somebody said that it is no attack: nobody has to look at it. */
export function isDismissed({ classification }: Pick<EventOverview, 'classification'>): boolean {
  return classification !== null && classification !== 'attack'
}
