// How a command ends other than well: each kind of failure has its exit status, which scripts and cron look at.

/** What `floodgauge simulate --alerts --wait` ends with; every other command ends with one of the first three. */
export const exitStatuses = {
  0: 'it is done',
  1: 'it failed, or was interrupted',
  2: 'wrong usage',
  3: 'a channel was not told for good, or no rule tells anybody',
  4: 'the time ran out before every channel was told',
  5: 'nobody was told: every channel is held back on purpose, or is a pager that gets no tests',
} as const
export type ExitStatus = keyof typeof exitStatuses

/** Wrong usage of the command line, told apart from work that failed (AppError). */
export class UsageError extends Error {
  constructor(text: string) {
    super(text)
    this.name = 'UsageError'
  }
}

/** An outcome with a status of its own. */
export class OutcomeError extends Error {
  readonly status: ExitStatus

  constructor(status: ExitStatus, text: string) {
    super(text)
    this.name = 'OutcomeError'
    this.status = status
  }
}
