// Channels of a running service, made and changed by the interface.
import type { FirstUser } from '../../test/helpers/first-user.ts'

type User = Pick<FirstUser, 'email' | 'token'>

async function call(url: string, { email, token }: User, method: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1/alerts/${path}`, {
    method,
    headers: { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

/** Gives its id. */
export async function addWebhook(url: string, user: User, to: { name: string; url: string }): Promise<string> {
  const body = { name: to.name, kind: 'webhook', settings: { url: to.url } }
  return Object(await call(url, user, 'POST', 'channels', body)).channel.id
}

export async function changeChannel(url: string, user: User, id: string, change: object): Promise<void> {
  await call(url, user, 'PATCH', `channels/${id}`, change)
}
