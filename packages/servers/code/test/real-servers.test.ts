import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { openCode, sandbox } from './sandbox.ts'

const { resolve } = createRequire(import.meta.url)
/** The command of a program of a package, wherever npm put it. */
const run = (program: string, ...args: string[]) => [process.execPath, resolve(program), ...args]
const languages = [
  { name: 'python', files: ['.py'], command: run('pyright/langserver.index.js', '--stdio') },
  {
    name: 'bash',
    files: ['.sh'],
    ids: { '.sh': 'shellscript' },
    command: run('bash-language-server/out/cli.js', 'start'),
  },
  { name: 'yaml', files: ['.yaml'], command: run('yaml-language-server/bin/yaml-language-server', '--stdio') },
]

const shop = {
  'shop/cart.py': `class Cart:
    """A cart of a shop."""

    def add(self, price: int) -> int:
        """Adds a price."""
        return price
`,
  'main.py': `from shop.cart import Cart

cart = Cart()
cart.add(1)
cart.add("2")
`,
  'deploy.sh': `#!/bin/bash
greet() {
  echo "hello $1"
}
greet world
greet shop
`,
  'config.yaml': 'shop:\n  name: one\n  name: two\n',
}

test('python, bash and yaml in one project: each language is answered by its own server, all at once', async () => {
  using box = sandbox(shop)
  await using code = await openCode({ directories: [box.root], languages })
  const text = async (tool: string, input: object) => (await code.call(tool, input)).text
  const [python, bash, yaml] = await Promise.all([
    text('list_symbols', { path: 'shop/cart.py' }),
    text('list_symbols', { path: 'deploy.sh' }),
    text('list_symbols', { path: 'config.yaml' }),
  ])
  assert.match(python, /^shop\/cart\.py:1 class Cart \(6 lines\)\nshop\/cart\.py:4 method Cart\.add \(3 lines\)/)
  assert.match(bash, /deploy\.sh:2 function greet/)
  assert.match(yaml, /^config\.yaml:1 module shop/)
  assert.deepEqual([...code.code.state().running].sort(), ['bash', 'python', 'yaml'])

  const add = await text('get_definition', { symbol: 'Cart.add', body: true })
  assert.equal(
    add,
    'shop/cart.py:4\n    def add(self, price: int) -> int:\n        """Adds a price."""\n        return price',
  )
  const uses = await text('find_references', { symbol: 'Cart.add' })
  assert.equal(
    uses,
    '3 uses in 2 files\nmain.py\n  4: cart.add(1)\n  5: cart.add("2")\nshop/cart.py\n  4: def add(self, price: int) -> int:',
  )
  const greets = await text('find_references', { path: 'deploy.sh', line: 2, name: 'greet' })
  assert.equal(greets, '3 uses in 1 files\ndeploy.sh\n  2: greet() {\n  5: greet world\n  6: greet shop')
  assert.match(
    await text('get_hover', { path: 'main.py', line: 4, name: 'add' }),
    /\(method\) def add\([\s\S]*Adds a price\./,
  )

  const diagnostics = await text('list_diagnostics', {})
  assert.match(diagnostics, /main\.py:5: error reportArgumentType: Argument of type "Literal\['2'\]"/)
  assert.match(diagnostics, /config\.yaml:3: error [\w-]*:? ?.*[Mm]ap keys must be unique|config\.yaml:3: error/)

  const { plan } = (await code.call('rename_symbol', { path: 'deploy.sh', line: 5, name: 'greet', to: 'welcome' }))
    .structured
  await code.call('rename_symbol', { path: 'deploy.sh', line: 5, name: 'greet', to: 'welcome', plan })
  assert.equal(box.read('deploy.sh'), shop['deploy.sh'].replaceAll('greet', 'welcome'))
  assert.match(
    (await code.call('rename_symbol', { path: 'config.yaml', line: 2, name: 'name', to: 'x' })).text,
    /offers no renames|nothing would change/,
  )
})
