// Proves that the console works below a path of a reverse proxy: every address that it makes or asks for is below it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type RunningService, startService } from '../helpers/service.ts'
import { skip } from '../live/requirements.ts'
import { openBrowser, openPage, password } from './lab.ts'

let service: RunningService
let proxy: Server
let browser: Browser
let base: string
const outside: (string | undefined)[] = []

/** Takes `/ddos` from the front of the path, and knows of nothing else. */
function proxyTo(target: () => URL): Server {
  return createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    if (!url.startsWith('/ddos/')) {
      outside.push(url)
      outgoing.writeHead(404).end()
      return
    }
    const { hostname, port } = target()
    const forwarded = request({ hostname, port, method, headers, path: url.slice('/ddos'.length) }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on a port')
  return address.port
}

before(async () => {
  if (skip !== false) return
  proxy = proxyTo(() => new URL(service.url))
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  base = `http://127.0.0.1:${portOf(proxy)}/ddos`
  service = await startService(undefined, { env: { FLOODGAUGE_HTTP_PUBLIC_URL: base } })
  browser = await openBrowser()
})

after(async () => {
  await browser?.close()
  proxy?.close()
  proxy?.closeAllConnections()
  await service?.stop()
})

test('below a path: set-up, screens, and signing in again', { skip, timeout: 480_000 }, async () => {
  const { page, context, assertQuiet } = await openPage(browser, base)
  const signIn = async () => {
    await page.getByLabel('E-mail').fill('ann@example.net')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
  }
  assert.ok(service.setupUrl.startsWith(`${base}/setup?code=`))
  await page.goto(service.setupUrl)
  await signIn()
  await page.getByText('Waiting for the first packet').waitFor()
  await context.clearCookies()
  await page.goto(`${base}/events?tab=active`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn()
  await page.getByText('No attacks now').waitFor()
  assert.equal(page.url(), `${base}/events?tab=active`)
  await page.getByRole('link', { name: 'Sites' }).click()
  await page.getByText('No sites yet').waitFor()
  assert.equal(new URL(page.url()).pathname, '/ddos/sites')
  assertQuiet(/401/)
  assert.deepEqual(outside, [])
  await context.close()
})
