// How the console is built: one page, assets named by their content, and beside each file what it is when it is compressed, so that
// the service compresses nothing while it runs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const outDir = fileURLToPath(new URL('dist', import.meta.url))

function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      const files = readdirSync(join(outDir, 'assets')).filter((name) => /\.(?:js|css|svg)$/.test(name))
      for (const path of files.map((name) => join(outDir, 'assets', name))) {
        const bytes = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
      }
    },
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The service may live below a path: assets are found from the page's own base address.
  base: './',
  plugins: [react(), compressed()],
  build: {
    ...{ outDir, emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
    // Small modules that several screens share are one file: a file for each would cost a screen twenty requests.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 5, maxModuleSize: 8_192 }] } },
    },
  },
})
