/** Starts each server of this folder and asks it something; each is one file of at most 100 lines that stands alone. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { filesServer } from './files.ts'
import { gitServer } from './git.ts'
import { githubServer } from './github.ts'

const here = import.meta.dirname

/** Asks the server for code about a project of two files, served by the language server of TypeScript. */
async function askCode(folder: string): Promise<void> {
  writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "strict": true } }')
  writeFileSync(
    join(folder, 'add.ts'),
    '/** Adds two numbers. */\nexport function add(a: number, b: number) {\n  return a + b\n}\n',
  )
  writeFileSync(join(folder, 'main.ts'), "import { add } from './add'\n\nconsole.log(add(1, 2))\n")
  const tsc = join(here, '../../node_modules/.bin/tsc')
  const args = [join(here, 'code.ts'), folder, tsc, '--lsp', '--stdio']
  const questions: string[] = []
  const elicitation = async ({ message }: { message: string }) => {
    questions.push(message)
    return { action: 'accept' as const, content: { start: questions.length > 1 } }
  }
  await using code = await connect({ command: process.execPath, args }, { elicitation })
  const place = { path: 'main.ts', line: 3, name: 'add' } as never
  const textOf = async (tool: string, input: never) => {
    const { content, isError = false } = await code.tools.call(tool, input)
    return { text: content.map((block) => ('text' in block ? block.text : '')).join(''), isError }
  }
  assert.deepEqual(await textOf('find_uses', place), {
    text: 'Cannot answer: the person did not agree to start the language server',
    isError: true,
  })
  assert.equal((await textOf('find_uses', place)).text, '3 uses\nadd.ts:2\nmain.ts:1\nmain.ts:3')
  assert.match(
    (await textOf('explain', place)).text,
    /function add\(a: number, b: number\): number[\s\S]*Adds two numbers/,
  )
  const outside = { path: '../../etc/passwd', line: 1, name: 'root' } as never
  assert.equal((await textOf('explain', outside)).isError, true)
  assert.equal(questions.length, 2)
  assert.match(questions[0] ?? '', /^Run ".*tsc --lsp --stdio" in /)
  console.log('code: the language server was started after a question, and knew every use')
}

/** Writes, lists and reads files of a folder, and tries to leave it. */
async function askFiles(folder: string): Promise<void> {
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n')
  symlinkSync('/etc', join(folder, 'out'))
  await using client = await connect(await filesServer(folder), { extensions: [contract()] })
  const { effects } = await client.tools.preview('write_file', { path: 'b.txt', content: 'B' })
  assert.match(effects.join(), /^writes 1 characters to .*b\.txt$/)
  await client.tools.call('write_file', { path: 'b.txt', content: 'B' })
  const listed = await client.tools.call('list_files', { text: '.txt' })
  assert.deepEqual(listed.structuredContent, { items: ['a.txt', 'b.txt'], total: 2 })
  const part = await client.tools.call('read_file', { path: 'a.txt', from: 2, lines: 1 })
  assert.deepEqual(part.content, [{ type: 'text', text: 'two' }])
  for (const path of ['../x', 'out/passwd', '/etc/passwd'])
    assert.equal((await client.tools.call('read_file', { path })).isError, true, path)
  assert.deepEqual((await client.complete({ template: 'folder:///{+path}', argument: 'path' }, 'b')).values, ['b.txt'])
  console.log('files: two files, none outside')
}

/** Makes a commit after its preview, and lists it. */
async function askGit(folder: string): Promise<void> {
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\nthree\n')
  const git = (...words: readonly string[]) => execFileSync('git', [...words], { cwd: folder, encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.org')
  await using client = await connect(gitServer(folder), { extensions: [contract()] })
  const input = { message: 'first', paths: ['a.txt'] }
  const { effects } = await client.tools.preview('create_commit', input)
  assert.deepEqual(effects, ['commits as "first":', '?? a.txt'])
  await client.tools.call('create_commit', input)
  const { structuredContent } = await client.tools.call('list_commits', {})
  assert.deepEqual(
    structuredContent?.items.map(({ author, subject }) => [author, subject]),
    [['Ada', 'first']],
  )
  for (const ref of ['--output=x', 'HEAD:a.txt', ''])
    assert.equal((await client.tools.call('show_commit', { ref })).isError, true, ref)
  const uri = 'git:///main/a.txt'
  assert.equal(((await client.resources.read(uri)).contents[0] as { text: string }).text, 'one\ntwo\nthree')
  console.log('git: one commit, shown before it was made')
}

/** Lists issues of a GitHub on this machine, comments after a preview, and is refused with a wrong token. */
async function askGithub(): Promise<void> {
  const issue = { number: 7, title: 'It "fails"', state: 'open', body: 'Why?', user: { login: 'ada' } }
  const comments: string[] = []
  const hub = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
    const path = request.url?.split('?')[0]
    if (request.headers.authorization !== 'Bearer good') return answer(401, {})
    if (path === '/repos/ada/notes/issues') return answer(200, [issue, { ...issue, number: 8, pull_request: {} }])
    if (path === '/repos/ada/notes/issues/7') return answer(200, issue)
    if (path !== '/repos/ada/notes/issues/7/comments') return answer(404, {})
    for await (const text of request.setEncoding('utf8')) comments.push(text as string)
    return answer(201, { html_url: 'https://github.com/ada/notes/issues/7#1' })
  })
  hub.listen(0, '127.0.0.1')
  await once(hub, 'listening')
  const api = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`
  try {
    await using client = await connect(githubServer('ada/notes', 'good', api), { extensions: [contract()] })
    const { structuredContent } = await client.tools.call('list_issues', {})
    assert.deepEqual(
      structuredContent?.items.map(({ number, author }) => [number, author]),
      [[7, 'ada']],
    )
    const { effects } = await client.tools.preview('add_comment', { number: 7, text: 'Because' })
    assert.deepEqual(effects, ['comments on ada/notes#7 "It \\"fails\\"": "Because"'])
    assert.deepEqual(comments, [])
    await client.tools.call('add_comment', { number: 7, text: 'Because' })
    assert.deepEqual(comments, ['{"body":"Because"}'])
    assert.equal(((await client.resources.read('github:///issue/7')).contents[0] as { text: string }).text, 'Why?')
    await using stranger = await connect(githubServer('ada/notes', 'wrong', api))
    const { content, isError } = await stranger.tools.call('get_issue', { number: 7 })
    assert.ok(isError && /set a new one in GITHUB_TOKEN/.test(JSON.stringify(content)))
  } finally {
    hub.closeAllConnections()
    hub.close()
  }
  console.log('github: one comment, shown before it was made')
}

const asks: { readonly [file: string]: (folder: string) => Promise<void> } = {
  'code.ts': askCode,
  'files.ts': askFiles,
  'git.ts': askGit,
  'github.ts': askGithub,
}

for (const file of readdirSync(here).filter((name) => name.endsWith('.ts') && name !== 'main.ts')) {
  const lines = readFileSync(join(here, file), 'utf8').trimEnd().split('\n').length
  assert.ok(lines <= 100, `${file} has ${lines} lines`)
  const ask = asks[file]
  assert.ok(ask, `Nothing is asked of ${file}`)
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-hundred-lines-'))
  try {
    await ask(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
