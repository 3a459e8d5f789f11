// The endpoints of alerts: where users are told about attacks, and what became of it.
import { acknowledgingEndpoints } from './acknowledging.ts'
import { Channel, channelEndpoints } from './channels.ts'
import { Condition, conditionEndpoints } from './conditions.ts'
import { confirmingEndpoints } from './confirming.ts'
import { Delivery, deliveryEndpoints } from './deliveries.ts'
import { importEndpoints } from './import.ts'
import { messageEndpoints } from './messages.ts'
import { Rule, ruleEndpoints } from './rules.ts'
import { secretEndpoints } from './secrets.ts'
import { Silence, silenceEndpoints } from './silences.ts'
import { EventMessage } from './webhooks.ts'

export const alertEndpoints = {
  ...channelEndpoints,
  ...secretEndpoints,
  ...deliveryEndpoints,
  ...conditionEndpoints,
  ...ruleEndpoints,
  ...silenceEndpoints,
  ...importEndpoints,
  ...messageEndpoints,
  ...acknowledgingEndpoints,
  ...confirmingEndpoints,
}

export const alertShapes = { Channel, Condition, Delivery, EventMessage, Rule, Silence }
