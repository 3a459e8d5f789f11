// A thread that makes the hashes of passwords and looks at them: see passwords.ts. Whoever comes may have it work as hard as it can.
import { parentPort } from 'node:worker_threads'
import { letAllGoFirst } from '../../pipeline/threads/priority.ts'
import { hashPassword, isPassword } from '../../store/password.ts'

/** `passwordHash` left out: one is to be made. */
export interface PasswordQuestion {
  id: number
  password: string
  passwordHash?: string | null
}

export interface PasswordAnswer {
  id: number
  value: string | boolean
}

letAllGoFirst()

parentPort?.on('message', ({ id, password, passwordHash }: PasswordQuestion) => {
  const value = passwordHash === undefined ? hashPassword(password) : isPassword(password, passwordHash)
  parentPort?.postMessage({ id, value } satisfies PasswordAnswer)
})
