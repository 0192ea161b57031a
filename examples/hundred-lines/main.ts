/** Starts each server of this folder and asks it something; each is one file of at most 100 lines that stands alone. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@trunkline/mcp'

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

const asks: { readonly [file: string]: (folder: string) => Promise<void> } = { 'code.ts': askCode }

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
