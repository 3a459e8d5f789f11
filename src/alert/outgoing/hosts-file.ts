// The names that the machine itself gives to addresses, in /etc/hosts: hosts(5). They are few and stay in memory; the file is read again when it has changed.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

/** What is read of the file, octets: whoever blocks names by it may have many. */
const fileMax = 4 * 1_024 * 1_024

export class HostsFile {
  readonly #path: string
  #version = ''
  #addresses: ReadonlyMap<string, readonly string[]> = new Map()

  constructor(path: string) {
    this.#path = path
  }

  /** `name` in lower case. In the order of the file; none: it has no such name, or there is no such file. */
  addressesOf(name: string): readonly string[] {
    const { mtimeMs, size, ino } = statSync(this.#path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0, ino: 0 }
    const version = `${mtimeMs} ${size} ${ino}`
    if (version !== this.#version) {
      this.#addresses = size === 0 ? new Map() : readHosts(beginningOf(this.#path, Math.min(size, fileMax)))
      this.#version = version
    }
    return this.#addresses.get(name) ?? []
  }
}

/** Not by the threads that read files: what is looked up must not wait for them. */
function beginningOf(path: string, octets: number): string {
  const file = openSync(path, 'r')
  try {
    const content = Buffer.alloc(octets)
    return content.toString('utf8', 0, readSync(file, content))
  } finally {
    closeSync(file)
  }
}

/** An address and its names on each line; what follows `#` is a comment. */
function readHosts(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0 || address.includes('%')) continue
    for (const name of names.map((each) => each.toLowerCase())) found.set(name, [...(found.get(name) ?? []), address])
  }
  return found
}
