// What readiness rests on, by name. Plain data, so that a browser can have it.

export const checkNames = [
  'listeners',
  'flows',
  'detection',
  'watch',
  'places',
  'selfTest',
  'templates',
  'names',
  'tables',
  'store',
  'integrity',
  'backups',
  'policy',
] as const
export type CheckName = (typeof checkNames)[number]
