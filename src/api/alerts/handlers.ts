// The endpoints of alerts: where users are told about attacks, and what became of it.
import type { alertEndpoints } from '../../contract/alerts/endpoints.ts'
import type { Handlers } from '../http/endpoints.ts'
import { acknowledgeHandlers } from './acknowledge.ts'
import { channelHandlers } from './channels.ts'
import { conditionHandlers } from './conditions.ts'
import { confirmingHandlers } from './confirming.ts'
import { deliveryHandlers } from './deliveries.ts'
import { importHandlers } from './import.ts'
import { messageHandlers } from './messages.ts'
import type { AlertParts } from './parts.ts'
import { ruleHandlers } from './rules.ts'
import { secretHandlers } from './secrets.ts'
import { silenceHandlers } from './silences.ts'

export function alertHandlers(parts: AlertParts): Handlers<keyof typeof alertEndpoints> {
  return {
    ...channelHandlers(parts),
    ...secretHandlers(parts),
    ...deliveryHandlers(parts),
    ...conditionHandlers(parts),
    ...ruleHandlers(parts),
    ...silenceHandlers(parts),
    ...importHandlers(parts),
    ...messageHandlers(parts),
    ...acknowledgeHandlers(parts),
    ...confirmingHandlers(parts),
  }
}
