// One question to name servers for the addresses of a name, IPv4 and IPv6 side by side, over sockets of its own: no thread waits for the answer.
import { Resolver } from 'node:dns/promises'

/** The first try of each name server; the second one is longer. */
const tryMs = 1_000
const tries = 2
/** How long the addresses of the other family are waited for when there are some of one. */
const otherMs = 1_000
/** Codes of answers that there are no such addresses, or can be none. After any other code there may be some another time. */
const none: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** No address was found. The code is that of the system's own look-ups. */
export class NoAddress extends Error {
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN'

  constructor(code: NoAddress['code'], message: string) {
    super(message)
    this.code = code
  }
}

interface Reply {
  addresses: readonly string[]
  /** Empty: there are addresses. */
  code: string
}

/** Rejects with `NoAddress`, or with the reason of the signal. `servers`: `address:port` of each; empty: those of the system as they are now. */
export async function queryAddresses(
  name: string,
  { servers, signal }: { servers: readonly string[]; signal: AbortSignal },
): Promise<readonly string[]> {
  signal.throwIfAborted()
  const resolver = new Resolver({ timeout: tryMs, tries })
  if (servers.length > 0) resolver.setServers(servers)
  const { promise: enough, resolve, reject } = Promise.withResolvers<void>()
  const replies: Reply[] = []
  let otherTimer: NodeJS.Timeout | undefined
  const take = (reply: Reply) => {
    replies.push(reply)
    if (replies.length === 2) resolve()
    else if (reply.addresses.length > 0) otherTimer = setTimeout(resolve, otherMs)
  }
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  for (const asking of [resolver.resolve4(name), resolver.resolve6(name)])
    asking.then(
      (addresses) => take({ addresses, code: '' }),
      (error) => take({ addresses: [], code: String(Object(error).code) }),
    )
  try {
    await enough
  } finally {
    clearTimeout(otherTimer)
    signal.removeEventListener('abort', stop)
    resolver.cancel()
  }
  const addresses = replies.flatMap((reply) => reply.addresses)
  if (addresses.length > 0) return addresses
  if (replies.every(({ code }) => none.has(code))) throw new NoAddress('ENOTFOUND', `${name} has no address`)
  throw new NoAddress('EAI_AGAIN', `no name server can tell the address of ${name} now`)
}
