// Proves that the console's first load stays small: what the browser must fetch before it can show the overview.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url))
const budgetBytes = 250 * 1024
const skip = existsSync(`${dist}index.html`) ? false : 'the console is not built: run scripts/prepare.sh'

/** The scripts that the page loads, with what they import at once. */
function firstScripts(): Set<string> {
  const page = readFileSync(`${dist}index.html`, 'utf8')
  const waiting = [...page.matchAll(/(?:src|href)="\.\/(assets\/[\w.-]+\.js)"/g)].map((match) => match[1] ?? '')
  const found = new Set<string>()
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const text = readFileSync(dist + path, 'utf8')
    for (const [, name] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) waiting.push(`assets/${name}`)
  }
  return found
}

test('the first load is at most 250 KiB of script, gzip', { skip }, () => {
  const scripts = firstScripts()
  assert.ok(scripts.size > 0)
  const bytes = [...scripts].reduce((sum, path) => sum + gzipSync(readFileSync(dist + path)).length, 0)
  assert.ok(bytes > 20 * 1024, 'the scripts were not found')
  assert.ok(bytes <= budgetBytes, `${Math.round(bytes / 1024)} KiB`)
})

test('the page has no inline script or style, and refers to no other host', { skip }, () => {
  const page = readFileSync(`${dist}index.html`, 'utf8')
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:/)
})
