/** Starts each server of this folder and asks it something; each is one file of at most 100 lines that stands alone. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { filesServer } from './files.ts'
import { gitServer } from './git.ts'

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

const asks: { readonly [file: string]: (folder: string) => Promise<void> } = {
  'code.ts': askCode,
  'files.ts': askFiles,
  'git.ts': askGit,
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
