import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { connect, reply, server } from '@trunkline/mcp'
import { type ContractLimits, contract, type SpilledMatches } from '@trunkline/mcp/contract'
import { z } from 'zod'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { asPrincipal } from './as-principal.ts'
import { numberedLine, numberedLines } from './numbered-lines.ts'
import { revisions } from './revisions.ts'

const megabyte = 1_000_000
const program = programFile(new URL('large-results-server.ts', import.meta.url))

const textsOf = ({ content }: { content: readonly object[] }) =>
  content.flatMap((block) => ('text' in block ? [String(block.text)] : []))

test('large results: 100 MB in bounded memory, and every byte of it can be read', async () => {
  await using mcp = await connect(
    { command: process.execPath, args: ['--max-old-space-size=64', '--max-semi-space-size=2', program] },
    { extensions: [contract()] },
  )
  const most = async () => Number(textsOf(await mcp.tools.call('most', {}))[0])
  await mcp.tools.call('lines', { bytes: megabyte })
  const before = await most()
  const bytes = 100 * megabyte
  const result = await mcp.tools.call('lines', { bytes })
  const spilled = mcp.tools.spilled(result)
  assert.equal(spilled?.bytes, bytes)
  const [head = '', note, tail = ''] = textsOf(result)
  assert.ok(head.startsWith(numberedLine(1)))
  assert.ok(tail.endsWith(numberedLine(megabyte)))
  assert.match(note ?? '', new RegExp(`All ${bytes} bytes are the resource ${spilled?.uri}`))
  const [hash, expected] = [createHash('sha256'), createHash('sha256')]
  for await (const piece of spilled ?? []) hash.update(piece)
  for (const piece of numberedLines(bytes)) expected.update(piece)
  assert.equal(hash.digest('hex'), expected.digest('hex'))
  assert.equal(await spilled?.lines(999_999, 1_000_100), numberedLine(999_999) + numberedLine(1_000_000))
  assert.deepEqual(await spilled?.search('line 777777 '), {
    matches: [{ line: 777_777, byte: 77_777_600, text: numberedLine(777_777).trimEnd() }],
  })
  assert.ok((await most()) - before < 60 * megabyte, `it grew by ${(await most()) - before} bytes`)
})

const limits = { maxResultBytes: 4_000, maxReadBytes: 1_000 }

/** A server of large results, with limits that a test reaches soon. */
function shopOf(own: ContractLimits = {}) {
  return server({
    name: 'shop',
    version: '1.0.0',
    extensions: [contract({ spill: true, limits: { ...limits, ...own } })] as const,
  })
    .tool('lines', { input: z.object({ bytes: z.number() }) }, ({ bytes }, ctx) => ctx.spill(numberedLines(bytes)))
    .tool('text', { input: z.object({ chars: z.number() }) }, ({ chars }) => 'ü'.repeat(chars))
    .tool('table', { output: z.object({ rows: z.array(z.string()) }) }, () => ({
      rows: Array(100).fill('x'.repeat(99)),
    }))
    .tool('two', {}, () =>
      reply([
        { type: 'text', text: 'a'.repeat(3_000) },
        { type: 'text', text: 'b'.repeat(3_000) },
      ]),
    )
    .tool('bytes', {}, (_, ctx) => ctx.spill([Uint8Array.from({ length: 5_000 }, (_, at) => at)], { mimeType: 'a/b' }))
    .tool('broken', {}, (_, ctx) =>
      ctx.spill(
        (async function* () {
          yield 'x'.repeat(9_000)
          throw new Error('the disk is gone')
        })(),
      ),
    )
}

for (const revision of revisions) {
  test(`large results [${revision}]: head and tail are answered, and the rest is read by bytes, lines and search`, async () => {
    await using mcp = await connect(shopOf(), { extensions: [contract()], revisions: [revision] })
    const result = await mcp.tools.call('lines', { bytes: 10_000 })
    assert.ok(Buffer.byteLength(JSON.stringify(result.content)) <= limits.maxResultBytes)
    const spilled = mcp.tools.spilled(result)
    assert.ok(spilled)
    assert.equal(spilled.mimeType, 'text/plain')
    const pieces: Uint8Array[] = []
    for await (const piece of spilled) pieces.push(piece)
    assert.equal(Buffer.concat(pieces).toString(), Buffer.concat([...numberedLines(10_000)]).toString())
    assert.equal(await spilled.lines(3, 4), numberedLine(3) + numberedLine(4))
    assert.equal(await spilled.lines(1, 1), numberedLine(1))
    assert.equal(await spilled.lines(101, 102), '')
    assert.equal((await spilled.read(9_990, 10_100)).length, 10)
    const { matches, next } = await spilled.search('line 9')
    assert.deepEqual(
      [matches.map(({ line }) => line), next],
      [[9, ...Array.from({ length: 10 }, (_, at) => 90 + at)], undefined],
    )
    assert.deepEqual((await spilled.search('line 9', 9_000)).matches[0]?.line, 91)
    assert.deepEqual(await spilled.search('nowhere'), { matches: [] })
    // a client that knows nothing of the contract reads the beginning of it
    const [contents] = (await mcp.resources.read(spilled.uri)).contents
    assert.equal((contents as { text: string }).text.length, limits.maxReadBytes - 10)
  })

  test(`large results [${revision}]: the result of any handler is kept when it is too large, and only then`, async () => {
    await using mcp = await connect(shopOf(), { extensions: [contract()], revisions: [revision] })
    await mcp.tools.list()
    assert.equal((await mcp.tools.call('text', { chars: 1_000 })).spilled, undefined)
    const text = await mcp.tools.call('text', { chars: 3_000 })
    assert.ok(Buffer.byteLength(JSON.stringify(text.content)) <= limits.maxResultBytes)
    assert.equal(mcp.tools.spilled(text)?.bytes, 6_000)
    const table = await mcp.tools.call('table', {})
    assert.equal(table.isError, true, 'a result without its structure has failed')
    assert.equal(table.spilled?.mimeType, 'application/json')
    const whole = await mcp.tools.spilled(await mcp.tools.call('two', {}))
    assert.match((await whole?.search('"bbb'))?.matches[0]?.text ?? '', /"text":"bbb/)
    const wanted = await mcp.tools.call('text', { chars: 500 }, { want: { maxBytes: 300 } })
    assert.deepEqual([wanted.leftOut?.isCut, wanted.spilled?.bytes], [true, 1_000])
    assert.ok(Buffer.byteLength(JSON.stringify(wanted.content)) <= 300)
  })

  test(`large results [${revision}]: bytes that are no text stay what they are`, async () => {
    await using mcp = await connect(shopOf(), { extensions: [contract()], revisions: [revision] })
    const spilled = mcp.tools.spilled(await mcp.tools.call('bytes', {}))
    assert.deepEqual([spilled?.bytes, spilled?.mimeType], [5_000, 'a/b'])
    const pieces: Uint8Array[] = []
    for await (const piece of spilled ?? []) pieces.push(piece)
    assert.deepEqual(
      new Uint8Array(Buffer.concat(pieces)),
      Uint8Array.from({ length: 5_000 }, (_, at) => at),
    )
  })
}

test('large results: they belong to the caller, and to others they never were', async () => {
  const shop = shopOf()
  await using ann = await asPrincipal(shop, 'ann')
  await using bob = await asPrincipal(shop, 'bob')
  const { spilled } = await ann.tools.call('lines', { bytes: 10_000 })
  const uri = spilled?.uri ?? ''
  await ann.resources.read(uri)
  const none = uri.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const unknown of [uri, none, `${uri}?lines=1-2`, 'contract:///results/'])
    await assert.rejects(
      bob.resources.read(unknown),
      (error: Error & { code: number }) => error.code === -32602 || error.code === -32002,
    )
})

test('large results: a caller beyond the limits loses its oldest one, and other callers lose none', async () => {
  const shop = shopOf({ maxSpillsPerCaller: 2, maxSpilledBytes: 35_000 })
  await using ann = await asPrincipal(shop, 'ann')
  await using bob = await asPrincipal(shop, 'bob')
  const make = async (mcp: typeof ann, bytes = 10_000) => (await mcp.tools.call('lines', { bytes })).spilled?.uri ?? ''
  const bobs = await make(bob)
  const [first, second, third] = [await make(ann), await make(ann), await make(ann)]
  await assert.rejects(ann.resources.read(first))
  for (const [mcp, uri] of [
    [ann, second],
    [ann, third],
    [bob, bobs],
  ] as const)
    await mcp.resources.read(uri)
  const tooMuch = await ann.tools.call('lines', { bytes: 30_000 })
  assert.match(JSON.stringify(tooMuch.content), /at most 35000 bytes of large results are stored/)
  // what a handler returned as it is is cut then, and says so
  const cut = await ann.tools.call('text', { chars: 20_000 })
  assert.deepEqual([cut.spilled, cut.leftOut?.isCut], [undefined, true])
  await bob.resources.read(bobs)
})

test('large results: beyond the number of all, a caller makes room at its own cost or keeps none', async () => {
  const shop = shopOf({ maxSpills: 2 })
  await using ann = await asPrincipal(shop, 'ann')
  await using bob = await asPrincipal(shop, 'bob')
  const make = async (mcp: typeof ann) => mcp.tools.call('lines', { bytes: 10_000 })
  const [first, second] = [await make(ann), await make(ann)]
  assert.match(JSON.stringify((await make(bob)).content), /at most 2 large results are stored/)
  const third = await make(ann)
  await assert.rejects(ann.resources.read(first.spilled?.uri ?? ''))
  for (const { spilled } of [second, third]) await ann.resources.read(spilled?.uri ?? '')
})

test('large results: a search gives a hundred matches at once, and says where to go on', async () => {
  await using mcp = await connect(shopOf(), { extensions: [contract()] })
  const spilled = mcp.tools.spilled(await mcp.tools.call('lines', { bytes: 25_000 }))
  const found: number[] = []
  for (let after: number | undefined = 0; after !== undefined && spilled; ) {
    const { matches, next }: SpilledMatches = await spilled.search('line ', after)
    assert.ok(matches.length <= 100)
    found.push(...matches.map(({ line }) => line))
    after = next
  }
  assert.deepEqual(
    found,
    Array.from({ length: 250 }, (_, at) => at + 1),
  )
})

test('large results: they are kept for as long as the limit says', async () => {
  await using mcp = await connect(shopOf({ maxSpillAgeMs: 1 }), { extensions: [contract()] })
  const { spilled } = await mcp.tools.call('lines', { bytes: 10_000 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  await assert.rejects(mcp.resources.read(spilled?.uri ?? ''), /no such result, or it is no longer kept/)
})

test('large results: a source that fails leaves nothing, and mistakes name the fix', async () => {
  const errors: string[] = []
  const onError = (error: unknown) => errors.push(String(error))
  await using mcp = await connect(shopOf({ maxSpilledBytes: 12_000 }), { extensions: [contract()] })
  for (let time = 0; time < 3; time++) assert.equal((await mcp.tools.call('broken', {})).isError, true)
  const { spilled } = await mcp.tools.call('lines', { bytes: 10_000 })
  const uri = spilled?.uri ?? ''
  for (const [query, message] of [
    ['bytes=5', /"bytes" must be a range such as bytes=0-99, not "5"/],
    ['lines=0-5', /"lines" must be a range such as lines=1-100/],
    ['lines=9-1', /"lines" must be a range/],
    [`bytes=0-${'9'.repeat(40)}`, /"bytes" must be a range/],
    ['search=x&after=-1', /"after" must be the number of a byte/],
  ] as const)
    await assert.rejects(mcp.resources.read(`${uri}?${query}`), message)
  const off = server({ name: 'off', version: '1.0.0', extensions: [contract()] as const, onError }).tool(
    'lines',
    {},
    (_, ctx) => ctx.spill(numberedLines(1_000)),
  )
  const wrong = server({ name: 'wrong', version: '1.0.0', extensions: [contract({ spill: true })] as const, onError })
    .tool('number', {}, (_, ctx) => ctx.spill(5 as never))
    .tool('numbers', {}, (_, ctx) => ctx.spill([5] as never))
  await using without = await connect(off)
  await using mistaken = await connect(wrong)
  for (const [result, message] of [
    [await without.tools.call('lines', {}), /enable it with contract\(\{ spill: true \}\)/],
    [await mistaken.tools.call('number', {}), /give a stream or a list of texts and bytes, not a number/],
    [await mistaken.tools.call('numbers', {}), /its pieces must be texts or bytes, not a number/],
  ] as const)
    assert.match(JSON.stringify(result.content), message)
})
