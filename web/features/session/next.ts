// Where to go after signing in.

/** Below the console's own address: never to another host, whatever the address says. */
export function ownPath(next: string | undefined, basepath: string): string {
  const base = basepath.replace(/\/$/, '')
  return next !== undefined && /^\/(?![/\\])/.test(next) ? base + next : `${base}/`
}
