// The pages for people who come with a browser: what is here, and the interface explained from its own description.
import type { FastifyInstance } from 'fastify'
import { docsPage, type OpenApi } from './docs.ts'
import { html, sendPage } from './html.ts'
import type { Setup } from './setup.ts'

export function registerPages(server: FastifyInstance, { openApi, setup }: { openApi: OpenApi; setup: Setup }): void {
  const openApiText = JSON.stringify(openApi)
  const docs = docsPage(openApi)

  server.get('/openapi.json', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(openApiText),
  )

  server.get('/docs', (_request, reply) =>
    sendPage(reply.header('cache-control', 'no-cache'), { title: 'Floodgauge: the interface', body: docs }),
  )

  server.get('/', async (_request, reply) => {
    const state = await setup.state().catch(() => null)
    const body = html`<h1>Floodgauge</h1>
<p>Tells the owners of sites that they are under a DDoS attack.</p>
<ul>
<li><a href="docs">The interface</a>, and its description for programs: <a href="openapi.json">openapi.json</a></li>
<li>State: <a href="healthz">alive</a>, <a href="readyz">ready</a></li>
</ul>
${state === 'open' ? html`<p>Nobody uses this service yet. The link that makes the first user was printed when it started.</p>` : ''}`
    return sendPage(reply, { title: 'Floodgauge', body })
  })
}
