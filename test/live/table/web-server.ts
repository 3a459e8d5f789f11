// The web server that the victims of HTTP attacks have. It waits for slow clients for as long as they like, as a server without limits does.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

export const serverFile = fileURLToPath(import.meta.url)

if (process.argv[1] === serverFile) {
  const page = 'x'.repeat(20_000)
  const server = createServer((_, response) => response.end(page))
  server.requestTimeout = 0
  server.headersTimeout = 0
  server.listen(80, '0.0.0.0')
}
