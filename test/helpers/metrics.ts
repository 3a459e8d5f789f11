// What a running service says at /metrics.

/** The sum of a metric's samples whose labels contain `labels`; 0 without a sample. */
export function metricSum(text: string, name: string, labels = ''): number {
  let sum = 0
  for (const line of text.split('\n')) {
    const [series, value] = line.split(/ (?=\S+$)/)
    if (series !== name && !series.startsWith(`${name}{`)) continue
    if (series.includes(labels)) sum += Number(value)
  }
  return sum
}

/** A service that is too busy to answer is not waited for longer than this, milliseconds. */
const answerMsMax = 30_000

export async function metricsOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(answerMsMax) })
  if (answer.status !== 200) throw new Error(`/metrics answers ${answer.status}`)
  return answer.text()
}
