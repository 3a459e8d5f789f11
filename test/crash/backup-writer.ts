// A process that makes one scheduled backup after the other, until it is killed. Run: node test/crash/backup-writer.ts STORE FOLDER KEEP.
import { systemClock } from '../../src/clock.ts'
import { addBackup } from '../../src/store/sqlite/backup/backup-folder.ts'

const [path, folder, keep] = process.argv.slice(2)
for (;;) {
  const { file } = await addBackup(path, folder, { keep: Number(keep), nowMs: systemClock.now() })
  process.stdout.write(`${file.name}\n`)
}
