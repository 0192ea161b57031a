import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract, type SettingDefinitions, type SettingsOptions, settings } from '@trunkline/mcp/contract'
import { revisions } from './revisions.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
const file = join(folder, 'shop.json')
writeFileSync(file, '{ "maxRows": 3 }')
after(() => rmSync(folder, { recursive: true }))

const nothing = { args: [], env: {} } as const

/** Each layer with a value of its own for the same setting, the strongest first. */
const layers = {
  flag: { options: { args: ['--max-rows', '1'] }, value: 1, where: '--max-rows' },
  environment: { options: { env: { SHOP_MAX_ROWS: '2' } }, value: 2, where: 'SHOP_MAX_ROWS' },
  file: { options: { file }, value: 3, where: `${file}#/maxRows` },
  default: { options: {}, value: 4, where: undefined },
} as const

type Layer = keyof typeof layers
const names = Object.keys(layers) as Layer[]
const pairs = names.flatMap((strong, at) => names.slice(at + 1).map((weak) => [strong, weak] as const))

function read(...present: readonly Layer[]) {
  const options = Object.assign({ ...nothing, prefix: 'SHOP' }, ...present.map((name) => layers[name].options))
  const definition = present.includes('default') ? { type: 'number', default: 4 } : { type: 'number' }
  return settings({ maxRows: definition } as { maxRows: { type: 'number' } }, options)
}

for (const [strong, weak] of pairs) {
  test(`settings: the ${strong} wins over the ${weak}, and both are named`, () => {
    const { values, explain } = read(strong, weak)
    assert.equal(values.maxRows, layers[strong].value)
    const source = ({ from, where }: { from: Layer; where: string | undefined }) =>
      where === undefined ? { from } : { from, where }
    assert.deepEqual(explain(), [
      {
        name: 'maxRows',
        ...source({ from: strong, where: layers[strong].where }),
        value: layers[strong].value,
        overrides: [source({ from: weak, where: layers[weak].where })],
      },
    ])
  })
}

for (const layer of names)
  test(`settings: a value comes from the ${layer} where no other layer has one`, () => {
    assert.equal(read(layer).values.maxRows, layers[layer].value)
  })

for (const revision of revisions) {
  test(`settings [${revision}]: a client reads where each value came from, and never a secret`, async () => {
    const { values, explain } = settings(
      {
        region: { choices: ['eu', 'us'], default: 'eu', description: 'Where the shop is' },
        token: { secret: true },
        verbose: { type: 'boolean', default: false },
        note: { optional: true },
      },
      { prefix: 'SHOP', args: ['--verbose'], env: { SHOP_TOKEN: 's3cret' } },
    )
    const region: 'eu' | 'us' = values.region
    const note: string | undefined = values.note
    assert.deepEqual([region, values.token, values.verbose, note], ['eu', 's3cret', true, undefined])
    const extensions = [contract({ settings: { values, rest: [], explain } })] as const
    const shop = server({ name: 'shop', version: '1.0.0', extensions })
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const told = await mcp.settings()
    assert.ok(!JSON.stringify(told).includes('s3cret'))
    assert.deepEqual(told, [
      { name: 'region', description: 'Where the shop is', from: 'default', value: 'eu' },
      { name: 'token', from: 'environment', where: 'SHOP_TOKEN', isSecret: true },
      { name: 'verbose', from: 'flag', where: '--verbose', value: true, overrides: [{ from: 'default' }] },
      { name: 'note' },
    ])
  })
}

const flags: readonly [args: readonly string[], rest: readonly string[], values: object][] = [
  [['--rows=5', '--verbose'], [], { rows: 5, verbose: true }],
  [['--rows', '5', '--rows', '6', '--no-verbose', 'file'], ['file'], { rows: 6, verbose: false }],
  [
    ['--http', '8080', '--verbose=false', '--', '--rows', '9'],
    ['--http', '8080', '--', '--rows', '9'],
    { rows: 1, verbose: false },
  ],
  [['--rows', '-1'], [], { rows: -1, verbose: true }],
]
for (const [args, rest, values] of flags)
  test(`settings: ${args.join(' ')} is read, and what is no setting is left over`, () => {
    const made = settings(
      { rows: { type: 'number', default: 1 }, verbose: { type: 'boolean', default: true } },
      { args, env: {} },
    )
    assert.deepEqual([made.values, made.rest], [values, rest])
  })

const mistakes: readonly [what: string, definitions: SettingDefinitions, options: SettingsOptions, message: RegExp][] =
  [
    ['a missing value', { port: {} }, { prefix: 'SHOP' }, /"port" has no value: set --port, or SHOP_PORT/],
    ['a missing secret', { token: { secret: true, env: 'TOKEN' } }, {}, /"token" has no value: set TOKEN/],
    ['no number', { port: { type: 'number' } }, { args: ['--port', 'x'] }, /--port must be a number, not "x"/],
    ['an empty number', { port: { type: 'number' } }, { args: ['--port='] }, /--port must be a number, not ""/],
    [
      'no boolean',
      { quiet: { type: 'boolean', env: 'Q' } },
      { env: { Q: 'yes' } },
      /Q must be true or false, not "yes"/,
    ],
    ['no choice', { size: { choices: ['s', 'm'] } }, { args: ['--size', 'l'] }, /--size must be one of s, m, not "l"/],
    [
      'a secret of the wrong kind',
      { pin: { type: 'number', secret: true, env: 'PIN' } },
      { env: { PIN: 'abc' } },
      /PIN must be a number, not a string/,
    ],
    [
      'a misspelt flag',
      { port: { default: '1' } },
      { args: ['--prot', '2'] },
      /there is no flag --prot; did you mean "--port"\?/,
    ],
    ['a flag without its value', { port: { default: '1' } }, { args: ['--port'] }, /--port needs a value/],
    [
      'a stranger in the file',
      { port: { default: '1' } },
      { file: { prot: 1 } },
      /file#\/prot is no setting; did you mean "port"\?/,
    ],
    [
      'a wrong kind in the file',
      { port: { type: 'number' } },
      { file: { port: '80' } },
      /file#\/port must be a number, not "80"/,
    ],
    ['a list in the file', { port: {} }, { file: { port: ['80'] } }, /file#\/port must be a text, not an array/],
    ['two mistakes', { a: {}, b: {} }, {}, /"a" has no value: set --a; "b" has no value: set --b/],
    ['an unknown member', { port: { kind: 'number' } as never }, {}, /there is no option "port.kind"/],
    [
      'a default that is none',
      { port: { type: 'number', default: 'x' } },
      {},
      /"port.default" must be a number, not "x"/,
    ],
    [
      'an optional default',
      { port: { optional: true, default: 'x' } },
      {},
      /"port.optional" must not be there beside a default/,
    ],
    ['a bad flag', { port: { flag: 'port' } }, {}, /"port.flag" must be such as "--port"/],
    ['an unknown option', {}, { environment: {} } as never, /there is no option "environment"/],
  ]
for (const [what, definitions, options, message] of mistakes)
  test(`settings: ${what} is refused, with its place and the fix`, () => {
    assert.throws(() => settings(definitions, { ...nothing, ...options }), message)
  })

test('settings: a file that is not there has no values, and one that is no JSON is refused by its path', () => {
  assert.equal(settings({ a: { default: 'x' } }, { ...nothing, file: join(folder, 'none') }).values.a, 'x')
  for (const [text, message] of [
    ['{', /broken.json" is not JSON/],
    ['[]', /broken.json" must be an object, not an array/],
  ] as const) {
    writeFileSync(join(folder, 'broken.json'), text)
    assert.throws(() => settings({}, { ...nothing, file: join(folder, 'broken.json') }), message)
  }
  assert.throws(() => settings({}, { ...nothing, file: folder }), /cannot be read/)
})

test('settings: a client of a server that explains none is told so', async () => {
  await using mcp = await connect(server({ name: 'shop', version: '1.0.0' }), { extensions: [contract()] })
  await assert.rejects(mcp.settings())
})
