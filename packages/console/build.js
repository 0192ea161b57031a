// Builds the console into dist/. Plain JavaScript that any Node can read: npm runs it when it installs, with whatever Node
// there is. Does nothing where dist/ is made of the sources as they are now.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const out = join(here, 'dist')
const stamp = join(out, '.sources')
// the sources of other packages that are part of the page, whose licences are shipped with it
const taken = join(out, '.packages')

/** The hash of everything the console is made of. */
function sourcesHash() {
  const files = [
    ...filesIn(join(here, 'src')),
    ...['index.html', 'build.js', 'package.json'].map((name) => join(here, name)),
    ...filesIn(join(here, '../base/src')),
    ...filesIn(join(here, '../host/src/text')),
    ...filesIn(join(here, '../mcp/src')),
    ...['text.ts', 'page-api.ts', 'api/addresses.ts', 'api/api-request.ts'].map((name) =>
      join(here, '../host/src', name),
    ),
  ]
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file.slice(here.length)).update('\0').update(readFileSync(file))
  return hash.digest('hex')
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

async function loadVite() {
  try {
    return await import('vite')
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.warn('The console is not built: vite is not installed')
    return undefined
  }
}

function isNoEntry(id) {
  return !/index\.html|[\\/]src[\\/]main\.tsx/.test(id)
}

const hash = sourcesHash()
const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
const vite = isFresh ? undefined : await loadVite()
if (vite) {
  rmSync(stamp, { force: true })
  const built = await vite.build({
    root: here,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2022',
      manifest: 'manifest.json',
      modulePreload: { polyfill: false },
      // a data address in a style sheet is one more thing for the content security policy to allow
      assetsInlineLimit: 0,
      // a screen is few files: what most screens share would be fifty small ones, each a request of its own
      cssCodeSplit: false,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'page', tags: ['$initial'], test: isNoEntry, priority: 2 },
              { name: 'parts', minShareCount: 6, test: isNoEntry, priority: 1 },
            ],
          },
        },
      },
    },
  })
  const modules = [built].flat().flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds))
  writeFileSync(taken, modules.filter((id) => id.includes('/node_modules/')).join('\n'))
  writeFileSync(stamp, hash)
}
