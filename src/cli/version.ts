// The program's version, from its manifest.
import { readFileSync } from 'node:fs'

export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(manifest.version)
}
