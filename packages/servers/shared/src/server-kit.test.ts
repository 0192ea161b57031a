import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract, resultTermsOf } from '@trunkline/mcp/contract'
import { makeCursor, positionOf } from './cursor.ts'
import { cutText, mostTokens, shownText } from './cut-text.ts'
import { mayLookAt, pathOfUri } from './folders.ts'
import { listArguments, listReply, wantedFields } from './list.ts'
import { PolledChanges } from './poll-changes.ts'
import { quoted, undoLine, writePlan } from './preview.ts'
import { isLink, linkParts } from './product-link.ts'
import { countTokens, tokensOfDefinitions, tokensOfResult } from './testing.ts'
import { explained, nearestNames, ToolProblem } from './tool-problem.ts'

const input = {
  type: 'object',
  properties: listArguments({ limit: 2, fields: ['size'] }),
  additionalProperties: false,
} as const

const fruit = () =>
  server({ name: 'fruit', version: '1.0.0', extensions: [contract()] })
    .tool(
      'list_fruit',
      { input },
      explained(async ({ limit = 2, cursor, fields: named }, ctx) => {
        const fields = wantedFields(['size'], named, ctx)
        const from = (positionOf(cursor, ['fruit']) as number | undefined) ?? 0
        const all = ['apple', 'pear\n\nplum', 'fig']
        const items = all
          .slice(from, from + limit)
          .map((name) => ({ name, ...(fields.includes('size') && { size: 1 }) }))
        const next = from + limit < all.length ? makeCursor(['fruit'], from + limit) : undefined
        return listReply({ items, next, total: all.length }, ({ name }) => name)
      }),
    )
    .tool(
      'wait',
      {},
      explained(async () => {
        throw new ToolProblem('rate_limited', 'Cannot ask now', { retryAfterMs: 900, next: 'Ask again in a second' })
      }),
    )
    .tool(
      'break',
      {},
      explained(async () =>
        Promise.reject(new ToolProblem('not_found', 'No "aple"', { nearest: nearestNames('aple', ['fig', 'apple']) })),
      ),
    )

test('listReply: one line per item, a cursor that goes on, and members only where they are asked for', async () => {
  await using client = await connect(fruit())
  const first = await client.tools.call('list_fruit', {})
  const { items, next, total } = first.structuredContent as { items: object[]; next: string; total: number }
  assert.deepEqual({ items, total }, { items: [{ name: 'apple' }, { name: 'pear\n\nplum' }], total: 3 })
  assert.deepEqual(first.content, [
    { type: 'text', text: `apple\npear plum\n[2 of 3]\n[more: "cursor": ${JSON.stringify(next)}]` },
  ])
  const last = await client.tools.call('list_fruit', { cursor: next, fields: ['size'] })
  assert.deepEqual(last.structuredContent, { items: [{ name: 'fig', size: 1 }], total: 3 })
  await using detailed = await connect(fruit(), { extensions: [contract()] })
  const full = await detailed.tools.call('list_fruit', { cursor: next }, { want: { detail: 'full' } })
  assert.deepEqual(full.structuredContent, last.structuredContent)
  assert.ok(tokensOfResult(first) < 80 && tokensOfDefinitions(await client.tools.list().all()) < 250)
})

test('positionOf: a cursor of another list, or a made-up one, is refused with what to do', async () => {
  await using client = await connect(fruit())
  for (const cursor of [makeCursor(['nuts'], 1), 'x', '', '\u0000'])
    assert.deepEqual((await client.tools.call('list_fruit', { cursor })).structuredContent, {
      error: {
        code: 'refused',
        message: 'Cannot go on with this cursor: it is not from a list with these arguments',
        next: 'Repeat the arguments of the first page, or leave out "cursor"',
      },
    })
})

test('explained: a problem is a result with its code, and says when to call again', async () => {
  await using client = await connect(fruit())
  const late = await client.tools.call('wait', {})
  assert.equal(late.isError, true)
  assert.deepEqual(resultTermsOf({ ...late })?.retry, { class: 'rateLimited', afterMs: 900 })
  const { error } = (await client.tools.call('break', {})).structuredContent as { error: object }
  assert.deepEqual(error, { code: 'not_found', message: 'No "aple"', nearest: ['apple'] })
})

test('cutText: cuts at a line, says how much is left, and never halves a character', () => {
  const text = Array.from({ length: 100 }, (_, at) => `line ${at} of the text`).join('\n')
  const shown = shownText(text, { maxTokens: 50, all: 'git://a' })
  assert.match(shown, /^line 0 [\s\S]*\nline \d of the text\n\[9\d more lines: git:\/\/a\]$/)
  assert.ok(countTokens(shown) <= 62)
  assert.equal(shownText('short', { maxTokens: 50, all: '' }), 'short')
  const { text: start, linesLeft } = cutText('😀'.repeat(1_000), 100)
  assert.deepEqual([Buffer.from(start).toString(), linesLeft], [start, 1])
  assert.ok(countTokens(start) <= 100)
})

test('mostTokens: hardly less than a real vocabulary counts, for prose, code, hashes and other alphabets', () => {
  const root = join(import.meta.dirname, '../../../..')
  const texts = {
    prose: readFileSync(join(root, 'docs/threats.md'), 'utf8').slice(0, 20_000),
    code: readFileSync(join(import.meta.dirname, 'tool-problem.ts'), 'utf8'),
    lock: readFileSync(join(root, 'package-lock.json'), 'utf8').slice(0, 20_000),
    hashes: Array.from({ length: 50 }, (_, at) => makeCursor(at, at)).join('\n'),
    other: 'Ελληνικά, русский, 日本語のテキスト, العربية\n'.repeat(20),
  }
  for (const [name, text] of Object.entries(texts)) {
    const [real, estimated] = [countTokens(text), mostTokens(text)]
    assert.ok(estimated >= real * 0.95 && estimated <= real * 2.2, `${name}: ${real} tokens, estimated ${estimated}`)
  }
})

test('writePlan: the changes, the account and the exact request; texts of others stay in quotes', () => {
  assert.deepEqual(writePlan({ changes: ['makes "a"'], request: { method: 'POST' }, account: 'ada' }).effects, [
    'makes "a"',
    'as ada',
    'exactly: {"method":"POST"}',
  ])
  assert.equal(quoted('a"\u202eb\nc'), '"a\\"\\u{202e}b\\nc"')
  assert.equal(quoted('x'.repeat(300)).length, 203)
  assert.equal(undoLine({ tool: 'stage_paths', arguments: { undo: true } }), 'Undo: stage_paths {"undo":true}')
})

test('linkParts: only links of the host, and no part hides a slash', () => {
  assert.deepEqual(linkParts('https://github.com/a/b%20c/pull/7?x#y', 'github.com'), ['a', 'b c', 'pull', '7'])
  const wrong = [
    'http://github.com/a',
    'https://github.com.evil.example/a',
    'https://x@github.com/a',
    'https://github.com:8443/a',
  ]
  for (const link of [...wrong, 'https://github.com/a%2Fb', 'https://github.com/%ff', 'javascript:x', '//github.com/a'])
    assert.throws(() => linkParts(link, 'github.com'), { code: 'refused' }, link)
  assert.deepEqual(['7', 'a/b#7', 'mailto:x', '//x/y', 'HTTPS://x'].map(isLink), [false, false, true, true, true])
})

test('PolledChanges: subscribers hear of the start and of changes, a failed look says nothing, and looking ends with them', async () => {
  const states: (string | undefined)[] = ['one', 'one', 'fails', 'two', undefined]
  const heard: string[] = []
  const over = new EventTarget()
  const isOver = once(over, 'over')
  const polled = new PolledChanges({
    look: async () => {
      const state = states.shift()
      if (states.length === 0) over.dispatchEvent(new Event('over'))
      if (state === 'fails') throw new Error('not now')
      return { state }
    },
    changed: (uri) => heard.push(uri),
    nextRoundMs: () => 1,
    maxAddresses: 1,
  })
  const keepAlive = setInterval(() => {}, 1_000)
  const leave = polled.add(['a', 'b'])
  await isOver
  // the last look is told after it was made
  await new Promise((done) => setImmediate(done))
  leave()
  clearInterval(keepAlive)
  assert.deepEqual([heard, polled.size], [['a', 'a', 'a'], 0])
})

test('pathOfUri: an address with a machine is a path on Windows alone', () => {
  for (const [uri, onWindows, elsewhere] of [
    ['file://server/share/a%20b', '\\\\server\\share\\a b', undefined],
    ['file://SERVER/share', '\\\\server\\share', undefined],
    ['file:///C:/Users/ann', 'C:\\Users\\ann', '/C:/Users/ann'],
    ['file://localhost/c:/x', 'c:\\x', '/c:/x'],
    ['file:///home/ann', undefined, '/home/ann'],
    ['file://server/share/a%5Cb', undefined, undefined],
    ['https://server/share', undefined, undefined],
  ] as const)
    assert.deepEqual([pathOfUri(uri, 'win32'), pathOfUri(uri, 'linux')], [onWindows, elsewhere], uri)
})

test('mayLookAt: a root on another machine is looked at only where a directory of the server lies there too', () => {
  const folders = ['C:\\work', '\\\\Server\\share\\ann']
  for (const path of ['C:\\work\\x', 'D:\\', '/home/ann', '\\\\server\\share', '\\\\SERVER\\other'])
    assert.equal(mayLookAt(path, folders), true, path)
  for (const path of ['\\\\evil\\share', '\\\\server.evil\\share', '\\\\?\\UNC\\evil\\share', '\\\\.\\pipe\\x'])
    assert.equal(mayLookAt(path, folders), false, path)
})
