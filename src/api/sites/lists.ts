// The answers to "list my sites", kept as text until sites change: scripts ask for them over and over. Bounded by octets.
import type { Site as WireSite } from '../../contract/sites/open.ts'
import type { Store, User } from '../../store/store.ts'
import { presentSite } from '../events/present-open.ts'

const bytesMax = 32 * 1024 * 1024

export class SiteLists {
  readonly #store: Pick<Store, 'listSites' | 'sitesVersion'>
  readonly #bytesMax: number
  /** By user; the least recently asked for comes first. All are of one version of the sites. */
  readonly #texts = new Map<string, Buffer>()
  #version = Number.NaN
  #bytes = 0

  constructor(store: Pick<Store, 'listSites' | 'sitesVersion'>, limit = bytesMax) {
    this.#store = store
    this.#bytesMax = limit
  }

  /** The body of the answer. */
  async textOf(user: User): Promise<Buffer> {
    // Read before the list: a change in between makes the kept text look older than it is, which costs a look and no more.
    const version = await this.#store.sitesVersion()
    if (version !== this.#version) this.#clear(version)
    const known = this.#texts.get(user.id)
    if (known !== undefined) {
      this.#texts.delete(user.id)
      this.#texts.set(user.id, known)
      return known
    }
    const sites = await this.#store.listSites(user.id)
    const data: WireSite[] = sites.map((site) => presentSite(site, user.email))
    const text = Buffer.from(JSON.stringify({ data, status: 1 }))
    if (version === this.#version) this.#keep(user.id, text)
    return text
  }

  #clear(version: number): void {
    this.#texts.clear()
    this.#bytes = 0
    this.#version = version
  }

  #keep(userId: string, text: Buffer): void {
    if (text.length > this.#bytesMax) return
    this.#bytes += text.length - (this.#texts.get(userId)?.length ?? 0)
    this.#texts.set(userId, text)
    for (const [oldest, { length }] of this.#texts) {
      if (this.#bytes <= this.#bytesMax) break
      this.#texts.delete(oldest)
      this.#bytes -= length
    }
  }
}
