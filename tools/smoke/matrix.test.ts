import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { root } from '../lib/files.ts'
import { isOfOthers, problemsIn } from './compile.ts'
import { compilations } from './matrix.ts'

test('compilations: every compiler compiles the guides, strictly and with declarations', () => {
  for (const typescript of ['5.6', '5.9', '6.0', '7.0']) {
    assert.ok(
      compilations.some((one) => one.typescript === typescript && one.programs === 'guides'),
      typescript,
    )
  }
  for (const { options } of compilations) {
    const { strict, declaration, exactOptionalPropertyTypes } = options
    assert.deepEqual([strict, declaration, exactOptionalPropertyTypes], [true, true, true])
  }
})

test('compilations: every compiler checks the declarations of the entries that do without Node', () => {
  const checked = compilations.filter((one) => one.programs === 'portable' && one.options.skipLibCheck === false)
  assert.deepEqual([...new Set(checked.map(({ typescript }) => typescript))], ['5.6', '5.9', '6.0', '7.0'])
})

test('compilations: the oldest and the newest find modules in every way, with Node and without', () => {
  for (const typescript of ['5.6', '7.0']) {
    const own = compilations.filter((one) => one.typescript === typescript)
    const ways = own.map(({ options }) => options.moduleResolution ?? options.module)
    assert.ok(ways.includes('nodenext') && ways.includes('bundler'), typescript)
    assert.ok(own.some(({ programs }) => programs === 'commonjs'))
    assert.ok(own.some(({ options }) => (options.types as string[]).length === 0))
  }
})

test('compilations: the newest compiler checks the declarations of every entry', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages/mcp/package.json'), 'utf8'))
  const programs = ['portable', 'node'].map((name) => join(root, `tools/smoke/programs/${name}/entries.ts`))
  const imported = programs.flatMap((path) => readFileSync(path, 'utf8').match(/@trunkline\/mcp[\w/-]*/g) ?? [])
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'))
  assert.deepEqual(new Set(imported), new Set(entries.map((entry) => posix.join('@trunkline/mcp', entry))))
  const checked = compilations.filter((one) => one.typescript === '7.0' && one.options.skipLibCheck === false)
  assert.ok(checked.some(({ programs }) => programs === 'node'))
})

test('problemsIn: what is wrong in our declarations or in the program counts, in those of others not', () => {
  const ours = 'node_modules/@trunkline/mcp/index.d.ts(1,1): error TS2304: Cannot find name'
  const program = 'guides/weather/weather.ts(4,14): error TS2742: The inferred type of\n  cannot be named'
  const others = '../repo/node_modules/fastify/fastify.d.ts(3,1): error TS1259: Module can only'
  assert.deepEqual(problemsIn([ours, program, others].join('\n')), [ours, program])
  assert.equal(isOfOthers(others), true)
})

test('problemsIn: a compiler that fails without a word is a problem', () => {
  assert.deepEqual(problemsIn(''), ['the compiler failed and said nothing'])
})
