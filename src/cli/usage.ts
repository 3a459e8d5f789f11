// Wrong usage of the command line: exit status 2, told apart from work that failed (AppError, exit status 1).

export class UsageError extends Error {
  constructor(text: string) {
    super(text)
    this.name = 'UsageError'
  }
}
