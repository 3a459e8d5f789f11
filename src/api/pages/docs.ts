// The documentation page, rendered from the description of the interface.
import type { buildOpenApi } from '../../contract/openapi.ts'
import { type Html, html } from './html.ts'

export type OpenApi = ReturnType<typeof buildOpenApi>

interface Parameter {
  name: string
  in: string
  description?: string
  example?: unknown
}

interface Operation {
  summary: string
  description: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description?: string; $ref?: string; content?: Content }>
}

type Content = Record<string, { examples?: Record<string, { value: unknown }> }>

export function docsPage(openApi: OpenApi): Html {
  const { info, tags, components } = openApi
  const { AuthToken, AuthEmail } = components.securitySchemes
  return html`<h1>${info.title}</h1>
<p>${prose(info.description)}</p>
<p>For programs: <a href="openapi.json">openapi.json</a> (OpenAPI ${openApi.openapi}).</p>
<h2>A first call</h2>
<pre>curl -H '${AuthToken.name}: TOKEN' -H '${AuthEmail.name}: EMAIL' ADDRESS${Object.keys(openApi.paths)[0]}</pre>
${tags.map(
  (tag) => html`<h2>${tag.name}</h2>
<p>${tag.description}</p>
${operationsOf(openApi, tag.name).map(operationSection)}`,
)}
<h2>Errors</h2>
${table(
  ['Status', 'When'],
  Object.values(components.responses).map((response) => {
    const { status, description } = problemOf(response)
    return [String(status), description]
  }),
)}`
}

interface PlacedOperation {
  path: string
  method: string
  operation: Operation
}

function operationsOf({ paths }: OpenApi, tag: string): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation: asOperation(operation) }))
      .filter(({ operation }) => operation.tags.includes(tag)),
  )
}

function operationSection({ path, method, operation }: PlacedOperation): Html {
  const { summary, description, parameters = [], requestBody, responses } = operation
  return html`<article>
<h3>${summary}</h3>
<p><span class="method">${method}</span> <code>${path}</code></p>
${description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
${
  parameters.length === 0
    ? ''
    : table(
        ['Parameter', 'Meaning', 'Example'],
        parameters.map(({ name, description, example }) => [
          html`<code>${name}</code>`,
          prose(description ?? ''),
          html`<code>${String(example ?? '')}</code>`,
        ]),
      )
}
${requestBody === undefined ? '' : html`<h3>Body</h3>${exampleOf(requestBody.content)}`}
<h3>Answer</h3>
${exampleOf(responses['200']?.content ?? {})}
</article>`
}

function exampleOf(content: Content): Html {
  const examples = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples))
  return html`${examples.map(({ value }) => html`<pre>${JSON.stringify(value, null, 2)}</pre>`)}`
}

function table(titles: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
  return html`<table><thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>`
}

/** Text in which what stands between backticks is code. */
function prose(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** What `buildOpenApi` puts under a method is an operation. */
function asOperation(value: unknown): Operation {
  return value as Operation
}

/** Every response of the components has the example of a problem. */
function problemOf(response: unknown): { status: number; description: string } {
  const { description, content } = response as {
    description: string
    content: Record<string, { example: { status: number } }>
  }
  return { status: Object.values(content)[0].example.status, description }
}
