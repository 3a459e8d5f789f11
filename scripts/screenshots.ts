// `node scripts/screenshots.ts`: the pictures of README and docs, taken from the running product under an attack that two routers report to it.
// It takes twenty minutes, as what is normal must be learnt first. `--all FOLDER` takes every screen, light and dark, desk and phone,
// for people to look at. Needs Debian's Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { flowSender } from '../test/helpers/flows.ts'
import { type Asked, a, cname, DnsServer, response } from '../test/helpers/servers/dns-server.ts'
import { type RunningService, startService } from '../test/helpers/service.ts'
import { fail, readOptions } from './options.ts'
import { everyPicture, type Picture, pictures } from './screenshots/pictures.ts'
import { flowsOf, groups, samplingRate, sites, zone } from './screenshots/scene.ts'

const account = { email: 'ann@example.net', password: 'correct horse battery' }
const docsFolder = fileURLToPath(new URL('../docs/images', import.meta.url))
const paintMs = 1_500

/** A DNS server that knows the names of the scene, and no other. */
function answerOf(asked: Asked) {
  const known = zone[asked.name]
  if (known === undefined || asked.type === 'TXT') return [response(asked, [], { flags: 0x8183 })]
  const last = known.alias ?? asked.name
  const addresses = (zone[last]?.addresses ?? []).map((address) => a(last, address))
  return [response(asked, known.alias === undefined ? addresses : [cname(asked.name, known.alias), ...addresses])]
}

async function call(service: RunningService, token: string, method: string, path: string, body: unknown) {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-svc-authemail': account.email,
      'x-svc-authtoken': token,
    },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

/** The first user, with the sites and groups of the scene. */
async function furnish(service: RunningService): Promise<void> {
  const code = new URL(service.setupUrl).searchParams.get('code')
  const { token } = await call(service, '', 'POST', '/api/v1/setup', { ...account, code })
  await call(service, token, 'POST', '/open/site/add', { hosts: sites })
  for (const [name, hosts] of Object.entries(groups)) {
    const { id } = await call(service, token, 'POST', '/api/v1/groups', { name })
    await call(service, token, 'PATCH', '/api/v1/sites', { hosts, groupId: id })
  }
}

/** Reports the scene second by second to its end, and goes on with its last attack until it is stopped. */
async function play(service: RunningService, seconds: number, stop: AbortSignal, onEnd: () => void): Promise<void> {
  const [to] = service.flowAddresses
  const routers = [
    await flowSender(to, { from: '127.0.0.1', samplingRate }),
    await flowSender(to, { from: '127.0.0.2', samplingRate }),
  ]
  for (let left = seconds, next = Date.now(); !stop.aborted; left--, next += 1000) {
    if (left === 0) onEnd()
    const endMs = Date.now()
    const seen = flowsOf(left).map((flows) => flows.map((flow) => ({ ...flow, startMs: endMs - 1000, endMs })))
    await Promise.all(routers.map((router, i) => router.send(seen[i])))
    await delay(Math.max(0, next + 1000 - Date.now()))
  }
  await Promise.all(routers.map((router) => router.close()))
}

async function signIn(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/sign-in`)
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

async function take(browser: Browser, base: string, folder: string, rows: readonly Picture[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const signedIn = await browser.newContext()
  const first = await signedIn.newPage()
  await signIn(first, base)
  await first.goto(`${base}/events`)
  // The heaviest: the attack that the scene is about.
  const event = await first.getByRole('row', { name: /shop\.example\.net/ }).first()
  await event.click()
  await first.waitForURL(/\/events\/./)
  const eventPath = new URL(first.url()).pathname
  const storageState = await signedIn.storageState()
  for (const { file, path, theme, viewport, locale = 'en-GB', isWhole = false, isSignedOut = false } of rows) {
    const context = await browser.newContext({
      viewport,
      locale,
      colorScheme: theme,
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...(isSignedOut ? {} : { storageState }),
    })
    const page = await context.newPage()
    await page.goto(base + path.replace('{event}', eventPath))
    await page.getByRole('heading').first().waitFor()
    await delay(paintMs)
    await page.screenshot({ path: join(folder, file), fullPage: isWhole })
    await context.close()
  }
  await signedIn.close()
}

async function run(minutes: number, folder: string, rows: readonly Picture[]): Promise<void> {
  const dns = await new DnsServer(answerOf).start()
  const scratch = mkdtempSync(join(tmpdir(), 'floodgauge-screenshots-'))
  const config = join(scratch, 'config.yaml')
  writeFileSync(config, `names: { resolvers: ['${dns.address}'] }\ndetect: { learnSeconds: ${minutes * 20} }\n`)
  const service = await startService({ netflow: 0, ipfix: 0, sflow: 0 }, { args: ['--config', config] })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] })
  const stop = new AbortController()
  try {
    await furnish(service)
    let ended = () => {}
    const atEnd = new Promise<void>((resolve) => {
      ended = resolve
    })
    const played = play(service, minutes * 60, stop.signal, ended)
    await Promise.race([atEnd, played])
    await take(browser, service.url, folder, rows)
    stop.abort()
    await played
  } finally {
    stop.abort()
    await browser.close()
    await service.stop()
    dns.stop()
    rmSync(scratch, { recursive: true })
  }
}

const values = readOptions('node scripts/screenshots.ts [--all FOLDER] [--minutes N]', {
  all: { type: 'string' },
  minutes: { type: 'string', default: '20' },
})
const minutes = Number(values.minutes)
if (!(minutes >= 15)) fail('--minutes takes a number from 15 on')
await run(minutes, values.all ?? docsFolder, values.all === undefined ? pictures : everyPicture())
