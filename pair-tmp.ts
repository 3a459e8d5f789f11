import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
const { chromium } = await import(process.cwd() + '/node_modules/playwright-core/index.mjs')
const [rounds, ...dirs] = process.argv.slice(2)
const parts: any[] = []
for (const dir of dirs) {
  const child = spawn(dir + '/node_modules/.bin/node', ['bench/part.ts'], { cwd: dir, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const [line] = await new Promise<any>((r) => lines.once('line', (l) => r([l])))
  parts.push({ dir, child, ...JSON.parse(line) })
}
await delay(15000)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] })
for (const p of parts) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = (p.page = await context.newPage())
  await page.goto(`${p.url}/sign-in`)
  await page.getByLabel('E-mail').fill('ann@example.net')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto(`${p.url}/events`)
  await page.getByRole('row').nth(5).waitFor()
  p.href = p.url + '/events'
  await page.addInitScript(`(() => { const look = () => { if (document.querySelectorAll('[role=row],tr').length > 5) { setTimeout(() => { window.shownMs = performance.now() }); return } requestAnimationFrame(look) }; requestAnimationFrame(look) })()`)
  p.cdp = await context.newCDPSession(page)
  await p.cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  p.rows = []
  p.warm = true
  await page.goto('about:blank')
}
const value = (m: any, n: string) => 1000 * m.metrics.find((x: any) => x.name === n).value
for (let r = -5; r < Number(rounds); r++) {
  const order = r % 2 ? parts : parts.toReversed()
  for (const p of order) {
    const before = await p.cdp.send('Performance.getMetrics')
    const t = performance.now()
    await p.page.goto(p.href)
    for (;;) { if (Number(await p.page.evaluate('window.shownMs ?? 0')) > 0) break; await delay(20) }
    const wall = performance.now() - t
    const shown = Number(await p.page.evaluate('window.shownMs'))
    await delay(150)
    const after = await p.cdp.send('Performance.getMetrics')
    const d = (n: string) => { const a = value(after, n), b = value(before, n); return a >= b ? a - b : a }
    await p.page.goto('about:blank')
    if (r >= 0) p.rows.push([shown, wall, d('TaskDuration'), d('ScriptDuration'), d('LayoutDuration') + d('RecalcStyleDuration')])
  }
}
const med = (a: number[], q = 0.5) => a.toSorted((x, y) => x - y)[Math.floor(a.length * q)]
for (const p of parts) {
  const col = (i: number) => p.rows.map((r: number[]) => r[i])
  const diff = p.rows.map((r: number[], i: number) => r[0] - parts[0].rows[i][0])
  const boots = Array.from({ length: 500 }, () => med(diff.map(() => diff[Math.floor(Math.random() * diff.length)])))
  console.log(p.dir.split('/').pop().padEnd(8), 'shown p50', med(col(0)).toFixed(1), 'p95', med(col(0), 0.95).toFixed(0), '| diff', med(diff).toFixed(1), `[${med(boots, 0.05).toFixed(1)} ${med(boots, 0.95).toFixed(1)}]`, '| wall', med(col(1)).toFixed(0), '| cpu task', med(col(2)).toFixed(1), 'script', med(col(3)).toFixed(1), 'layout', med(col(4)).toFixed(1))
}
await browser.close()
for (const p of parts) { p.child.stdin.end(); await new Promise((r) => p.child.once('exit', r)) }
