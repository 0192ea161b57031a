import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { root } from '../lib/files.ts'
import { must } from '../lib/run.ts'

const checker = join(root, 'tools/declarations/problems-of-projects.ts')
const compiler = join(root, 'tools/declarations/node_modules/typescript')
const compilerOptions = { strict: true, declaration: true, isolatedDeclarations: true, lib: ['es5'], types: [] }

test('problems-of-projects: programs, what they would declare and our declarations count, those of others do not', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'projects-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const files = {
    'good/program.ts': `export const good: number = 1`,
    'bad/program.ts': `import 'other'\nimport '@trunkline/own'\nexport const bad: number = 'text'`,
    'bad/undeclared.ts': `export const made = [1].map(String)`,
    'good.json': JSON.stringify({ compilerOptions, include: ['good'] }),
    'bad.json': JSON.stringify({ compilerOptions, include: ['bad'] }),
    'node_modules/other/index.d.ts': `export declare const other: NoSuchName`,
    'node_modules/@trunkline/own/index.d.ts': `export declare const own: NoSuchName`,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const printed = await must(process.execPath, [checker, compiler, 'good.json', 'bad.json'], { cwd: folder })
  const [good, bad] = printed
    .trim()
    .split('\n')
    .map((line): string[] => JSON.parse(line))
  assert.deepEqual(good, [])
  assert.deepEqual(bad?.map((problem) => problem.replace(/: error (TS\d+):[\s\S]*/, ' $1')).sort(), [
    'bad/program.ts(3,14) TS2322',
    'bad/undeclared.ts(1,14) TS9010',
    'node_modules/@trunkline/own/index.d.ts(1,27) TS2304',
  ])
})
