// The pages for people who come with a browser: what is here, and the interface explained from its own description.
import type { FastifyInstance } from 'fastify'
import { type Console, registerConsole } from './console.ts'
import { docsPage, type OpenApi } from './docs.ts'
import { html, sendPage } from './html.ts'
import type { Setup } from './setup.ts'

export interface PagesOptions {
  openApi: OpenApi
  setup: Setup
  /** Null: it was not built, and a plain page stands in its place. */
  webConsole: Console | null
}

export function registerPages(server: FastifyInstance, { openApi, setup, webConsole }: PagesOptions): void {
  const openApiText = JSON.stringify(openApi)
  const docs = docsPage(openApi)

  server.get('/openapi.json', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(openApiText),
  )

  server.get('/docs', (_request, reply) =>
    sendPage(reply.header('cache-control', 'no-cache'), { title: 'Floodgauge: the interface', body: docs }),
  )

  if (webConsole !== null) registerConsole(server, webConsole)
  else registerPlainPage(server, setup)
}

function registerPlainPage(server: FastifyInstance, setup: Setup): void {
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
