// What the commands that talk to a running service share: where it is, who asks, and what to say when it can't be reached.
import { type Command, Option } from 'commander'
import { type Client, createClient } from '../../client/index.ts'
import { vendorDefault } from '../contract/header-names.ts'
import { AppError } from '../errors.ts'
import { printableValue } from './text/terminal.ts'
import { UsageError } from './usage.ts'

export interface RemoteOptions {
  url: string
  email?: string
  token?: string
  vendor: string
  json?: boolean
}

export function withRemote(command: Command): Command {
  return command
    .addOption(
      new Option('--url <URL>', 'address of the service').env('FLOODGAUGE_URL').default('http://127.0.0.1:8080'),
    )
    .addOption(new Option('--email <EMAIL>', 'user').env('FLOODGAUGE_EMAIL'))
    .addOption(new Option('--token <TOKEN>', "user's token").env('FLOODGAUGE_TOKEN'))
    .addOption(
      new Option('--vendor <WORD>', 'word in the names of the authentication headers')
        .env('FLOODGAUGE_VENDOR')
        .default(vendorDefault),
    )
    .option('--json', 'print JSON, one object a line')
}

/** Runs the work with a client; a failure to reach the service is told with its address. */
export async function withClient<Result>(
  options: RemoteOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { url, email, token, vendor } = options
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`not an http(s) address: ${url}`)
  if (!email) throw new UsageError('no user: give --email or FLOODGAUGE_EMAIL')
  if (!token) throw new UsageError('no token: give --token or FLOODGAUGE_TOKEN')
  if (!/^[A-Za-z0-9-]+$/.test(vendor)) throw new UsageError(`not a word for a header name: ${vendor}`)
  if (/[^\x21-\x7e]/.test(email + token))
    throw new UsageError('the e-mail or the token has a character that no header can carry')
  try {
    return await work(
      createClient({ baseUrl: url, email, token, vendor, fetch: options.json ? fetch : printableFetch }),
    )
  } catch (error) {
    throw unreachable(error, url)
  }
}

/** Answers whose texts can do nothing to a terminal: who reads them is a person. */
const printableFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request)
  if (!/[/+]json\b/.test(response.headers.get('content-type') ?? '')) return response
  const text = await response.text()
  const { status, headers } = response
  return new Response(printableJson(text), { status, headers })
}

function printableJson(text: string): string {
  try {
    return JSON.stringify(printableValue(JSON.parse(text)))
  } catch {
    return text
  }
}

/** `fetch` hides the reason in the cause of a TypeError. Anything else is passed on. */
export function unreachable(error: unknown, url: string): unknown {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new AppError('STORE_UNAVAILABLE', `${url} did not answer in time`, { cause: error })
  }
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error
  const reasons = error.cause instanceof AggregateError ? error.cause.errors : [error.cause]
  const texts = new Set(reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason))))
  return new AppError('STORE_UNAVAILABLE', `cannot reach ${url}: ${[...texts].join(', ')}`, { cause: error })
}
