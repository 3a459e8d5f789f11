// The web console as the build left it: one page, and assets named by their content. All of it is read at the start and served from memory, compressed
// as the build has it. Every address of a screen is answered with the page.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accepts } from '../http/content-codings.ts'
import { sendProblem } from '../http/problem.ts'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Nothing from elsewhere, no script and no style but in files, in nobody's frame. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"

/** The first parts of the addresses of screens: what lies below is the page's to make sense of. */
const screens = [
  'events',
  'sites',
  'traffic',
  'addresses',
  'names',
  'attack-types',
  'sources',
  'alerts',
  'settings',
  'sign-in',
  'link',
  'second-factor',
  'sign-on',
]

interface Asset {
  type: string
  plain: Buffer
  /** Null: it is not compressed. */
  brotli: Buffer | null
  gzip: Buffer | null
}

export interface Console {
  page: Buffer
  assets: ReadonlyMap<string, Asset>
}

/** Null: it was not built. `basePath`: where clients see the service, `/` or `/below/it/`. */
export function readConsole(folder: string, basePath: string): Console | null {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return null
  const text = readFileSync(index, 'utf8').replace('<base href="/"', `<base href="${basePath}"`)
  const assetFolder = join(folder, 'assets')
  const names = new Set(readdirSync(assetFolder))
  const compressed = (name: string) => (names.has(name) ? readFileSync(join(assetFolder, name)) : null)
  const assets = new Map(
    [...names].flatMap((name): [string, Asset][] => {
      const type = types[extname(name)]
      if (type === undefined) return []
      const plain = readFileSync(join(assetFolder, name))
      return [[name, { type, plain, brotli: compressed(`${name}.br`), gzip: compressed(`${name}.gz`) }]]
    }),
  )
  return { page: Buffer.from(text), assets }
}

/** The path that clients see in front of the service's own: of the public address, which is an address or empty. */
export function basePathOf(publicUrl: string): string {
  const path = publicUrl === '' ? '/' : new URL(publicUrl).pathname
  return path.endsWith('/') ? path : `${path}/`
}

export function registerConsole(server: FastifyInstance, { page, assets }: Console): void {
  const sendPage = (_request: FastifyRequest, reply: FastifyReply) => sendConsolePage(reply, page)
  server.get('/', sendPage)
  for (const screen of screens) {
    server.get(`/${screen}`, sendPage)
    server.get(`/${screen}/:below`, sendPage)
  }
  server.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const asset = assets.get(request.params.name)
    if (asset === undefined) return sendProblem(reply, { code: 'NOT_FOUND', detail: 'There is nothing at this path' })
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const [encoding, bytes] = encodingOf(asset, accepted)
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' }).type(asset.type)
    if (encoding !== null) reply.header('content-encoding', encoding)
    return reply.send(bytes)
  })
}

export function sendConsolePage(reply: FastifyReply, page: Buffer): FastifyReply {
  return reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
    .type('text/html; charset=utf-8')
    .send(page)
}

function encodingOf({ brotli, gzip, plain }: Asset, accepted: string): ['br' | 'gzip' | null, Buffer] {
  if (brotli !== null && accepts(accepted, 'br')) return ['br', brotli]
  if (gzip !== null && accepts(accepted, 'gzip')) return ['gzip', gzip]
  return [null, plain]
}
