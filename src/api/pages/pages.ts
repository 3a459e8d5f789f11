// The pages for people who come with a browser: what is here, and the interface explained from its own description.
import type { FastifyInstance } from 'fastify'
import type { Setup } from '../accounts/setup.ts'
import { type Console, registerConsole } from './console.ts'
import { docsPage, type OpenApi } from './docs.ts'
import { html, sendPage } from './html.ts'

export interface PagesOptions {
  /** Makes the description of the interface; called once, when somebody wants to see it. */
  describe: () => OpenApi
  setup: Setup
  /** Null: it was not built, and a plain page stands in its place. */
  webConsole: Console | null
}

export function registerPages(server: FastifyInstance, { describe, setup, webConsole }: PagesOptions): void {
  const described = madeOnce(() => {
    const openApi = describe()
    return { text: JSON.stringify(openApi), page: docsPage(openApi) }
  })

  server.get('/openapi.json', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(described().text),
  )

  server.get('/docs', (_request, reply) =>
    sendPage(reply.header('cache-control', 'no-cache'), { title: 'Floodgauge: the interface', body: described().page }),
  )

  if (webConsole !== null) registerConsole(server, webConsole)
  else registerPlainPage(server, setup)
}

function madeOnce<T extends object>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}

function registerPlainPage(server: FastifyInstance, setup: Setup): void {
  server.get('/link', (_request, reply) => {
    const body = html`<h1>There is no console here</h1>
<p>The link has nowhere to lead: the web console has not been built. <code>sh scripts/prepare.sh</code> builds it where the development packages are installed; start the service again after it.</p>
<p>Programs need a token alone: <code>floodgauge token create EMAIL</code> prints one.</p>`
    return sendPage(reply, { title: 'Floodgauge', body })
  })

  server.get('/', async (_request, reply) => {
    const state = await setup.state().catch(() => null)
    const body = html`<h1>Floodgauge</h1>
<p>Tells the owners of sites that they are under a DDoS attack.</p>
<ul>
<li><a href="docs">The interface</a>, and its description for programs: <a href="openapi.json">openapi.json</a></li>
<li>State: <a href="healthz">alive</a>, <a href="readyz">ready</a></li>
</ul>
${state === 'open' ? html`<p>No admin can sign in yet. The link that makes one was printed when the service started.</p>` : ''}`
    return sendPage(reply, { title: 'Floodgauge', body })
  })
}
