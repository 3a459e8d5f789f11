// What several processes ask of one store without a pause is refused now and then: whoever is refused asks again, as a client does.
import { isBusy } from '../../src/store/sqlite/errors.ts'

/** What `work` gives, once no other process has kept the store locked for longer than an operation waits; a refused one has changed nothing. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && isBusy(error.cause))) throw error
    }
  }
}
