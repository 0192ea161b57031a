import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Client, connect } from '@trunkline/mcp'
import { sandbox } from '../test/sandbox.ts'
import { filesServer } from './files-server.ts'
import { PathWatch } from './watch-paths.ts'

const long = Array.from({ length: 5_000 }, (_, at) => `line ${at + 1}`).join('\n')
const png = new Uint8Array([137, 80, 78, 71, 0, 1, 2, 3])

const sample = {
  'README.md': '# Hello\nwörld\n',
  'src/a.ts': 'export const a = 1\n',
  'src/deep/b.ts': 'import { a } from "../a.ts"\n',
  'node_modules/x/index.js': 'export const a = 1\n',
  'picture.png': png,
  'long.txt': long,
}

async function call(client: Client, name: string, input: object) {
  const { content, structuredContent, isError } = await client.tools.call(name, input as never)
  const text = content.map((block) => ('text' in block ? block.text : JSON.stringify(block))).join('\n')
  return { text, structured: structuredContent as Record<string, unknown> | undefined, isError: isError === true }
}

test('list_directory, find_files, search_text: what is there', async () => {
  using box = sandbox(sample)
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  assert.equal(
    (await call(client, 'list_directory', {})).text,
    'README.md (15 bytes)\nlong.txt (48892 bytes)\nnode_modules/\npicture.png (8 bytes)\nsrc/',
  )
  assert.equal((await call(client, 'find_files', { pattern: '*.ts' })).text, 'src/a.ts\nsrc/deep/b.ts')
  assert.equal((await call(client, 'find_files', { pattern: '*.js', path: 'node_modules' })).text, 'x/index.js')
  assert.equal(
    (await call(client, 'search_text', { text: 'Const A', ignoreCase: true })).text,
    'src/a.ts:1: export const a = 1',
  )
  assert.equal((await call(client, 'search_text', { text: 'line 17', files: '*.ts' })).text, 'Nothing was found')
})

test('read_file: text, lines of it, and bytes', async () => {
  using box = sandbox(sample)
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  assert.equal((await call(client, 'read_file', { path: 'README.md' })).text, '# Hello\nwörld\n')
  const part = await call(client, 'read_file', { path: join(box.inside, 'long.txt'), from: 4_998, lines: 2 })
  assert.equal(part.text, 'line 4998\nline 4999\n\n[lines 4998 to 4999; go on with "from": 5000]')
  const last = await call(client, 'read_file', { path: 'long.txt', from: 5_000 })
  assert.equal(last.text, 'line 5000')
  assert.equal(last.structured?.hasMore, false)
  const first = await call(client, 'read_file', { path: 'long.txt' })
  assert.match(first.text, /line 2000\n\n\[lines 1 to 2000; go on with "from": 2001\]$/)
  const beyond = await call(client, 'read_file', { path: 'long.txt', from: 6_000 })
  assert.match(beyond.text, /it has fewer lines/)
  const { content } = await (client as Client).tools.call('read_file', { path: 'picture.png' } as never)
  assert.deepEqual(content, [
    {
      type: 'resource',
      resource: {
        uri: pathToFileURL(join(box.inside, 'picture.png')).href,
        mimeType: 'image/png',
        blob: Buffer.from(png).toString('base64'),
      },
    },
  ])
})

test('write_file: new files, written back only over what was read', async () => {
  using box = sandbox(sample)
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  assert.equal((await call(client, 'write_file', { path: 'new/deep/c.txt', content: 'hi' })).text, 'Wrote 2 bytes')
  assert.equal(readFileSync(join(box.inside, 'new/deep/c.txt'), 'utf8'), 'hi')
  const { structured } = await call(client, 'read_file', { path: 'README.md' })
  chmodSync(join(box.inside, 'README.md'), 0o600)
  const written = await call(client, 'write_file', { path: 'README.md', content: 'mine', hash: structured?.hash })
  assert.equal(written.isError, false)
  assert.equal(statSync(join(box.inside, 'README.md')).mode & 0o777, 0o600)
  const stale = await call(client, 'write_file', { path: 'README.md', content: 'late', hash: structured?.hash })
  assert.match(stale.text, /it was changed since it was read; read it again/)
  assert.equal(readFileSync(join(box.inside, 'README.md'), 'utf8'), 'mine')
  await call(client, 'write_file', { path: 'x.bin', content: 'AAEC', encoding: 'base64' })
  assert.deepEqual([...readFileSync(join(box.inside, 'x.bin'))], [0, 1, 2])
})

test('edit_file: a preview changes nothing, then the same is made', async () => {
  using box = sandbox(sample)
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  const edits = [{ find: 'a = 1', replace: 'a = 2' }]
  const preview = await call(client, 'edit_file', { path: 'src/a.ts', edits, preview: true })
  assert.equal(preview.text, '--- src/a.ts\n+++ src/a.ts\n@@ -1,2 +1,2 @@\n-export const a = 1\n+export const a = 2\n ')
  assert.equal(readFileSync(join(box.inside, 'src/a.ts'), 'utf8'), sample['src/a.ts'])
  const made = await call(client, 'edit_file', { path: 'src/a.ts', edits, hash: preview.structured?.hash })
  assert.equal(made.text, preview.text)
  assert.equal(readFileSync(join(box.inside, 'src/a.ts'), 'utf8'), 'export const a = 2\n')
  const again = await call(client, 'edit_file', { path: 'src/a.ts', edits })
  assert.match(again.text, /Cannot make edit 1: its text is not in the file/)
  const bytes = await call(client, 'edit_file', { path: 'picture.png', edits })
  assert.match(bytes.text, /it is no text/)
})

test('readOnly: nothing that writes is offered', async () => {
  using box = sandbox(sample)
  await using client = await connect(await filesServer({ directories: [box.inside], readOnly: true }))
  const tools = await client.tools.list().all()
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['find_files', 'list_directory', 'read_file', 'search_text'])
  for (const { annotations } of tools) assert.equal(annotations?.readOnlyHint, true)
})

test('resources: directories, files, bytes and parts, listed, with a template that completes paths', async () => {
  using box = sandbox(sample)
  await using client = await connect(await filesServer({ directories: [box.inside] }))
  const { href } = pathToFileURL(`${box.inside}/`)
  const names = (await client.resources.list().all()).map(({ name }) => name)
  assert.deepEqual(names.sort(), ['README.md', 'inside', 'long.txt', 'node_modules', 'picture.png', 'src'])
  const read = async (uri: string) => (await client.resources.read(uri)).contents[0]
  assert.match(((await read(href)) as { text: string }).text, /^README\.md \(15 bytes\) file:\/\/\/\S+\/README\.md\n/)
  assert.deepEqual(await read(`${href}README.md`), {
    uri: `${href}README.md`,
    mimeType: 'text/markdown',
    text: '# Hello\nwörld\n',
  })
  assert.deepEqual(await read(`${href}src`), {
    uri: `${href}src`,
    mimeType: 'inode/directory',
    text: `a.ts (19 bytes) ${href}src/a.ts\ndeep/ ${href}src/deep/`,
  })
  assert.equal(((await read(`${href}picture.png`)) as { blob: string }).blob, Buffer.from(png).toString('base64'))
  assert.equal(((await read(`${href}long.txt?from=2&lines=2`)) as { text: string }).text, 'line 2\nline 3\n')
  assert.equal(
    ((await read(`${href}picture.png?offset=1&length=3`)) as { blob: string }).blob,
    Buffer.from('PNG').toString('base64'),
  )
  await assert.rejects(read(`${href}long.txt?from=x`), /must be a whole number/)

  const [{ uriTemplate: template = '' } = {}, ...others] = await client.resources.templates().all()
  assert.deepEqual([template, others], ['file://{+path}{?from,lines,offset,length}', []])
  const completed = async (start: string) =>
    (await client.complete({ template, argument: 'path' }, start)).values.map((path) => path.replace(box.inside, '~'))
  assert.deepEqual(await completed(`${box.inside}/`), [
    ...['~/README.md', '~/long.txt', '~/node_modules/', '~/picture.png', '~/src/'],
  ])
  assert.deepEqual(await completed(`${box.inside}/src/d`), ['~/src/deep/'])
  assert.deepEqual(await completed(box.inside.slice(0, 5)), ['~'])
  // neither what lies outside nor whether it is there
  for (const start of [`${box.outside}/`, `${box.inside}/../inside-not/s`, '/etc/pass', 'nowhere/'])
    assert.deepEqual(await completed(start), [], start)
})

test('resources: a file that is too large says how to read it', async () => {
  using box = sandbox(sample)
  await using client = await connect(await filesServer({ directories: [box.inside], limits: { maxReadBytes: 1_000 } }))
  const { href } = pathToFileURL(join(box.inside, 'long.txt'))
  await assert.rejects(client.resources.read(href), /it has 48892 bytes; read a part of it: file:.*\?from=1&lines=1000/)
  const { text } = await call(client, 'read_file', { path: 'long.txt' })
  assert.match(text, /they have more than 1000 bytes/)
})

test('roots: of the directories only what lies in the roots of the client', async () => {
  using box = sandbox(sample)
  const roots = [{ uri: pathToFileURL(join(box.inside, 'src')).href }, { uri: 'https://example.com' }]
  await using client = await connect(await filesServer({ directories: [box.inside] }), { roots })
  assert.equal((await call(client, 'list_directory', {})).text, 'a.ts (19 bytes)\ndeep/')
  assert.match(
    (await call(client, 'read_file', { path: join(box.inside, 'README.md') })).text,
    /lies outside of the directories/,
  )
  await assert.rejects(client.resources.read(pathToFileURL(join(box.inside, 'README.md')).href), /lies outside/)
})

test('roots: a root above the directories gives no more than they are, one elsewhere gives nothing', async () => {
  using box = sandbox(sample)
  const above = [{ uri: pathToFileURL(join(box.inside, '..')).href }]
  await using wide = await connect(await filesServer({ directories: [box.inside] }), { roots: above })
  assert.match((await call(wide, 'read_file', { path: join(box.outside, 'secret.txt') })).text, /lies outside/)
  assert.equal((await call(wide, 'read_file', { path: 'README.md' })).isError, false)
  const elsewhere = [{ uri: pathToFileURL(box.outside).href }]
  await using other = await connect(await filesServer({ directories: [box.inside] }), { roots: elsewhere })
  assert.match(
    (await call(other, 'list_directory', {})).text,
    /no root of the client lies in a directory of this server/,
  )
})

test('changes: those who watch a file or a directory are told', async () => {
  using box = sandbox(sample)
  await using client = await connect(await filesServer({ directories: [box.inside], lookEveryMs: 10 }))
  const { href } = pathToFileURL(join(box.inside, 'README.md'))
  const folder = pathToFileURL(join(box.inside, 'src')).href
  const seen: string[] = []
  let wake = () => {}
  const watch = await client.watch({ uris: [href, folder] }, (change) => {
    if (change.kind === 'resource') seen.push(change.uri)
    wake()
  })
  const until = async (uri: string) => {
    while (!seen.includes(uri))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  writeFileSync(join(box.inside, 'README.md'), 'changed')
  await until(href)
  writeFileSync(join(box.inside, 'src', 'new.ts'), 'x')
  await until(pathToFileURL(join(box.inside, 'src', 'new.ts')).href)
  await watch.close()
})

test('PathWatch: a path is looked at while it is watched, once for all, and no more paths than the limit', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  using box = sandbox(sample)
  const changed: string[] = []
  let wake = () => {}
  const note = (path: string) => {
    changed.push(path)
    wake()
  }
  const watch = new PathWatch(note, { everyMs: 10, maxPaths: 2 })
  const file = join(box.inside, 'README.md')
  const stops = [watch.add(file), watch.add(file), watch.add(join(box.inside, 'src')), watch.add(box.inside)]
  assert.equal(watch.size, 2, 'one more than the limit is not looked at')
  const told = new Promise<void>((resolve) => (wake = resolve))
  writeFileSync(file, 'changed')
  t.mock.timers.tick(10)
  await told
  assert.deepEqual(changed, [file])
  stops[0]?.()
  stops[0]?.()
  assert.equal(watch.size, 2, 'the other one still watches')
  for (const stop of stops) stop()
  assert.equal(watch.size, 0)
})

test('filesServer: what cannot be served is said', async () => {
  using box = sandbox(sample)
  await assert.rejects(filesServer({ directories: [] }), /name at least one directory/)
  await assert.rejects(filesServer({ directories: [join(box.inside, 'none')] }), /it is not a directory/)
  await assert.rejects(filesServer({ directories: [join(box.inside, 'README.md')] }), /it is not a directory/)
})

test('limits: a search, a listing and a write that are too large', async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}.txt`, 'x\nx\nx\n']))
  using box = sandbox(many)
  const limits = { maxWalkedEntries: 20, maxEntries: 5, maxMatches: 4, maxWriteBytes: 10 }
  await using client = await connect(await filesServer({ directories: [box.inside], limits }))
  assert.match((await call(client, 'list_directory', {})).text, /\nand 25 more$/)
  assert.match((await call(client, 'find_files', { pattern: 'f*' })).text, /\[the first 5; there are more\]$/)
  assert.match(
    (await call(client, 'find_files', { pattern: 'z*' })).text,
    /it has more than 20 entries; search a part of it/,
  )
  assert.match((await call(client, 'search_text', { text: 'x' })).text, /\[the first 4; there are more\]$/)
  assert.match(
    (await call(client, 'write_file', { path: 'a', content: 'x'.repeat(11) })).text,
    /11 bytes are more than 10/,
  )
})
