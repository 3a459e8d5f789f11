// Kills what writes, at random moments, and checks that nothing acknowledged is lost. Run: node test/crash/kill.ts [ROUNDS]
import { crashStore } from './store-rounds.ts'

const rounds = Number(process.argv[2] ?? 100)
const started = performance.now()
const { acknowledged, listed } = await crashStore(rounds)
const seconds = ((performance.now() - started) / 1000).toFixed(0)
process.stdout.write(
  `store: ${rounds} kills in ${seconds} s; ${acknowledged} acknowledged changes and ${listed} listed events, none lost; every file whole\n`,
)
