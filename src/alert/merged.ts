// What comes of a change by RFC 7396 (JSON Merge Patch) of an object whose members are no objects: what is given replaces, null takes away, the rest stays. Pure.
export function merged<Value>(
  before: Readonly<Record<string, Value>>,
  change: Readonly<Record<string, Value | null>>,
): Record<string, Value> {
  const left = Object.entries(before).filter(([name]) => !Object.hasOwn(change, name))
  const given = Object.entries(change).filter((entry): entry is [string, Value] => entry[1] !== null)
  return Object.fromEntries([...left, ...given])
}
