// Requests to the provider: to the hosts that the configuration names and no others, without following anything, and no more of an answer than fits.
import type { CustomFetch, CustomFetchOptions } from 'openid-client'

/** Discovery, keys, tokens and users: each is a few kilobytes. */
const bytesMax = 1024 * 1024

/** `origins`: as `URL` gives them. */
export function providerFetch(origins: ReadonlySet<string>): CustomFetch {
  return async (url, options) => {
    const { origin } = new URL(url)
    if (!origins.has(origin)) throw new Error(`the provider refers to ${origin}, which signOn.oidc.hosts does not name`)
    return bounded(await fetch(url, requestOf(options)))
  }
}

function requestOf({ method, headers, body, signal }: CustomFetchOptions): RequestInit {
  return {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined || body === null ? {} : { body: bodyOf(body) }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** What is sent is a form. */
function bodyOf(body: NonNullable<CustomFetchOptions['body']>): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString()
  throw new Error('the provider is sent forms only')
}

async function bounded(response: Response): Promise<Response> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > bytesMax) throw new Error(`the provider answered with more than ${bytesMax} octets`)
    parts.push(part)
  }
  const { status, headers } = response
  return new Response(bytes === 0 ? null : Buffer.concat(parts), { status, headers })
}
