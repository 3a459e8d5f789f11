// What an attack amounts to now, as its reports have it.
import type { ClassKeys } from '../../vectors/class-keys.ts'
import type { Classes } from '../../vectors/compile.ts'
import type { Attack } from '../evidence/attack-lists.ts'
import type { Target } from '../targets/target.ts'
import { areaOf, normalOf } from '../targets/target-facts.ts'
import { trafficOf } from './attack-traffic.ts'
import type { Course, IncidentState } from './incident-report.ts'
import { victimsOf } from './victims.ts'

interface StateParts {
  classes: Classes
  keys: ClassKeys
  hostsOf: (network: Target) => Target[]
}

export function stateOf({ incident, target }: Attack, { classes, keys, hostsOf }: StateParts): IncidentState {
  const traffic = trafficOf(target, incident.trafficClass, classes)
  // After a restart there may be no traffic yet.
  if (!incident.isOver && traffic.ofTotal !== null) incident.hit = victimsOf(incident, target, hostsOf)
  return {
    ...incident.state(traffic),
    ...incident.hit,
    followed: {
      ...incident.followed((trafficClass) => keys.keyOf(trafficClass)),
      ...(target.wholes.length > 0 && areaOf(target)),
    },
  }
}

export function courseOf({ incident, target }: Attack, classes: Classes): Course {
  const { course, trafficClass, lastSecond } = incident
  const traffic = trafficOf(target, trafficClass, classes)
  return { ...course.describe(traffic, lastSecond + 1), normal: normalOf(target, trafficClass) }
}
