// How many conditions are kept, so that what fails for users leaves place for what fails for all. Pure.
import type { Problem } from './condition.ts'

type Party = Pick<Problem, 'type' | 'owner'>

const installationMax = 500
/** They hold for each type: proofs that are missing leave place for channels that fail. */
const usersMax = 500
const userMax = 10

/** Those of `made`, in order, that find a place beside what is kept. */
export function placed<Made extends Party>(kept: readonly Party[], made: readonly Made[]): Made[] {
  const taken = new Map<string, number>()
  const take = (party: Party) => {
    for (const [holder] of boundsOf(party)) taken.set(holder, (taken.get(holder) ?? 0) + 1)
  }
  kept.forEach(take)
  return made.filter((each) => {
    const fits = boundsOf(each).every(([holder, most]) => (taken.get(holder) ?? 0) < most)
    if (fits) take(each)
    return fits
  })
}

/** Whom it counts for, each with the most that they have. */
function boundsOf({ type, owner }: Party): [holder: string, most: number][] {
  if (owner === null) return [['installation', installationMax]]
  return [
    [`users ${type}`, usersMax],
    [`user ${owner.userId} ${type}`, userMax],
  ]
}
