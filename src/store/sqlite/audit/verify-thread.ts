// The thread that reads the whole audit log: see serve/audit/verification.ts.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { letCollectorsGoFirst } from '../../../pipeline/threads/priority.ts'
import { verifyAudit } from './verify.ts'

letCollectorsGoFirst()
const database = new DatabaseSync(workerData, { readOnly: true })
try {
  parentPort?.postMessage(verifyAudit(database))
} finally {
  database.close()
}
