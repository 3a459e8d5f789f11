// An address that cannot be listened at, as an operating error that names the address and the reason.
import { AppError } from '../errors.ts'

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'it is not permitted (ports below 1024 need a privilege)',
  ENOTFOUND: 'there is no host of this name',
}

/** Resolves as `bound` does; when the address can't be listened at, rejects with AppError CONFLICT. `what`: the subject of the error's text. */
export async function listening<T>(what: string, bound: Promise<T>): Promise<T> {
  try {
    return await bound
  } catch (error) {
    throw listenError(what, error)
  }
}

/** An error of another kind comes back as it is. */
function listenError(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const reason = reasons[String(error.code)]
  if (reason === undefined) return error
  const { address, port, hostname } = fieldsOf(error)
  const place = address === undefined ? hostname : `${address}${port === undefined ? '' : `:${port}`}`
  return new AppError('CONFLICT', `${what} cannot listen at ${place}: ${reason}`, { cause: error })
}

/** What system errors of Node.js carry, though their type does not say so. */
function fieldsOf(error: Error): { address?: string; port?: number; hostname?: string } {
  return error as Error & { address?: string; port?: number; hostname?: string }
}
