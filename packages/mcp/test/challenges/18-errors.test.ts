import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, type McpError, type RpcError, server } from '@trunkline/mcp'
import { contract, plan, type RetryHint, retryable } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { errorCodes } from '../../../../tools/check-errors.ts'
import { revisions } from './revisions.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('errors: every code has a page, and a test that expects it', () => {
  const pages = new Set([...read('docs/errors.md').matchAll(/^### (.+)$/gm)].map(([, title]) => title))
  const tests = globSync(['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'], { cwd: root }).map(read)
  const codes = errorCodes(read('packages/mcp/src/wire/errors.ts'))
  assert.ok(codes.length > 20)
  for (const code of codes) {
    assert.ok(pages.has(code), `docs/errors.md has no page "${code}"`)
    const [name = '', number] = code.split(/[ ()]+/)
    const expected = number ? new RegExp(`\\b${name}\\b|${number}\\b`) : new RegExp(`'${name}'|"${name}"`)
    assert.ok(
      tests.some((text) => expected.test(text)),
      `No test expects "${code}"`,
    )
  }
})

const long = 'x'.repeat(1_000_000)

/** Mistakes in the terms of a caller, with their messages. */
const badTerms: readonly [terms: unknown, field: string, fix: RegExp][] = [
  [5, '', /must be an object, not a number/],
  [[], '', /must be an object, not an array/],
  [{ deadlineMs: 0 }, '.deadlineMs', /must be a number above 0, at most 2147483647/],
  [{ deadlineMs: -1 }, '.deadlineMs', /must be a number above 0/],
  [{ deadlineMs: 1e300 }, '.deadlineMs', /must be a number above 0/],
  [{ deadlineMs: '5' }, '.deadlineMs', /must be a number above 0/],
  [{ want: 'less' }, '.want', /must be an object, not a string/],
  [{ want: { detail: 'all' } }, '.want.detail', /must be "brief", "normal" or "full"/],
  [{ want: { maxBytes: -1 } }, '.want.maxBytes', /must be a number above 0/],
  [{ want: { maxBytes: 1e300 } }, '.want.maxBytes', /must be a number above 0/],
  [{ want: { fields: '/total' } }, '.want.fields', /must be a list of at most 1000 JSON Pointers/],
  [{ want: { fields: Array(1_001).fill('/a') } }, '.want.fields', /must be a list of at most 1000/],
  [{ want: { fields: ['total'] } }, '.want.fields[0]', /must be a JSON Pointer, such as "\/total"/],
  [{ want: { fields: ['/a', `/${long}`] } }, '.want.fields[1]', /must be a JSON Pointer/],
  [{ idempotencyKey: long }, '.idempotencyKey', /must have at most 512 characters/],
  [{ idempotencyKey: '' }, '.idempotencyKey', /must be a text/],
  [{ idempotencyKey: 7 }, '.idempotencyKey', /must be a text, not a number/],
  [{ dryRun: 'yes' }, '.dryRun', /must be true or false, not a string/],
  [{ plan: long }, '.plan', /must have at most 65536 characters/],
  [{ plan: 'made up' }, '.plan', /is not a plan for this tool and caller: make another dry run/],
  [{ expects: 'made up' }, '.expects', /is the hash of another definition of tool "delete": list the tools again/],
  [{ cwd: long }, '.cwd', /must have at most 4096 characters/],
  [{ handle: long }, '.handle', /must have at most 512 characters/],
]

for (const revision of revisions) {
  test(`errors [${revision}]: a bad term is refused by its name and with the fix, and nothing is done`, async () => {
    let effects = 0
    const shop = server({
      name: 'shop',
      version: '1.0.0',
      keys: ['k'.repeat(32)],
      extensions: [contract()] as const,
    }).tool('delete', { input: z.object({ count: z.number() }), preview: () => plan(['delete']) }, ({ count }) => {
      effects += count
      return `${effects}`
    })
    await using mcp = await connect(shop, { revisions: [revision] })
    for (const [terms, field, fix] of badTerms) {
      const meta = { 'dev.trunkline/contract': terms }
      await assert.rejects(mcp.tools.call('delete', { count: 1 }, { meta }), (error: RpcError) => {
        assert.equal((error.data as { field: string }).field, `params._meta.dev.trunkline/contract${field}`)
        assert.match(error.message, fix)
        assert.ok(error.message.length < 500)
        return true
      })
    }
    // arguments are checked before any of the terms does something
    const { isError, content } = await mcp.tools
      .call('delete', { count: 'all' } as never, { meta: { 'dev.trunkline/contract': { idempotencyKey: 'k' } } })
      .catch((error: Error) => ({ isError: true, content: [{ type: 'text', text: error.message }] }))
    assert.equal(isError, true)
    assert.match(JSON.stringify(content), /Cannot call tool \\"delete\\": .*count/)
    assert.equal(effects, 0)
  })
}

for (const revision of ['2026-07-28', '2025-11-25'])
  test(`errors [${revision}]: an answer that does not fit what was asked for is an error of input, with its field`, async () => {
    const schema = z.object({ amount: z.number().refine((amount) => amount > 0, 'must be above 0') })
    const shop = server({ name: 'shop', version: '1.0.0', keys: ['k'.repeat(32)] }).tool('pay', {}, async (_, ctx) => {
      const answer = await ctx.elicit('How much?', schema).catch((error: McpError) => error)
      assert.ok(answer instanceof Error)
      return [answer.code, answer.message].join(': ')
    })
    const elicitation = () => ({ action: 'accept', content: { amount: -1 } }) as const
    await using mcp = await connect(shop, { revisions: [revision], elicitation })
    const [text] = (await mcp.tools.call('pay', {})).content as readonly { text: string }[]
    assert.equal(text?.text, ['Input', 'Cannot use the answer to "How much?": amount: must be above 0'].join(': '))
  })

test('errors: a plan of another server is refused, though both share their keys', async () => {
  const keys = ['k'.repeat(32)]
  const shopOf = (name: string) =>
    server({ name, version: '1.0.0', keys, extensions: [contract()] as const }).tool(
      'delete',
      { preview: () => plan(['delete']) },
      () => 'deleted',
    )
  await using one = await connect(shopOf('one'), { extensions: [contract()] })
  await using other = await connect(shopOf('other'), { extensions: [contract()] })
  const { plan: made } = await one.tools.preview('delete', {})
  await assert.rejects(other.tools.call('delete', {}, { plan: made }), /is not a plan for this tool and caller/)
  assert.equal((await one.tools.call('delete', {}, { plan: made })).isError, undefined)
})

test('errors: a dry run with a key records nothing under it', async () => {
  let effects = 0
  const shop = server({
    name: 'shop',
    version: '1.0.0',
    keys: ['k'.repeat(32)],
    extensions: [contract()] as const,
  }).tool('delete', { preview: () => plan(['delete']) }, () => `${++effects}`)
  await using mcp = await connect(shop, { extensions: [contract()] })
  const dry = { 'dev.trunkline/contract': { dryRun: true, idempotencyKey: 'k' } }
  assert.deepEqual((await mcp.tools.call('delete', {}, { meta: dry })).effects, ['delete'])
  assert.equal(effects, 0)
  const real = await mcp.tools.call('delete', {}, { idempotencyKey: 'k' })
  assert.deepEqual([real.isRepeated, effects], [undefined, 1])
})

test('errors: an option of a call that makes no sense is refused by its name, and nothing is sent', async () => {
  let calls = 0
  const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract()] as const }).tool(
    'count',
    {},
    () => `${++calls}`,
  )
  await using mcp = await connect(shop, { extensions: [contract()] })
  for (const [options, message] of [
    [{ deadlineMs: Number.NaN }, /"deadlineMs" must be a number of milliseconds, at most 2147483647, not NaN/],
    [{ deadlineMs: '5 s' }, /"deadlineMs" must be a number of milliseconds, at most 2147483647, not "5 s"/],
    [{ deadlineMs: Number.POSITIVE_INFINITY }, /"deadlineMs" must be a number of milliseconds/],
    [{ deadline: 'tomorrow' }, /"deadline" must be a Date, such as ctx.deadline, not "tomorrow"/],
    [{ deadline: new Date('never') }, /"deadline" must be a Date/],
    [{ want: 'brief' }, /"want" must be an object such as \{ detail: "brief" \}, not "brief"/],
    [{ idempotencyKey: false }, /"idempotencyKey" must be a text, or true to make one/],
    [{ idempotencyKey: '' }, /"idempotencyKey" must be a text, or true to make one/],
    [{ plan: { effects: [] } }, /"plan" must be the "plan" of tools.preview, not an object/],
    [{ expects: 'count' }, /"expects" must be the definition of a tool, as tools.list gives it, not "count"/],
    [{ expects: { name: 'count' } }, /"expects" must be the definition of a tool/],
    [{ cwd: 5 }, /"cwd" must be an absolute path, not 5/],
    [{ handle: '' }, /"handle" must be a text/],
    [{ dryRun: true }, /"dryRun" is no option of a call; use tools.preview/],
    [{ idempotencyKey: true, attempts: 0 }, /"attempts" must be a whole number above 0, not 0/],
  ] as const)
    await assert.rejects(mcp.tools.call('count', {}, options as never), message)
  assert.equal(calls, 0)
})

for (const [options, message] of [
  [{ store: 'effects.db' }, /"store" must be a store such as sqliteStores\(path\).effects, not a string/],
  [{ store: {} }, /"store" must be a store/],
  [{ folders: '/srv' }, /"folders" must be a list of paths, not a string/],
  [{ folders: [''] }, /"folders" must be a list of paths/],
  [{ spill: 'yes' }, /"spill" must be true or false, not a string/],
  [{ settings: { region: {} } }, /"settings" must be what settings\(\{ … \}\) returns/],
  [{ sttings: {} }, /there is no option "sttings"; did you mean "settings"/],
] as const)
  test(`errors: contract(${JSON.stringify(options)}) is refused by the name of the option`, () => {
    assert.throws(() => contract(options as never), message)
  })

for (const [terms, message] of [
  [{ effects: { write: ['x'] } }, /"effects" must be an object with .* only; it has "write"; did you mean "writes"/],
  [{ effects: { cost: 5 } }, /"effects" must be an object whose "cost" is a text/],
  [{ deprecated: { untl: 'May' } }, /"deprecated" must be an object of texts, with "until" and "instead"/],
  [
    { concurrency: { by: ['nmae'] } },
    /"concurrency" is by "nmae", and the tool takes no such argument; did you mean "name"/,
  ],
] as const)
  test(`errors: a tool with ${JSON.stringify(terms)} is refused by the name of the member`, () => {
    const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract()] as const })
    const input = z.object({ name: z.string() })
    assert.throws(() => shop.tool('publish', { input, ...terms } as never, () => ''), message)
  })

test('errors: turns by an argument are allowed where the schema is open or tells later', () => {
  const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract()] as const })
  const concurrency = { by: ['name'] }
  shop
    .tool('open', { input: z.looseObject({}), concurrency }, () => '')
    .tool('either', { input: { type: 'object', anyOf: [{ required: ['name'] }] }, concurrency }, () => '')
  assert.throws(() => shop.tool('none', { concurrency }, () => ''), /is by "name", and the tool takes no such argument/)
})

test('errors: a mistake of a handler is named, and nothing has happened', async () => {
  let effects = 0
  const hint = (given: object) => () => {
    throw retryable('No', given as RetryHint)
  }
  const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract()] as const, onError: () => {} })
    .tool('step', {}, (_, ctx) => ctx.step('upload', undefined as never))
    .tool('undo', {}, (_, ctx) => ctx.step('upload', () => effects++, 'remove' as never))
    .tool('listen', { signals: { stop: 'Stops' } }, (_, ctx) => ctx.onSignal('stop', undefined as never))
    .tool('after', {}, hint({ after: 5 }))
    .tool('class', {}, hint({ class: 'later' }))
    .tool('soon', {}, hint({ afterMs: 'soon' }))
    .tool('list', { preview: () => ['delete'] as never }, () => `${effects++}`)
    .tool('broken', { preview: () => Promise.reject(new Error('the registry is down')) }, () => `${effects++}`)
  await using mcp = await connect(shop, { extensions: [contract()] })
  for (const [tool, message] of [
    ['step', 'Cannot run step "upload": write ctx.step("upload", () => …), not undefined'],
    ['undo', 'Cannot run step "upload": its undo must be a function, not a string'],
    ['listen', 'Cannot listen to signal "stop": give a function, not undefined'],
    ['after', 'Cannot hint at a repeat: there is no option "after"; did you mean "afterMs"?'],
    ['soon', 'Cannot hint at a repeat: "afterMs" must be a number of milliseconds, not "soon"'],
  ] as const) {
    const { isError, content } = await mcp.tools.call(tool, {})
    assert.deepEqual([isError, content], [true, [{ type: 'text', text: message }]])
  }
  assert.match(JSON.stringify((await mcp.tools.call('class', {})).content), /must be .*transient.*, not .*later/)
  await assert.rejects(
    mcp.tools.preview('list', {}),
    /Cannot preview "list": .* returned an array: return plan\(\[…\]\)/,
  )
  await assert.rejects(mcp.tools.preview('broken', {}), /Cannot preview "broken": the registry is down/)
  assert.equal(effects, 0)
})

test('errors: a signal without a name and a result that is none are mistakes of the caller', async () => {
  const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract()] as const })
  await using mcp = await connect(shop, { extensions: [contract()] })
  await assert.rejects(mcp.tools.signal('one', undefined as never), /its name must be a text, not undefined/)
  await assert.rejects(mcp.tools.signal(undefined as never, 'stop'), { code: 'Misuse' })
  assert.throws(() => mcp.tools.spilled(undefined as never), /give what a call returned, not undefined/)
})
