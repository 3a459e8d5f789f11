// A store whose long readings are answered by threads, as the service has it, for tests.
import { createLogger } from '../../src/log.ts'
import { startReaderThread } from '../../src/serve/readers/reader.ts'
import { Readers } from '../../src/serve/readers/readers.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'

export async function openWithReaders(
  file: string,
  options: Parameters<typeof openSqliteStore>[1],
  given: { threads?: number; onReaders?: (readers: Readers) => void } = {},
): Promise<Store> {
  const { threads = 1, onReaders = () => {} } = given
  const readers = new Readers({ log: createLogger('silent'), startThread: () => startReaderThread(file), threads })
  const store = await openSqliteStore(file, { ...options, readers })
  readers.start()
  onReaders(readers)
  const close = async () => {
    await readers.stop()
    await store.close()
  }
  return { ...store, close }
}
