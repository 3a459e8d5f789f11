// The first user of a fresh service, made the way a person does it: by the one-time link.
import { type Client, createClient } from '../../client/index.ts'
import type { RunningService } from './service.ts'

export interface FirstUser {
  email: string
  token: string
  client: Client
}

export async function makeFirstUser({ url, setupUrl }: Pick<RunningService, 'url' | 'setupUrl'>): Promise<FirstUser> {
  const email = 'ann@example.net'
  const code = new URL(setupUrl).searchParams.get('code') ?? ''
  const answer = await fetch(`${url}/setup`, {
    method: 'POST',
    body: new URLSearchParams({ email, code, password: 'correct horse battery' }),
  })
  const page = await answer.text()
  const token = /<pre>(\S+)<\/pre>/.exec(page)?.[1]
  if (token === undefined) throw new Error(`no token on the page (${answer.status}): ${page}`)
  return { email, token, client: clientOf(url, { email, token }) }
}

/** Takes each answer as it comes. */
export function clientOf(url: string, { email, token }: Pick<FirstUser, 'email' | 'token'>): Client {
  return createClient({ baseUrl: url, email, token, retries: 0 })
}
