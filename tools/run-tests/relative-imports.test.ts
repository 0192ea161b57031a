import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'

const hook = new URL('relative-imports.ts', import.meta.url).href
const folder = mkdtempSync(join(tmpdir(), 'relative imports-ü-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs a program of some files, the first of which is its main module. */
function ran(files: { readonly [path: string]: string }) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const [main = ''] = Object.keys(files)
  return spawnSync(process.execPath, [`--import=${hook}`, main], { cwd: folder, encoding: 'utf8' })
}

test('relative imports: a TypeScript file is loaded once, from wherever it is imported', () => {
  const { stdout, stderr } = ran({
    'main.ts': `import { at } from './in/a file.ts'\nimport * as other from './in/other.ts'\nconsole.log(at, other.at === at, (await import('./in/a file.ts')).at === at)`,
    'in/a file.ts': `interface Place { readonly at: object }\nexport const { at }: Place = { at: { loaded: import.meta.filename.slice(-9) } }`,
    'in/other.ts': `export { at } from '../in/a file.ts'`,
  })
  assert.equal(stdout, "{ loaded: 'a file.ts' } true true\n", stderr)
})

test('relative imports: what Node finds is found by Node: other kinds of files, packages, and queries', () => {
  const { stdout, stderr } = ran({
    'main.ts': `import one from './one.cjs'\nimport two from './two.json' with { type: 'json' }\nimport three from 'three'\nimport { four } from './four.ts?again'\nconsole.log(one, two, three, four)`,
    'one.cjs': 'module.exports = 1',
    'two.json': '2',
    'node_modules/three/index.js': 'module.exports = 3',
    'four.ts': 'export const four: number = 4',
  })
  assert.equal(stdout, '1 2 3 4\n', stderr)
})

test('relative imports: of a file that is not there Node names it, and the file that imports it', () => {
  const { stderr } = ran({ 'main.ts': `import './missing.ts'` })
  assert.match(stderr, /Cannot find module '.*missing\.ts' imported from .*main\.ts/)
})
