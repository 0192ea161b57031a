import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { contract } from '@trunkline/mcp/contract'
import { tokensOfDefinitions, tokensOfResult } from '@trunkline/server-kit/testing'
import { until } from '../../../../tools/lib/until.ts'
import { openCode, quick, sandbox } from './sandbox.ts'

const tsc = join(import.meta.dirname, '../../../../node_modules/.bin/tsc')
/** The language server that TypeScript 7 brings. */
const languages = [{ name: 'typescript', files: ['.ts'], command: [tsc, '--lsp', '--stdio'] }]

const shop = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "noEmit": true }, "include": ["src"] }',
  'src/cart.ts': `/** A cart of a shop. */
export class Cart {
  total = 0

  /** Adds a price. */
  add(price: number): number {
    this.total += price
    return this.total
  }
}
`,
  'src/main.ts': `import { Cart } from './cart.js'

const cart = new Cart()
cart.add(1)
cart.add('2')
`,
  'src/other.ts': `import { Cart } from './cart.js'

export const sum = (prices: number[]) => prices.map((price) => new Cart().add(price))
`,
}

let box: ReturnType<typeof sandbox>
let code: Awaited<ReturnType<typeof openCode>>

// one language server for all: each test begins with the same files
before(async () => {
  box = sandbox(shop)
  code = await openCode({ directories: [box.root], languages, limits: quick }, { extensions: [contract()] })
})
after(async () => {
  await code[Symbol.asyncDispose]()
  box[Symbol.dispose]()
})
beforeEach(() => {
  for (const name of readdirSync(join(box.root, 'src'))) {
    if (!(`src/${name}` in shop)) rmSync(join(box.root, 'src', name))
  }
  for (const [path, text] of Object.entries(shop)) if (box.read(path) !== text) box.write(path, text)
})

test('typescript: outline, definitions with their code, references by file, documentation and diagnostics', async () => {
  const text = async (tool: string, input: object) => (await code.call(tool, input)).text
  assert.equal(
    await text('list_symbols', { path: 'src/cart.ts' }),
    'src/cart.ts:2 class Cart (9 lines)\nsrc/cart.ts:3 property Cart.total\nsrc/cart.ts:6 method Cart.add (4 lines)',
  )
  assert.equal(await text('list_symbols', { query: 'sum' }), 'src/other.ts:3 variable sum')
  const add = '  add(price: number): number {\n    this.total += price\n    return this.total\n  }'
  assert.equal(await text('get_definition', { symbol: 'Cart.add', body: true }), `src/cart.ts:6\n${add}`)
  const onLine = { path: 'src/main.ts', line: 4, name: 'add' }
  assert.equal(await text('get_definition', { ...onLine, body: true }), `src/cart.ts:6\n${add}`)
  assert.equal(await text('get_definition', onLine), 'src/cart.ts:6: add(price: number): number {')
  const references = await code.call('find_references', { symbol: 'Cart.add' })
  assert.deepEqual(references.structured, {
    total: 4,
    files: 3,
    items: [
      { path: 'src/cart.ts', items: [{ line: 6, text: 'add(price: number): number {' }] },
      {
        path: 'src/main.ts',
        items: [
          { line: 4, text: 'cart.add(1)' },
          { line: 5, text: "cart.add('2')" },
        ],
      },
      {
        path: 'src/other.ts',
        items: [
          { line: 3, text: 'export const sum = (prices: number[]) => prices.map((price) => new Cart().add(price))' },
        ],
      },
    ],
  })
  const page = await code.call('find_references', { symbol: 'Cart.add', limit: 3 })
  const rest = await code.call('find_references', { symbol: 'Cart.add', limit: 3, cursor: page.structured.next })
  assert.deepEqual([page.structured.total, rest.structured.items[0].path], [4, 'src/other.ts'])
  assert.equal(await text('get_hover', onLine), '(method) Cart.add(price: number): number\n\nAdds a price.')
  const wrong = "src/main.ts:5: error 2345: Argument of type 'string' is not assignable to parameter of type 'number'."
  assert.equal(await text('list_diagnostics', {}), wrong)
  assert.equal(await text('list_diagnostics', { path: 'src/main.ts', severity: 'hint' }), wrong)
  assert.equal(await text('list_diagnostics', { path: 'src/other.ts' }), 'Nothing found')

  // files that change on the disk, also those that no call named
  box.write('src/new.ts', "import { Cart } from './cart.js'\nnew Cart().add(7)\n")
  box.write('src/other.ts', 'export {}\n')
  assert.match(
    await text('find_references', { symbol: 'Cart.add' }),
    /^4 uses in 3 files\n[\s\S]*src\/new\.ts\n {2}2: /,
  )
  rmSync(join(box.root, 'src/new.ts'))
  assert.match(await text('find_references', { symbol: 'Cart.add' }), /^3 uses in 2 files\n/)

  // names that are not there, or not clear
  const missing = await code.call('get_definition', { symbol: 'Cart.ad' })
  assert.equal(missing.problem, 'not_found')
  assert.match(await text('get_hover', { path: 'src/main.ts', line: 3, name: 'add' }), /Nearest: line 4, line 5/)
  assert.equal((await code.call('get_hover', {})).problem, 'refused')
  box.write('src/twice.ts', 'export class Till { add() {} }\n')
  const unclear = await code.call('find_references', { symbol: 'add' })
  assert.equal(unclear.problem, 'conflict')
  assert.match(
    unclear.text,
    /2 symbols have the name "add"\nSay which one, .*Cart\.add src\/cart\.ts:6, Till\.add src\/twice\.ts:1/,
  )
})

test('rename_symbol: shows a plan, refuses it when a file changed, changes all files by it, and can be undone', async () => {
  const rename = { symbol: 'Cart.add', to: 'put' }
  const first = await code.call('rename_symbol', rename)
  assert.deepEqual(first.structured.files, [
    { path: 'src/cart.ts', edits: 1 },
    { path: 'src/main.ts', edits: 2 },
    { path: 'src/other.ts', edits: 1 },
  ])
  assert.equal(box.read('src/main.ts'), shop['src/main.ts'])
  box.write('src/other.ts', `// a remark\n${shop['src/other.ts']}`)
  const changed = await code.call('rename_symbol', { ...rename, plan: first.structured.plan })
  assert.equal(changed.problem, 'conflict')
  assert.deepEqual([box.read('src/main.ts'), box.read('src/cart.ts')], [shop['src/main.ts'], shop['src/cart.ts']])
  const { plan } = (await code.call('rename_symbol', rename)).structured
  const { tools } = code.client as never as { tools: Previewing }
  const { effects } = await tools.preview('rename_symbol', { ...rename, plan })
  assert.deepEqual(effects, [
    'src/cart.ts: 1 places become "put"',
    'src/main.ts: 2 places become "put"',
    'src/other.ts: 1 places become "put"',
    `exactly: {"rename":"add","to":"put","plan":"${plan}"}`,
  ])
  const done = await code.call('rename_symbol', { ...rename, plan })
  assert.deepEqual(done.structured.changed, ['src/cart.ts', 'src/main.ts', 'src/other.ts'])
  assert.match(box.read('src/other.ts'), /^\/\/ a remark\n[\s\S]*new Cart\(\)\.put\(price\)/)
  assert.equal(box.read('src/main.ts'), shop['src/main.ts'].replaceAll('add', 'put'))
  const { undo } = done.structured
  const back = await code.call(undo.tool, undo.arguments)
  await code.call(undo.tool, { ...undo.arguments, plan: back.structured.plan })
  assert.equal(box.read('src/main.ts'), shop['src/main.ts'])
})

interface Previewing {
  preview(name: string, input: object): Promise<{ readonly effects: readonly string[] }>
}

test('sizes: definitions, lists and things stay within their tokens, however many uses and errors there are', async () => {
  const uses = Array.from({ length: 400 }, (_, at) => `cart.add('the price of thing number ${at}')`)
  const long = Array.from(
    { length: 400 },
    (_, at) => `  console.log('line ${at} of a long function that is shown in part')`,
  )
  box.write('src/many.ts', `import { Cart } from './cart.js'\nconst cart = new Cart()\n${uses.join('\n')}\n`)
  const values = uses.map((_, at) => `export const value${at} = ${at}`)
  box.write('src/long.ts', `export function long(): void {\n${long.join('\n')}\n}\n${values.join('\n')}\n`)
  const tokens = async (tool: string, input: object) => tokensOfResult((await code.call(tool, input)).result)
  const { tools } = await code.client.tools
    .list()
    .all()
    .then((tools) => ({ tools }))
  assert.equal(tools.length, 10)
  assert.ok(tokensOfDefinitions(tools as never) <= 3_000, `definitions: ${tokensOfDefinitions(tools as never)}`)

  const lists = {
    references: await tokens('find_references', { symbol: 'Cart.add' }),
    diagnostics: await tokens('list_diagnostics', { path: 'src/many.ts' }),
    symbols: await tokens('list_symbols', { path: 'src/long.ts' }),
    found: await tokens('list_symbols', { query: 'value' }),
    captures: await tokens('get_syntax', { path: 'src/many.ts', query: '(call_expression) @call' }),
  }
  for (const [name, count] of Object.entries(lists)) assert.ok(count <= 1_500, `${name}: ${count}`)
  const things = {
    body: await tokens('get_definition', { symbol: 'long', body: true }),
    syntax: await tokens('get_syntax', { path: 'src/long.ts', lines: 2_000 }),
  }
  for (const [name, count] of Object.entries(things)) assert.ok(count <= 2_500, `${name}: ${count}`)
  const body = await code.call('get_definition', { symbol: 'long', body: true })
  assert.match(body.text, /\[\d+ more lines\]$/)
})

test('code://…/diagnostics: those who watch are told when errors come and go, and nothing is looked at afterwards', async () => {
  const uri = 'code://shop/diagnostics'
  const read = async () => {
    const [contents] = (await code.client.resources.read(uri)).contents
    return (contents as { text: string }).text
  }
  assert.match(await read(), /^src\/main\.ts:5: error 2345: /)
  let told = 0
  const watch = await code.client.watch({ uris: [uri] }, (change) => {
    if (change.kind === 'resource' && change.uri === uri) told++
  })
  await until(() => code.code.state().watched === 1)
  box.write('src/main.ts', shop['src/main.ts'].replace("'2'", '2'))
  await until(() => told > 0)
  await until(async () => (await read()) === 'No errors, no warnings')
  await watch[Symbol.asyncDispose]()
  await until(() => code.code.state().watched === 0)
  const outline = await code.client.resources.read('code://shop/outline/src/cart.ts')
  assert.match((outline.contents[0] as { text: string }).text, /^src\/cart\.ts:2 class Cart/)
  const symbol = await code.client.resources.read('code://shop/symbol/Cart.add')
  assert.match((symbol.contents[0] as { text: string }).text, /^Cart\.add src\/cart\.ts:6\n {2}add\(price/)
  const complete = (template: string, argument: string, start: string) =>
    code.client.complete({ template, argument }, start).then(({ values }) => values)
  assert.deepEqual(await complete('code://{project}/outline/{+path}', 'path', 'src/c'), ['src/cart.ts'])
  assert.deepEqual(await complete('code://{project}/symbol/{+name}', 'name', 'Cart.a'), ['Cart.add'])
  assert.deepEqual(await complete('code://{project}/symbol/{+name}', 'project', ''), ['shop'])
})
