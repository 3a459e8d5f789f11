// How much of its line traffic is, as a bar; beyond it in the colour of what is wrong.
import { Bar } from '../../shared/ui/basics.tsx'

export function LineBar({ part }: { part: number }) {
  return <Bar share={part} color={part > 1 ? 'var(--bad)' : 'var(--series-1)'} />
}
