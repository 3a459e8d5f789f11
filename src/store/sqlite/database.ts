// One connection to the database file: how it is opened, how transactions run, and how its failures are told. It knows no table.
import { renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { AppError } from '../../errors.ts'
import { prepareFile } from '../data-directory.ts'
import { isBusy, reasonOf, storeError } from './errors.ts'

/** Octets of the file that a connection which only reads keeps in memory. */
const readCacheBytes = 16 * 1024 * 1024
/** How long a transaction waits, and the thread with it, for one of another process. Those are short: a command of the command line. */
const busyTimeoutMs = 2_000
/** Two seconds in all. */
const openAttemptsMax = 200
const openPauseMs = 10
/** The write-ahead log is cut back to this size after it has been larger. */
const walBytesMax = 64 * 1024 * 1024

interface WriteOptions {
  /** False: a loss of power may undo it (a crash of the process never does). For what the next minute brings again. */
  durable: boolean
}

interface DatabaseOptions {
  /** Nothing can be written over it, and the file has to be there. */
  isReadOnly?: boolean
}

/** What has to be done with a transaction of somebody. */
export interface Transaction {
  /** Within it, when all else is done. */
  beforeEnd: () => void
  /** It is on the disk. */
  afterEnd: () => void
}

export class Database {
  readonly path: string
  /** Looks at each durable transaction; null: there is nothing to do with it. */
  witness: () => Transaction | null = () => null
  readonly #connection: DatabaseSync
  readonly #inode: number
  readonly #isReadOnly: boolean
  #durable = true

  /** Makes the directory (0700) and the file (0600) where they are missing. */
  constructor(path: string, { isReadOnly = false }: DatabaseOptions = {}) {
    this.path = resolve(path)
    this.#isReadOnly = isReadOnly
    try {
      if (!isReadOnly) prepareFile(this.path)
      this.#connection = isReadOnly ? connectReader(this.path) : connect(this.path)
      this.#inode = statSync(this.path).ino
    } catch (error) {
      throw openError(path, error)
    }
  }

  prepare(sql: string): StatementSync {
    return this.read(() => this.#connection.prepare(sql))
  }

  /** For statements without parameters: migrations, pragmas. */
  exec(sql: string): void {
    this.read(() => this.#connection.exec(sql))
  }

  /** Runs what only reads, with failures told as the store's. */
  read<T>(run: () => T): T {
    try {
      return run()
    } catch (error) {
      throw storeError(error)
    }
  }

  /**
   * Runs a transaction: all of it is there when this returns, none of it when this throws. The lock is taken at its beginning, so that
   * what it reads cannot change before it writes.
   */
  write<T>(run: () => T, options: WriteOptions = { durable: true }): T {
    return this.read(() => {
      this.#checkFile()
      this.#setDurable(options.durable)
      this.#connection.exec('BEGIN IMMEDIATE')
      try {
        const transaction = options.durable ? this.witness() : null
        const result = run()
        transaction?.beforeEnd()
        this.#connection.exec('COMMIT')
        transaction?.afterEnd()
        return result
      } catch (error) {
        // SQLite has rolled back by itself after some failures.
        if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
        throw error
      }
    })
  }

  /** Waits for the transaction that another process may be in: whatever is read from then on has it. Who hands a question to a reader has waited before. */
  awaitWriter(): void {
    if (!this.#isReadOnly) this.exec('BEGIN IMMEDIATE; ROLLBACK')
  }

  /** Copies the whole database to a file, on this thread. */
  copyTo(file: string): void {
    this.read(() => {
      const part = `${file}.part`
      rmSync(part, { force: true })
      prepareFile(part)
      this.#connection.prepare('VACUUM INTO ?').run(part)
      renameSync(part, file)
    })
  }

  close(): void {
    if (this.#connection.isOpen) this.read(() => this.#connection.close())
  }

  #setDurable(durable: boolean): void {
    if (durable === this.#durable) return
    this.#connection.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
    this.#durable = durable
  }

  /** SQLite would go on writing to a file that has been deleted, and all of it would be lost. */
  #checkFile(): void {
    if (statSync(this.path, { throwIfNoEntry: false })?.ino !== this.#inode)
      throw new AppError('STORE_UNAVAILABLE', 'the store is not available: its file has been deleted or replaced')
  }
}

/**
 * SQLite does not wait, but fails at once, when several processes open a new file and each turns its write-ahead log on: hence the attempts.
 */
function connect(path: string): DatabaseSync {
  for (let attempt = 1; ; attempt++) {
    const connection = new DatabaseSync(path, { timeout: 0 })
    try {
      connection.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA journal_size_limit = ${walBytesMax};
        PRAGMA busy_timeout = ${busyTimeoutMs};
      `)
      return connection
    } catch (error) {
      connection.close()
      if (!isBusy(error) || attempt === openAttemptsMax) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, openPauseMs)
    }
  }
}

function connectReader(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs })
  connection.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = ${-readCacheBytes / 1024}`)
  return connection
}

function openError(path: string, error: unknown): unknown {
  return new AppError('STORE_UNAVAILABLE', `cannot open the store ${path}: ${reasonOf(error)}`, { cause: error })
}
