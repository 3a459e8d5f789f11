// The few pages that the service renders itself: text from data, escaped, without scripts. Whatever comes from elsewhere goes through `html`.
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Part[]

/** Every part is escaped, unless it is Html. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, i) => text + (i < parts.length ? render(parts[i]) : '')).join(''))
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return part.map(render).join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character])
}

const style = `
:root { color-scheme: light dark; --line: #8884; --quiet: #6b7280; --accent: #1d4ed8; --back: #8881; }
@media (prefers-color-scheme: dark) { :root { --quiet: #9ca3af; --accent: #93b4ff; } }
body { background: Canvas; color: CanvasText; font: 16px/1.55 system-ui, sans-serif; max-width: 54rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; margin: 0 0 .5rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
a { color: var(--accent); } code, pre, input { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--back); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; }
.quiet { color: var(--quiet); } .method { font-weight: 600; } article { border-top: 1px solid var(--line); margin-top: 2rem; }
form { display: grid; gap: .75rem; max-width: 28rem; } label { display: grid; gap: .25rem; }
input, button { padding: .5rem .6rem; border: 1px solid var(--line); border-radius: 6px; } button { font: inherit; cursor: pointer; }
.wrong { border-left: 4px solid #dc2626; padding-left: .75rem; }
`
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

interface PageGiven {
  title: string
  body: Html
  language?: 'en' | 'zh'
}

/** A page on its way, with the header fields that it needs. */
export interface Page {
  text: Buffer
  headers: Record<string, string>
}

export function pageOf({ title, body, language = 'en' }: PageGiven): Page {
  const page = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${new Html(style)}</style></head>
<body><main>
${body}
</main></body>
</html>
`
  const headers = { 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' }
  return { text: Buffer.from(page.text), headers }
}

export function sendPage(reply: FastifyReply, given: PageGiven): FastifyReply {
  const { text, headers } = pageOf(given)
  return reply.headers(headers).send(text)
}
